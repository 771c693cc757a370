"""The MEDLINE text format, as PubMed exports it (``.nbib`` files are the same).

A tag is in columns 1 to 4, ``- `` in 5 and 6; continuation lines have six spaces, records are
separated by an empty line. Tags: https://www.nlm.nih.gov/bsd/mms/medlineelements.html
"""

from collections.abc import Iterator
from pathlib import Path

from relsent_ir.errors import InputError
from relsent_ir.records.fields import (
    JOURNAL,
    NOTICES,
    PMCID,
    REGISTRY,
    clean,
    clean_all,
    headings,
    record_id,
    year,
)
from relsent_ir.records.headings import inline_sections
from relsent_ir.records.record import Record
from relsent_ir.records.tagged import TaggedRecord, made, read_tagged

_ONCE = frozenset(["PMID", "OWN", "TI", "TT", "JT", "TA"])


def read_medline(path: Path) -> Iterator[Record | InputError]:
    """Yield the records of a file, and an InputError for each unreadable record."""
    tagged = read_tagged(path, _split, first="PMID", blank_ends=True, once=_ONCE)
    return made(path, tagged, _record)


def _split(line: str) -> tuple[str, str] | None:
    if line[4:6] not in ("- ", "-"):
        return None
    tag = line[:4].rstrip()
    return (tag, line[6:]) if tag.isalnum() and tag.isupper() else None


def _record(tagged: TaggedRecord) -> Record:
    tagged.check()
    authors = "AU" if tagged.text("AU") else "FAU"
    noticed = [NOTICES[tag] for tag, _ in tagged.fields if tag in NOTICES]
    own = [(PMCID, name) for name in clean_all(tagged.texts("PMC"))[:1]]
    if tagged.text("TA"):
        own += [(JOURNAL, name) for name in clean_all(tagged.texts("JT"))]
    own += [(REGISTRY, name.rpartition("/")[2]) for name in clean_all(tagged.texts("SI"))]
    pmid = record_id(clean(tagged.text("PMID")))
    labelled = clean_all(tagged.texts("LID", "AID"))  # 10.1000/1 [doi]
    return Record(
        id=pmid,
        title=clean(tagged.text("TI") or tagged.text("BTI")),
        vernacular_title=clean(tagged.text("TT")),
        sections=tuple(s for text in clean_all(tagged.texts("AB")) for s in inline_sections(text)),
        mesh=headings(tagged.texts("MH")),
        chemicals=clean_all(_substance(text) for text in tagged.texts("RN", "NM")),
        year=year(tagged.text("DP")),
        journal=clean(tagged.text("TA") or tagged.text("JT")),
        authors=clean_all(tagged.texts(authors, "CN")),
        publication_types=tuple(dict.fromkeys([*clean_all(tagged.texts("PT")), *noticed])),
        pmid=pmid,
        doi=next((text[:-6] for text in labelled if text.endswith(" [doi]")), ""),
        volume=clean(tagged.text("VI")),
        issue=clean(tagged.text("IP")),
        pages=clean(tagged.text("PG")),
        keywords=clean_all(text.lstrip("*") for text in tagged.texts("OT")),
        affiliations=tuple(dict.fromkeys(clean_all(tagged.texts("AD")))),
        languages=clean_all(tagged.texts("LA")),
        own=tuple(pair for pair in own if pair[1]),
    )


def _substance(text: str) -> str:
    """Return the name in ``number (name)``; the name itself may contain brackets."""
    _, opening, name = text.partition(" (")
    return name.rpartition(")")[0] if opening and text.rstrip().endswith(")") else text
