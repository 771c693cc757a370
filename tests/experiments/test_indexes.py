"""The indexes of experiments."""

from pathlib import Path

import pytest

from relsent_ir.collection import Record, Section
from relsent_ir.errors import MismatchError, MissingError
from relsent_ir.experiments import Request
from relsent_ir.experiments.indexes import collection_index
from relsent_ir.lucene.analyzers import Analysis
from relsent_ir.lucene.index import Index


def test_an_index_is_built_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is built below the request's folder, and found there the next time."""
    monkeypatch.setenv("RELSENT_DATA", str(tmp_path))
    request = Request(indexes=tmp_path / "indexes")
    with pytest.raises(MissingError, match="invented"):
        collection_index(request, "invented")
    (tmp_path / "invented").mkdir()
    record = Record("1", "A title", sections=(Section("One sentence. And another one."),))
    (tmp_path / "invented" / "a.jsonl").write_text(record.to_json() + "\n", encoding="utf-8")
    folder = collection_index(request, "invented")
    before = sorted(path.name for path in folder.rglob("*"))
    assert folder == tmp_path / "indexes" / "invented"
    assert collection_index(request, "invented") == folder
    assert sorted(path.name for path in folder.rglob("*")) == before
    with Index(folder, "sentences") as index:
        assert sorted(index.ids()) == ["1.0", "1.1", "1.2"]
    with pytest.raises(MismatchError):
        collection_index(request, "invented", analysis=Analysis.choose(stemmer="none"))
