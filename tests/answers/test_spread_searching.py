"""Questions answered some here and some there: tests/cluster and tests/cli have the others."""

from pathlib import Path

import pytest

from relsent_ir.answers import default_model, spread_searching
from relsent_ir.answers.searching import search
from relsent_ir.errors import InputError
from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.lucene.write.indexing import build_index
from relsent_ir.processes import here
from tests.answers.conftest import DRUGS, invented


def test_batches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Batches of questions give what all give together, in their order; so does a model's path."""
    lines = "".join(invented(n, drug).to_json() + "\n" for n, drug in enumerate(DRUGS))
    (tmp_path / "r.jsonl").write_text(lines, encoding="utf-8")
    build_index([(tmp_path / "r.jsonl", "jsonl")], tmp_path / "index")
    monkeypatch.setattr(spread_searching, "TOGETHER", 3)
    topics = {drug: f"Does {drug} reduce body weight?" for drug in DRUGS}
    with Indexes(tmp_path / "index") as collection:
        wanted = search(collection, topics, default_model(), depth=4)
    told: list[tuple[int, int]] = []
    found = spread_searching.answered(
        tmp_path / "index", None, topics, here, lambda *n: told.append(n), depth=4
    )
    assert list(found) == list(topics)
    assert found == wanted
    assert told[-1] == (len(DRUGS), len(DRUGS))
    with pytest.raises(InputError):
        spread_searching.answered(tmp_path / "index", tmp_path / "none", topics, here)
