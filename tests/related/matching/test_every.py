"""All sentences' matches: as one by one, and the same bytes however often it was stopped."""

import shutil
from pathlib import Path

import pytest

from relsent_ir.errors import InputError, MismatchError
from relsent_ir.related.matching import every as module
from relsent_ir.related.matching.every import read_every, write_every
from tests.related.conftest import matching


def _bytes(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def test_every(collection: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Each sentence has the matches that it has alone, and none of its own record."""
    monkeypatch.setattr(module, "PART", 50)
    told: list[tuple[int, int | None]] = []
    n = write_every(collection, "I1.5", tmp_path / "a", 3, progress=lambda *at: told.append(at))
    found = dict(read_every(tmp_path / "a"))
    assert len(found) == n
    assert told[-1][0] == told[-1][1] == -(-n // 50)
    with matching(collection, "I1.5") as matcher:
        ids = ["r3.1", "r7.0"]
        topics = dict(zip(ids, matcher.collection.texts(ids), strict=True))
        for name, hits in matcher.related(topics, 3, without_own=True).items():
            assert list(found[name]) == list(hits)
    whole = _bytes(tmp_path / "a")
    shutil.rmtree(tmp_path / "a" / "part-0000000050")
    (tmp_path / "a" / ".part-0000000100.12345678.tmp").mkdir()
    write_every(collection, "I1.5", tmp_path / "a", 3)
    assert _bytes(tmp_path / "a") == whole
    for other in ({"k": 4}, {"model": "I1"}):
        settings = {"model": "I1.5", "k": 3, **other}
        with pytest.raises(MismatchError, match="of another index, model or --hits"):
            write_every(collection, output=tmp_path / "a", **settings)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="no related sentences are here"):
        list(read_every(tmp_path / "b"))
