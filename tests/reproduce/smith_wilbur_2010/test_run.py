"""The page of related sentences, on invented records."""

import gzip
import re
from pathlib import Path

import numpy as np
import pytest

from relsent_ir.related.pairs import Pairs
from reproduce import Request, reproduce
from reproduce.smith_wilbur_2010 import run as smith_wilbur_2010
from reproduce.smith_wilbur_2010.protocol import FIXED, TRAINING, Protocol
from tests.related.conftest import invent


@pytest.fixture
def collections(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Some invented records as the abstracts collection, and invented BIOSSES pairs."""
    records = [*invent(75), *invent(75, seed=1, prefix="citation-screening-")]
    lines = "".join(record.to_json() + "\n" for record in records)
    for name in ("abstracts", "similarity"):
        (tmp_path / name).mkdir()
    path = tmp_path / "abstracts" / "abstracts.jsonl.gz"
    path.write_bytes(gzip.compress(lines.encode()))
    (tmp_path / "similarity" / "biosses.tsv").write_text(
        "sentence1\tsentence2\tmean\n"
        "Malaria fever and quinine.\tQuinine for malaria.\t4\n"
        "Insulin of the pancreas.\tMetformin and glucose.\t2\n"
        "Glaucoma of the retina.\tA fracture of the femur.\t0\n"
    )
    monkeypatch.setenv("RELSENT_DATA", str(tmp_path))
    return tmp_path


@pytest.mark.slow
def test_page(collections: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All tables and plots are there; texts go to a file of their own; models are used again."""
    monkeypatch.setattr(smith_wilbur_2010, "SIZES", (40, TRAINING))
    monkeypatch.setattr(smith_wilbur_2010, "QUERIES", 30)
    request = Request(full=True, indexes=collections / "indexes")
    path = reproduce("smith-wilbur-2010", request, collections / "results")
    page = path.read_text(encoding="utf-8")
    for name in (*FIXED, "bayes", "huber", "huber-plus"):
        assert re.search(rf"^\| {re.escape(name)} \| (–|\d\d\.\d\d) \| \d+\.\d\d \|", page, re.M)
    for title in ("Break-even", "The order", "Learning curve", "Scores", "Best matches", "BIOSSES"):
        assert f"## {title}" in page
    # So few sentences may have no hits to calibrate P on.
    assert re.search(r"\(Brier\) is (0\.\d{4}|–); if P were always", page)
    for way in ("citation screening", "other sources"):
        for name in ("I1.5", "huber-plus", "cosine of the vectors alone"):
            assert re.search(rf"^\| {way}: {name} \| \d+\.\d\d \|", page, re.M)
    for plot in re.findall(r"\((smith-wilbur-2010-.*\.svg)\)", page):
        assert (path.parent / plot).read_bytes().startswith(b"<?xml")
    texts = (path.parent / "smith-wilbur-2010.texts.md").read_text(encoding="utf-8")
    shown = re.findall(r"^(?:r|citation-screening-)\d+\.\d+  ", texts, re.M)
    assert 0 < len(shown) <= 10
    assert not any(name.strip() in page for name in shown)
    models = {p: p.stat().st_mtime_ns for p in (collections / "models").rglob("model.json")}
    assert len(models) == 11
    assert reproduce("smith-wilbur-2010", request, collections / "again").read_text() == page
    assert {p: p.stat().st_mtime_ns for p in models} == models


def test_protocol() -> None:
    """Break-even and McNemar's test by hand, of four pairs."""
    related = np.array([True, True, False, False])
    pairs = Pairs(np.arange(4, dtype=np.int32), np.arange(4, dtype=np.int32), related)
    scores = {name: np.array([4.0, 1.0, 3.0, 2.0]) for name in FIXED}
    scores |= {"D": np.array([4.0, 3.0, 2.0, 1.0]), "huber": np.array([1.0, 2.0, 3.0, 4.0])}
    found = Protocol(1.0, pairs, scores=scores)
    assert (found.be("D"), found.be("I1"), found.be("huber")) == (100.0, 50.0, 0.0)
    assert found.best_formula() == "D"
    assert found.against("D", "huber")[:2] == (4, 0)


def test_sentences_follow_the_test() -> None:
    """McNemar by hand: two pairs to none are chi square 2, p 0.16; 24 to none are far beyond."""
    related = np.arange(24) < 12
    pairs = Pairs(np.arange(24, dtype=np.int32), np.arange(24, dtype=np.int32), related)
    right = np.where(related, 2.0, 1.0) + np.arange(24) / 100
    wrong = np.where(related, 1.0, 2.0) + np.arange(24) / 100
    nearly = right.copy()
    nearly[0], nearly[23] = 0.0, 3.0
    scores = dict.fromkeys(FIXED, wrong) | {"O1": nearly}
    scores |= {"bayes": wrong, "huber": right, "huber-plus": nearly}
    found = Protocol(1.0, pairs, scores=scores)
    lines = smith_wilbur_2010._learned([found]).splitlines()
    assert lines[0] == (
        "- At share 1.0, against the best formula, O1: bayes below (p < 0.001), "
        "huber not significantly above (p 0.16), huber-plus level (p 1)."
    )
    assert lines[1].startswith("- huber against bayes at share 1.0: 24 : 0, above (p < 0.001)")
    order = smith_wilbur_2010._order(found)
    assert "O1 above I3, O1 above T2, O1 above I1.5" in order
    assert "O1 above huber" not in order
