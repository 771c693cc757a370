"""OHSUMED, the MEDLINE records of 1987 to 1991 that TREC-9 used (``.I .U .S .M .T .P .W .A``).

References
----------
Hersh, Buckley, Leone, Hickam (1994). OHSUMED: an interactive retrieval evaluation and new large
test collection for research. SIGIR, 192-201. Files: https://trec.nist.gov/data/t9_filtering.html
"""

import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from relsent_ir.errors import InputError
from relsent_ir.records.fields import clean, clean_all, headings, record_id, year
from relsent_ir.records.record import Record, Section
from relsent_ir.records.tagged import TaggedRecord, made, read_tagged, split_dotted

_TAG = re.compile(r"\.(?:(I)[ \t]+([0-9]+)|([USMTPWA]))[ \t]*")
_ONCE = frozenset("IUSMTPWA")
_SOURCE = re.compile(r"(.*?) ([0-9]{4}) *;")


def read_ohsumed(path: Path) -> Iterator[Record | InputError]:
    """Yield the records of a file, and an InputError for each unreadable record."""
    tagged = read_tagged(path, partial(split_dotted, _TAG), first="I", blank_ends=False, once=_ONCE)
    return made(path, tagged, _record)


def _record(tagged: TaggedRecord) -> Record:
    tagged.check()
    journal, published = _source(clean(tagged.text("S")))
    return Record(
        id=record_id(clean(tagged.text("U"))),
        title=clean(tagged.text("T")),
        sections=tuple(Section(text) for text in clean_all(tagged.texts("W"))),
        mesh=headings(_items(tagged.text("M"))),
        year=published,
        journal=journal,
        authors=_items(tagged.text("A")),
        publication_types=_items(tagged.text("P")),
    )


def _items(text: str) -> tuple[str, ...]:
    """Split ``one; two; three.``."""
    return clean_all(clean(text).removesuffix(".").split("; "))


def _source(text: str) -> tuple[str, str]:
    """Read journal and year from ``Am J Med 8703; 4(6):491-5``.

    The digits are the year and the month in which MEDLINE added the record; there is no other date.
    """
    match = _SOURCE.match(text)
    if not match:
        return text, year(text)
    journal, date = match.groups()
    return journal, date if date.startswith(("19", "20")) else f"19{date[:2]}"
