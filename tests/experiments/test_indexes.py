"""The indexes of experiments."""

import gzip
from pathlib import Path

import pytest

from relsent_ir.errors import MismatchError, MissingError
from relsent_ir.experiments import Request
from relsent_ir.experiments.indexes import collection_index
from relsent_ir.lucene.analyzers import Analysis
from relsent_ir.lucene.index import Index
from relsent_ir.records import Record, Section


def test_an_index_is_built_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is built below the request's folder, and found there the next time."""
    monkeypatch.setenv("RELSENT_DATA", str(tmp_path))
    request = Request(indexes=tmp_path / "indexes")
    with pytest.raises(MissingError, match=r"abstracts\.jsonl\.gz"):
        collection_index(request, "abstracts")
    (tmp_path / "abstracts").mkdir()
    record = Record("1", "A title", sections=(Section("One sentence. And another one."),))
    path = tmp_path / "abstracts" / "abstracts.jsonl.gz"
    path.write_bytes(gzip.compress(record.to_json().encode() + b"\n"))
    folder = collection_index(request, "abstracts")
    before = sorted(path.name for path in folder.rglob("*"))
    assert folder == tmp_path / "indexes" / "abstracts"
    assert collection_index(request, "abstracts") == folder
    assert sorted(path.name for path in folder.rglob("*")) == before
    with Index(folder, "sentences") as index:
        assert sorted(index.ids()) == ["1.0", "1.1", "1.2"]
    other = collection_index(request, "abstracts", Analysis.choose("none"), "unstemmed")
    assert other == tmp_path / "indexes" / "unstemmed"
    with pytest.raises(MismatchError):
        collection_index(request, "abstracts", Analysis.choose("none"))
