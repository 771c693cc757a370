"""What a verb reads: each index is opened once, each record parsed once."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from relsent_ir.lucene.read.index import Index
from relsent_ir.records import Record


@pytest.fixture
def read(monkeypatch) -> tuple[Counter[str], Counter[str]]:
    """How often each unit was opened, and each record parsed."""
    opened: Counter[str] = Counter()
    parsed: Counter[str] = Counter()
    open_index, parse = Index.__init__, Record.from_json

    def counted_opening(
        self: Index, folder: Path, unit: str = "abstracts", *rest: Any, **more: Any
    ) -> None:
        opened[unit] += 1
        open_index(self, folder, unit, *rest, **more)

    def counted_parsing(line: str) -> Record:
        record = parse(line)
        parsed[record.id] += 1
        return record

    monkeypatch.setattr(Index, "__init__", counted_opening)
    monkeypatch.setattr(Record, "from_json", counted_parsing)
    return opened, parsed


@pytest.mark.parametrize(
    ("arguments", "units"),
    [
        (("search", "--hits", 10, "--text", "women with asthma"), ["abstracts"]),
        (("search", "--hits", 10, "--ranker", "ranker", "--text", "women"), ["abstracts"]),
        (("similar", "--pmid", "90000002"), ["abstracts"]),
        (("similar", "--method", "pmra", "--pmid", "90000002"), ["abstracts"]),
        (("themes", "--pmid", "90000002"), ["abstracts"]),
        (("themes", "--text", "asthma"), ["abstracts"]),
        (("related", "--model", "I1.5", "--pmid", "90000002"), ["abstracts", "sentences"]),
    ],
)
def test_once(relsent, sample_indexes, read, arguments, units):
    """Stores beside the index are there after the first run; the second one reads hits alone."""
    verb, *rest = arguments
    assert relsent(verb, "--index", sample_indexes, *rest).code == 0
    opened, parsed = read
    opened.clear()
    parsed.clear()
    ran = relsent(verb, "--index", sample_indexes, *rest)
    assert ran.code == 0, ran.err
    assert all(opened[unit] == 1 for unit in units)
    assert max(opened.values()) == max(parsed.values()) == 1
    if verb == "search":
        assert len(parsed) <= 10
