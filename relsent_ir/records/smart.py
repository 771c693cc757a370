"""Records in the layout of the SMART system: ``.I`` number, ``.T`` title, ``.W`` text, and others.

CACM, CISI, MED, Cranfield and other collections are distributed in it. ``.A`` has authors, one to a
line, ``.B`` place and date of publication, ``.K`` and ``.C`` keywords and categories; other fields
(``.N``, ``.X``) are ignored.

Reference
---------
Salton (ed.): The SMART retrieval system. 1971.
"""

import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from relsent_ir.errors import InputError
from relsent_ir.records.fields import clean, clean_all, record_id, year
from relsent_ir.records.record import Record, Section
from relsent_ir.records.tagged import TaggedRecord, made, read_tagged, split_dotted

_TAG = re.compile(r"\.(?:(I)[ \t]+(\S+)|([A-Z]))[ \t]*")


def read_smart(path: Path) -> Iterator[Record | InputError]:
    """Yield the records of a file, and an InputError for each unreadable record."""
    tagged = read_tagged(path, partial(split_dotted, _TAG), first="I", blank_ends=False)
    return made(path, tagged, _record)


def _record(tagged: TaggedRecord) -> Record:
    if tagged.texts("U"):
        raise InputError("a field .U, which is OHSUMED's", fix="--format ohsumed")
    printed = clean(tagged.text("B"))
    return Record(
        id=record_id(clean(tagged.text("I"))),
        title=clean(tagged.text("T")),
        sections=tuple(Section(text) for text in clean_all(tagged.texts("W"))),
        year=year(printed),
        authors=clean_all(tagged.lines("A")),
        labels=clean_all([*tagged.lines("K"), *tagged.lines("C")]),
        printed_in=printed,
    )
