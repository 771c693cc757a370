"""Exports of three invented works, with each program's real headers: nothing of them is lost."""

from pathlib import Path
from typing import Any

import pytest

from relsent_ir.errors import InputError
from relsent_ir.records import Record, read_entries
from relsent_ir.records.fields import JOURNAL

PROGRAMS = Path(__file__).parent / "exports" / "programs"
WORKS: tuple[dict[str, Any], ...] = (
    {
        "title": "Zinc, TNF-α and colds: a trial",
        "authors": ("Okafor BC", "Ode A"),
        "journal": "Cold Journal",
        "year": "2020",
        "volume": "12",
        "issue": "3",
        "pages": "100-110",
        "doi": "10.1000/cold.1",
        "pmid": "90000101",
        "abstract": "Zinc shortened colds; 5 < 7 days. Nobody was ill.",
        "keywords": ("zinc", "common cold"),
    },
    {"title": "Editorial", "authors": ("Ek AB",), "journal": "Cold Journal", "year": "2021",
     "volume": "13", "pages": "e7", "pmid": "90000102"},
    {"title": "Editorial", "authors": ("Dal J",), "journal": "Lung Letters", "year": "2021",
     "volume": "4", "pages": "1-2", "pmid": ""},
)  # fmt: skip
"""The second has no DOI and no abstract, the third no PMID either; both have one title."""
UNTOLD = {
    "cinahl.csv": {"pages", "pmid"},  # the number of pages stands for the last
    "covidence.csv": {"keywords", "pmid"},
    "pubmed.csv": {"abstract", "issue", "keywords", "pages", "volume", "pmid"},
    "pubmed.nbib": {"pmid"},  # the third has one there
    "pubmed.xml": {"pmid"},
    "wos.bib": {"pmid", "title"},  # Greek letters are spelled out
}
"""What a program does not print."""


@pytest.mark.parametrize("path", sorted(PROGRAMS.iterdir()), ids=lambda path: path.name)
def test_three_works(path: Path) -> None:
    """Every field is read that a program prints, and no record is skipped or taken for another."""
    skipped: list[InputError] = []
    records = [r for r in read_entries(path, on_skip=skipped.append) if isinstance(r, Record)]
    assert not skipped
    assert len({record.id for record in records}) == len(WORKS)
    for record, work in zip(records, WORKS, strict=True):
        for field in work.keys() - UNTOLD.get(path.name, set()):
            values = {getattr(record, field)}
            if field == "journal":  # the short name, with the full one beside it
                values |= {value for name, value in record.own if name == JOURNAL}
            assert work[field] in values, field
        assert record.abstract == work.get("abstract", "") or "abstract" in UNTOLD[path.name]
