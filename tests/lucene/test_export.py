"""Documents for other engines."""

import json
from pathlib import Path

import pytest

from relsent_ir.errors import MismatchError
from relsent_ir.lucene.documents import MoveTagger
from relsent_ir.lucene.export import documents
from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.lucene.write.indexing import build_index
from relsent_ir.records import Record, Sentence

RECORD = {
    "id": "007",
    "pmid": "007",
    "title": "Insulin.",
    "abstract": "It lowers glucose. It does.",
    "mesh": ["Mice"],
    "year": "1999",
    "journal": "J Inv",
}


def _tag(record: Record) -> list[Sentence]:
    return [Sentence(s.record, s.n, s.text, "RESULTS", 0.5) for s in record.sentences() if s.n]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An index of one record and an empty one, with moves."""
    path = tmp_path / "some.jsonl"
    path.write_text(json.dumps(RECORD) + '\n{"id": "8", "title": "Other", "abstract": null}\n')
    build_index([(path, "jsonl")], tmp_path / "index", tagger=MoveTagger("test", _tag))
    return tmp_path / "index"


def test_other_sentences(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An index of a version that cut sentences otherwise is to be built again."""
    cut = Record.sentences
    more = lambda self: (*cut(self), Sentence(self.id, 9, "More."))  # noqa: E731
    monkeypatch.setattr(Record, "sentences", more)
    with Indexes(folder) as collection, pytest.raises(MismatchError, match="build it again"):
        list(documents(collection, "sentences"))


def test_documents(folder: Path) -> None:
    """Records and sentences have their fields, what filters and facets ask for, and lengths."""
    with Indexes(folder) as collection:
        (records,) = documents(collection, "abstracts")
        (sentences,) = documents(collection, "sentences")
        raw = collection.abstracts.raw(["007"])[0]
    first, other = records
    shared = {"pmid": ["007"], "year": 1999, "journal": ["j inv"], "heading": ["mice"]}
    printed = {"journal": ["J Inv"], "heading": ["Mice"]}
    assert first == {
        "id": "007",
        "contents": "Insulin.\nIt lowers glucose. It does.\nMice",
        "title": "Insulin.",
        "abstract": "It lowers glucose. It does.",
        "mesh": "Mice",
        "terms": ["Mice"],
        "affiliation": [],
        "raw": raw,
        **shared,
        "printed": printed,
        "tokens": 5,  # insulin, lower, glucos, doe, mice; "it" is a stop word
        "distinct": 5,
    }
    assert other["id"] == "8"
    assert "year" not in other
    assert [s["id"] for s in sentences] == ["007.0", "007.1", "007.2", "8.0"]
    told = {"id": "007.1", "contents": "It lowers glucose.", "record": "007", "n": "1", **shared}
    assert {name: sentences[1][name] for name in told} == told
    assert (sentences[1]["move"], float(sentences[1]["score"])) == ("RESULTS", 0.5)
    assert sentences[1]["tokens"] == 2
