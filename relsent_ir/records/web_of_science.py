"""Web of Science's tagged format, its plain text export.

A line is two letters, a blank and a value; three blanks continue a field; ``ER`` ends a record.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from relsent_ir.errors import InputError
from relsent_ir.records.named import OWN, content_id, named_record
from relsent_ir.records.record import Record
from relsent_ir.records.tagged import TaggedRecord, made, read_tagged

_LINE: Final = re.compile(r"([A-Z][A-Z0-9])(?: (.*))?")
_TEXTS: Final = {
    "TI": "title", "AB": "abstract", "SO": "journal", "PY": "year", "VL": "volume", "IS": "issue",
    "BP": "startpage", "EP": "endpage", "AR": "articlenumber", "DI": "doi", "PM": "pmid",
    "UT": "accession", "LA": "languages", "DT": "publication_types", "DE": "keywords",
    "ID": "keywords",
}  # fmt: skip
_LINES: Final = {"AU": "authors", "C1": "affiliations"}
COLUMNS: Final = {tag: name for tag, name in (_TEXTS | _LINES).items() if tag not in ("ID", "C1")}
"""The names of the tab-delimited form, with the fields of records."""
"""Tags with one value on each line."""
_SILENT: Final = {"FN", "VR", "PT", "ER", "EF", "AF"}


def read_web_of_science(path: Path) -> Iterator[Record | InputError]:
    """Yield the records of a file, and an InputError for each unreadable record."""

    def split(line: str) -> tuple[str, str] | None:
        match = _LINE.fullmatch(line)
        return (match[1], match[2] or "") if match else None

    tagged = read_tagged(path, split, first="PT", blank_ends=False, last="ER")
    whole = (one for one in tagged if any(tag == "PT" for tag, _ in one.fields))
    return made(path, whole, _record)


def _record(tagged: TaggedRecord) -> Record:
    tagged.check()
    values: list[tuple[str, list[str]]] = []
    for tag, lines in tagged.fields:
        texts = [line.strip() for line in lines] if tag in _LINES else [" ".join(lines)]
        name = _TEXTS.get(tag) or _LINES.get(tag) or ("" if tag in _SILENT else OWN + tag)
        if name in ("keywords", "languages", "publication_types"):
            texts = texts[0].split(";")
        if name:
            values.append((name, texts))
    key = content_id(tagged.text("TI"), tagged.text("PY"))
    return named_record(values, parted=True, key=key)
