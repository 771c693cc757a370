"""The page of the learned ranker, from small invented collections."""

from importlib import import_module
from pathlib import Path

import pytest

from relsent_ir.experiments import Request, reproduce
from relsent_ir.experiments.indexes import FILES
from relsent_ir.experiments.learned_ranker import peers, run
from relsent_ir.feedback import RM3, Rocchio
from relsent_ir.ranker import lambdamart
from tests.ranker.conftest import SUBJECTS, invent


def test_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every row is there, each group is left out in turn, and no figure is missing."""
    pytest.importorskip("lightgbm")
    lines = "".join(invent(number).to_json() + "\n" for number in range(60))
    (tmp_path / "all.jsonl").write_text(lines)
    others = "".join(
        invent(number).to_json().replace('"id": "', '"id": "a') + "\n" for number in range(60, 90)
    )
    import gzip

    (tmp_path / "abstracts.jsonl.gz").write_bytes(gzip.compress(others.encode()))
    for name in FILES:
        monkeypatch.setitem(FILES, name, ["all.jsonl"])
    monkeypatch.setitem(FILES, "abstracts", ["abstracts.jsonl.gz"])
    (tmp_path / "cystic-fibrosis").mkdir()
    (tmp_path / "cystic-fibrosis" / "cfquery").write_text("")
    monkeypatch.setenv("RELSENT_DATA", str(tmp_path))
    module = import_module("relsent_ir.experiments.learned_ranker.run")
    topics = {str(t): " ".join(SUBJECTS[t % 3].split()[t % 4 : t % 4 + 2]) for t in range(12)}
    qrels = {t: {str(n): 1 for n in range(60) if n % 3 == int(t) % 3 and n % 2} for t in topics}
    monkeypatch.setattr(module, "read_topics", lambda _: topics)
    monkeypatch.setattr(module, "read_cystic_fibrosis_qrels", lambda _: qrels)
    monkeypatch.setattr(module, "TITLES_OF_OTHERS", 12)
    monkeypatch.setattr(peers, "RM3S", [RM3()])
    monkeypatch.setattr(peers, "ROCCHIOS", [Rocchio()])
    monkeypatch.setattr(lambdamart, "ROUNDS", (2, 3))
    page = reproduce("learned-ranker", Request(indexes=tmp_path / "ix"), tmp_path / "out")
    text = page.read_text()
    for row in (run.LINEAR, run.TREES, run.OURS, run.FROM_REFERENCES, run.FROM_TITLES, *run.STEPS):
        assert f"| {row} " in text
    for group in ("neighbours", "references", "mesh", "feedback"):
        assert f"| linear without {group} | " in text
        assert f"| {group} | " in text
    assert "nan" not in text
