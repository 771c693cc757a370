"""A ranker whose features mean something else now is refused; one worded otherwise is not."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from relsent_ir import models
from relsent_ir.counts import weighting
from relsent_ir.errors import MismatchError
from relsent_ir.methods import BM25, Rocchio
from relsent_ir.ranker import candidates, features, likeness
from relsent_ir.ranker.columns import CONSTANTS, SCALE, columns, probe
from relsent_ir.ranker.features import GROUPS, POSITIONS, has, names_of
from relsent_ir.ranker.model import RankerModel, load_ranker, missing_sets
from relsent_ir.typing import Floats

ALL = (*GROUPS, "run:dense")


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    """A ranker with every group of features."""
    size = len(names_of(ALL))
    learned = {missing: np.ones(size) for missing in missing_sets(ALL)}
    models.save(tmp_path / "m", RankerModel(ALL, learned))
    return tmp_path / "m"


def test_columns() -> None:
    """Every feature has a column; no two are alike."""
    found = columns(ALL)
    assert list(found) == [*names_of(ALL), SCALE, CONSTANTS]
    assert all(has(probe(("run:dense",)), name) for name in ALL)
    for name in names_of(ALL):
        values = np.array(found[name], dtype=float)
        assert len(np.unique(values)) > 1, name
        alike = {other for other in names_of(ALL) if np.allclose(values, found[other])}
        assert alike in ({name}, {"covered", *POSITIONS.features})  # short records open and close


def test_same_and_described(saved: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was saved is loaded; a description is not what a feature means."""
    assert load_ranker(saved).groups == ALL
    assert load_ranker().features
    for name, group in GROUPS.items():
        worded = {feature: f"{what}!" for feature, what in group.features.items()}
        monkeypatch.setitem(GROUPS, name, replace(group, features=worded))
    assert load_ranker(saved).groups == ALL


def _refused(saved: Path, feature: str) -> None:
    probe.cache_clear()
    try:
        with pytest.raises(MismatchError, match="other features than this version's") as raised:
            load_ranker(saved)
    finally:
        probe.cache_clear()
    assert feature in str(raised.value)


@pytest.mark.parametrize("feature", ["bm25", "bm25-larger"])
def test_other_k1(saved: Path, monkeypatch: pytest.MonkeyPatch, feature: str) -> None:
    """A changed k1 of a feature."""
    k1, b = features.BM25S[feature]
    monkeypatch.setitem(features.BM25S, feature, (k1 + 0.01, b))
    _refused(saved, f"version's: {feature}")


def test_other_k1_of_feedback(saved: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A changed k1 of the ranker after feedback."""
    ranker, feedback = candidates.FEEDBACKS["rocchio"]
    monkeypatch.setitem(candidates.FEEDBACKS, "rocchio", (replace(ranker, k1=0.91), feedback))
    _refused(saved, "version's: rocchio (")


@pytest.mark.parametrize("settings", [Rocchio(20, 10, 1.0, 1.4), Rocchio(6, 10, 1.0, 1.5)])
def test_other_feedback(saved: Path, monkeypatch: pytest.MonkeyPatch, settings: Rocchio) -> None:
    """Changed settings of feedback."""
    monkeypatch.setitem(candidates.FEEDBACKS, "rocchio", (BM25(), settings))
    _refused(saved, "version's: rocchio (")


def test_other_root(saved: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """First hits that are weighed by 1/rank, not by 1/√rank."""

    def to_first(near: NDArray[np.floating]) -> Floats:
        weights = np.tile(1 / np.arange(1, near.shape[1] + 1), (len(near), 1))
        np.fill_diagonal(weights, 0.0)
        found: Floats = (near * weights).sum(axis=1) / weights.sum(axis=1)
        return found

    monkeypatch.setattr(likeness, "to_first", to_first)
    _refused(saved, "version's: words-5, words-20, coupling-5, …")


def test_other_idf(saved: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """BM25's idf without its 1."""
    monkeypatch.setattr(
        weighting, "bm25_idf", lambda df, size: np.log((size - df + 0.5) / (df + 0.5))
    )
    _refused(saved, "version's: bm25, bm25-larger, ")


@pytest.mark.parametrize(
    ("name", "changed"),
    [
        ("tf_factors", lambda letter, tf, starts: np.sqrt(tf)),
        ("idf", lambda df, size: np.log(1 + size / df)),
    ],
)
def test_other_ltc(saved, monkeypatch, name, changed):
    """The tf, or the idf, of SMART's ltc."""
    monkeypatch.setattr(weighting, name, changed)
    _refused(saved, "version's: ")


@pytest.mark.parametrize("constant", ["POOL", "NEAREST"])
def test_other_constant(saved: Path, monkeypatch: pytest.MonkeyPatch, constant: str) -> None:
    """What nine records cannot show."""
    monkeypatch.setattr(likeness, constant, 100)
    _refused(saved, f"version's: {CONSTANTS}")


def test_other_scale(saved: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Features that are scaled otherwise."""
    monkeypatch.setattr(likeness, "standard", lambda values: values / 2)
    _refused(saved, SCALE)
