"""The linear classifier: slots, their order, calibration."""

import numpy as np
import pytest

from relsent_ir.answers.classifiers import Step, Weights, best_slots

ASKED = np.array([0.0])


R, C = "RESULTS", "CONCLUSION"


def test_slots() -> None:
    """The largest share of the move; void and unnaming sentences give way, if there are others."""
    shares = np.array([[0.6, 0.3, 0.1, 0.0], [0.1, 0.1, 0.3, 0.5]])
    moves = (R, R, C, C)

    def slots(naming: tuple[list[float], ...], void: set[int]) -> dict[str, int]:
        arrays = [np.array(share) for share in naming]
        return best_slots(shares, 0, moves, (arrays[:1], arrays), void.__contains__)

    assert best_slots(shares, 1, moves) == {"conclusion": 3, "finding": 0}
    assert slots((), {0, 3}) == {"finding": 1, "conclusion": 2}
    assert slots((), {0, 1, 2, 3}) == {"finding": 0, "conclusion": 3}
    assert slots(([0, 0.6, 0.6, 0],), set()) == {"finding": 1, "conclusion": 2}
    assert slots(([0, 0.5, 0.6, 0.1],), set()) == {"finding": 0, "conclusion": 3}
    assert slots(([0, 0.6, 0.6, 0],), {1, 2}) == {"finding": 0, "conclusion": 3}
    assert slots(([0, 0, 1, 1], [0, 0, 1, 0]), set()) == {"finding": 0, "conclusion": 2}
    assert slots(([0, 0, 1, 0], [0, 0, 0, 0]), set()) == {"finding": 0, "conclusion": 2}
    assert best_slots(shares[:, :2], 0, (R, "METHODS")) == {"finding": 0}


def test_by_hand() -> None:
    """The softmax of each slot's sums, that of the slot that is wanted; the logistic of both."""
    steps = Step(np.array([2.0]), np.array([3.0])), Step(np.array([1.0]), np.array([0.0]))
    weights = Weights(steps, np.array([np.log(3), 0.0]), np.array([1.0, 0.0, 0.0, -0.5]))
    features = np.array([[1.0], [3.0]])
    low = 1 / (1 + np.exp(3))
    assert weights.shares(features)[0] == pytest.approx([low, 1 - low])
    assert weights.shares(features)[1] == pytest.approx([0.5, 0.5])
    assert weights.concludes(np.array([1.0])) == pytest.approx(0.75)
    assert weights.slot(np.array([1.0])) == 1
    assert weights.scores(features, np.array([1.0])) == pytest.approx([0.5, 0.5])
    assert weights.slot(np.array([-1.0])) == 0
    scores = weights.scores(features, np.array([-1.0]))
    assert scores == pytest.approx([low, 1 - low])
    odds = scores / (1 - scores)
    expected = 1 / (1 + np.exp(0.5) / odds)
    assert weights.answers(scores, np.array([-1.0])) == pytest.approx(expected)
    assert weights.scores(np.zeros((0, 1)), ASKED).shape == (0,)
    assert weights.answers(np.zeros(0), ASKED).shape == (0,)
