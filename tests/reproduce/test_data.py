"""The indexes of experiments."""

import gzip
from pathlib import Path

import pytest

from relsent_ir.errors import InputError, MismatchError, MissingError
from relsent_ir.lucene.analyzers import Analysis
from relsent_ir.lucene.read.index import Index
from relsent_ir.records import Record, Section
from reproduce import Request
from reproduce.data import FILES, collection_index


def test_a_build_that_ended_early_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No experiment reads an index whose build has not ended: it is ended first."""
    monkeypatch.setenv("RELSENT_DATA", str(tmp_path))
    (tmp_path / "rct").mkdir()
    texts = [Record(str(n), "Mice ran.").to_json() + "\n" for n in range(3)]
    paths = [tmp_path / file for file in FILES["rct"]]
    for path, text in zip(paths, [texts[0], "<PubmedArticleSet><", texts[2]], strict=True):
        path.write_text(text)
    request = Request(indexes=tmp_path / "indexes")
    with pytest.raises(InputError, match="malformed XML"):
        collection_index(request, "rct")
    with Index(tmp_path / "indexes" / "rct") as index:
        assert len(index.facts.missing) == 2
    paths[1].write_text(texts[1])
    with Index(collection_index(request, "rct")) as index:
        assert (sorted(index.ids()), index.facts.missing) == (["0", "1", "2"], [])


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
