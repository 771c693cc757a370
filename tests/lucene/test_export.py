"""Documents for other engines."""

import json
from pathlib import Path

import pytest

from relsent_ir.lucene.analyzers import Analysis
from relsent_ir.lucene.documents import MoveTagger
from relsent_ir.lucene.export import documents, entry, mapping
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


def test_documents(folder: Path) -> None:
    """Records and sentences have their fields, and the values that filters ask for."""
    with Indexes(folder) as collection:
        first, other = documents(collection, "abstracts")
        sentences = list(documents(collection, "sentences"))
    shared = {"pmid": "007", "year": 1999, "journal": "j inv"}
    assert first == {
        "id": "007",
        "contents": "Insulin.\nIt lowers glucose. It does.\nMice",
        "title": "Insulin.",
        "abstract": "It lowers glucose. It does.",
        "mesh": "Mice",
        **shared,
    }
    assert other["id"] == "8"
    assert "year" not in other
    assert [s["id"] for s in sentences] == ["007.0", "007.1", "007.2", "8.0"]
    told = {"id": "007.1", "contents": "It lowers glucose.", "record": "007", "n": 1, **shared}
    assert {name: sentences[1][name] for name in told} == told
    assert (sentences[1]["move"], float(sentences[1]["score"])) == ("RESULTS", 0.5)


def test_entries() -> None:
    """Two lines for OpenSearch, one for Solr."""
    lines = entry({"id": "é.1", "n": 1}, "opensearch", "here").splitlines()
    assert [json.loads(line) for line in lines] == [
        {"index": {"_index": "here", "_id": "é.1"}},
        {"id": "é.1", "n": 1},
    ]
    assert entry({"id": "é.1", "n": 1}, "solr", "here") == '{"id": "é.1", "n": 1}\n'


@pytest.mark.parametrize(("stemmer", "length"), [("porter", 4), ("s", 4), ("none", 3)])
def test_mappings(stemmer: str, length: int) -> None:
    """The chain is that of the index: possessive, lower case, stop words, stemmer; BM25 as ours."""
    made = mapping(Analysis(stemmer, ("the",)), "opensearch")
    chain = made["settings"]["analysis"]["analyzer"]["relsent"]["filter"]
    assert chain[:3] == ["relsent_possessive", "lowercase", "relsent_stop"]
    assert len(chain) == length
    assert made["settings"]["analysis"]["filter"]["relsent_stop"]["stopwords"] == ["the"]
    similarity = made["settings"]["index"]["similarity"]["relsent"]
    assert (similarity["k1"], similarity["b"]) == (0.9, 0.4)
    solr = mapping(Analysis(stemmer, ("the",)), "solr")["add-field-type"]["analyzer"]
    assert len(solr["filters"]) == length
