"""The page of the learned ranker, from small invented collections."""

from importlib import import_module
from pathlib import Path

import pytest

from relsent_ir.methods import RM3, Rocchio
from reproduce import Request, reproduce
from reproduce.data import FILES
from reproduce.learned_ranker import run, sources
from tests.dense.tiny import write_model
from tests.ranker.conftest import SUBJECTS, invent


def test_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every row is there, each group is left out in turn, and no figure is missing."""
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
    module = import_module("reproduce.learned_ranker.run")
    topics = {str(t): " ".join(SUBJECTS[t % 3].split()[t % 4 : t % 4 + 2]) for t in range(12)}
    qrels = {t: {str(n): 1 for n in range(60) if n % 3 == int(t) % 3 and n % 2} for t in topics}
    monkeypatch.setattr(module, "read_topics", lambda _: topics)
    monkeypatch.setattr(module, "read_cystic_fibrosis_qrels", lambda _: qrels)
    monkeypatch.setattr(module, "TITLES_OF_OTHERS", 12)
    monkeypatch.setattr(sources, "RM3S", [RM3()])
    monkeypatch.setattr(sources, "ROCCHIOS", [Rocchio()])
    reviews = {f"R{n}": {str(m) for m in range(60) if m % 3 == n and m % 2} for n in range(3)}
    monkeypatch.setattr(module, "labelled_groups", lambda: (reviews, {}))
    write_model(tmp_path / "ix" / sources.ENCODER)
    request = Request(full=True, indexes=tmp_path / "ix")
    text = reproduce("learned-ranker", request, tmp_path / "out").read_text()
    for group in run.GIVEN.values():
        assert f"| {run.LINEAR}, and {group} " in text
    for row in (run.DENSE_ALONE, run.BOTH_GIVEN, f"{run.PACKAGED}, and {run.GIVEN['dense']}"):
        assert f"| {row} " in text
    for row in (run.LINEAR, run.BOTH_GIVEN):
        assert f"| {row}{run.TWO_PARTS} " in text
    for where in ("drug reviews", "titles, rct", "titles, cystic-fibrosis"):
        assert f"| {where}: {run.LINEAR} " in text
    for row in (run.LINEAR, run.OURS, run.FROM_REFERENCES, run.FROM_TITLES, *run.STEPS):
        assert f"| {row} " in text
    for group in ("neighbours", "references", "mesh", "feedback"):
        assert f"| linear without {group} | " not in text
        assert f"\n| {group} | " in text
    assert "nan" not in text
