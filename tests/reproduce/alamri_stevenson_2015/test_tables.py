"""The tables of the page of answers."""

import numpy as np
import pytest

from relsent_ir.answers.classifiers import Step, Weights
from relsent_ir.answers.evaluation import Scores
from relsent_ir.answers.sentence_features import NAMES
from reproduce.alamri_stevenson_2015.tables import (
    MEASURES,
    TABLE_3,
    bootstrap,
    f1_by_question,
    interval,
    order_of_slots,
    significance,
)


def _scores(ranks: list[float]) -> Scores:
    counts = np.array([[int(rank == 1), int(rank != 1), int(rank != 1)] for rank in ranks])
    return Scores(("a", "a", "b", "c", "d", "e"), counts, np.array(ranks))


def test_paper() -> None:
    """F1 of Table 3 is that of its precision and recall, but for rounding."""
    for precision, recall, f1 in TABLE_3.values():
        assert 2 * precision * recall / (precision + recall) == pytest.approx(f1, abs=0.011)


def test_significance() -> None:
    """The difference is over questions; a system that is no better has p = 1."""
    ours, tree = _scores([1, 1, 1, 1, 1, 1]), _scores([1, 0.5, 0.5, 0.5, 0.5, 0.5])

    def scores(name: str, _form: str, *, test: bool) -> Scores:
        return tree if name == "3" or test else ours

    page = significance(scores, 3, ["structured"])
    rows = [line for line in page.splitlines() if line.startswith(("| training", "| validation"))]
    assert len(rows) == 6
    assert "training (cross-validation), structured: mrr | +0.417" in rows[1]
    assert all("+0.000 | +0.000 to +0.000 | 1.0e+00 | 1.0e+00" in row for row in rows[3:])


def test_order_of_slots() -> None:
    """The conclusion comes first by the parts of a question."""
    ones = np.ones(len(NAMES))
    order = np.array([0.0, 0.0, -20.0, 20.0])
    found = order_of_slots(Weights((Step(ones, ones), Step(ones, -ones)), order, np.zeros(4)))
    assert "| a comparator | 1.00 |" in found
    assert "| both | 0.50 |" in found


def test_bootstrap_against_a_loop() -> None:
    """Samples of records, each with all its questions."""
    counts = np.array([[1, 0, 0], [0, 1, 2], [2, 1, 0], [0, 0, 1]])
    scores = Scores(("a", "a", "b", "c"), counts, np.array([1, 0.5, 1, 0]))
    rng = np.random.default_rng(3)
    drawn = rng.multinomial(3, [1 / 3] * 3, size=20)
    for measure in MEASURES:
        found = bootstrap(scores, measure, samples=20, seed=3)
        for times, value in zip(drawn, found, strict=True):
            rows = [0, 1] * times[0] + [2] * times[1] + [3] * times[2]
            sample = Scores(("x",) * len(rows), counts[rows], scores.ranks[rows])
            assert value == pytest.approx(sample.to_dict()[measure])
    low, high = interval(scores, "mrr")
    assert 0 <= low <= scores.to_dict()["mrr"] <= high <= 1


def test_f1_by_question() -> None:
    """Of an answer that was found, one of two, and none."""
    counts = np.array([[1, 0, 0], [1, 1, 1], [0, 1, 1]])
    scores = Scores(("1", "1", "2"), counts, np.array([1, 0.5, 0]))
    assert f1_by_question(scores) == pytest.approx([1, 0.5, 0])
