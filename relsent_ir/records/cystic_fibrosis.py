"""The cystic fibrosis collection's own files, cf74 to cf79 (fields PN RN AN AU TI SO … RF CT).

References
----------
Shaw, Wood, Wood, Tibbo (1991). The cystic fibrosis database: content and research opportunities.
Library and Information Science Research 13, 347-366.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from relsent_ir.errors import InputError
from relsent_ir.records.fields import clean, clean_all, record_id
from relsent_ir.records.record import Mesh, Record, Section
from relsent_ir.records.tagged import TaggedRecord, made, read_tagged

_TAG = re.compile(r"(PN|RN|AN|AU|TI|SO|MJ|MN|AB|EX|RF|CT)(?: |$)")
_SOURCE = re.compile(r"(.*?)[.,] (19[0-9]{2})\b")
_NUMBER = re.compile(r"(?<!\s)\s*(?<![0-9])[0-9]+[^\s0-9]?\s+")  # no position is tried twice
_ONCE = frozenset(["PN", "RN", "TI", "SO"])


def read_cystic_fibrosis(path: Path) -> Iterator[Record | InputError]:
    """Yield the records of a file, and an InputError for each that cannot be taken.

    The highest bit of every byte is cleared, since one line of cf74 has it set in places.
    """
    tagged = read_tagged(
        path,
        lambda line: (line[:2], line[3:]) if _TAG.match(line) else None,
        first="PN",
        blank_ends=True,
        once=_ONCE,
        mask=True,
    )
    return made(path, tagged, _record)


def _record(tagged: TaggedRecord) -> Record:
    tagged.check()
    source = clean(tagged.text("SO"))
    dated = _SOURCE.match(source)
    number = clean(tagged.text("PN"))
    abstract, extract = clean(tagged.text("AB")), clean(tagged.text("EX"))
    body = Section(abstract) if abstract else Section(extract, label="EXTRACT")
    return Record(
        id=record_id(clean(tagged.text("RN")).lstrip("0")),
        title=clean(tagged.text("TI")),
        sections=(body,) if body.text else (),
        mesh=(*_headings(tagged.text("MJ"), major=True), *_headings(tagged.text("MN"))),
        references=_works(tagged, "RF"),
        citations=_works(tagged, "CT"),
        printed_in=source,
        year=dated[2] if dated else f"19{number[:2]}" if number else "",
        journal=dated[1] if dated else source,
        authors=_items(tagged.text("AU")),
        publication_types=("REVIEW",) if source.endswith("(REVIEW).") else (),
    )


def _items(text: str) -> tuple[str, ...]:
    """Split ``one.  two.  three.``; a few full stops have no space after them."""
    return clean_all(text.split("."))


def _headings(text: str, *, major: bool = False) -> Iterator[Mesh]:
    """Read ``HEADING: aa, bb.``; qualifiers keep their two-letter form."""
    for item in _items(text):
        name, _, qualifiers = item.partition(":")
        if name:
            yield Mesh(clean(name), clean_all(qualifiers.split(",")), major)


def _works(tagged: TaggedRecord, tag: str) -> tuple[str, ...]:
    """Return RF or CT lines without their numbers: author, source, volume, page, year."""
    return clean_all(_NUMBER.sub("", line, count=1).rstrip(". ") for line in tagged.lines(tag))
