"""Measures of a tagger."""

from collections.abc import Sequence
from types import SimpleNamespace

import numpy as np
import pytest
from sklearn.metrics import f1_score

from relsent_ir.moves import MOVES, Abstract
from relsent_ir.moves.evaluation import evaluate


class Shifted:
    """A model that says PURPOSE once more than the label, and everything else one late."""

    def predict(self, title: str, sentences: Sequence[str]) -> list[tuple[str, float]]:
        """Take the move from the sentence before."""
        return [(move, 1.0) for move in ("PURPOSE", *(s for s in sentences[:-1]))]


def test_by_hand() -> None:
    """Four sentences, three of them right."""
    moves = ("PURPOSE", "PURPOSE", "METHODS", "METHODS")
    found = evaluate(Shifted(), [Abstract("1", "", moves, moves)]).to_dict()
    assert found["accuracy"] == 0.75
    assert found["confusion"]["METHODS"] == {
        "PURPOSE": 1,
        "METHODS": 1,
        "RESULTS": 0,
        "CONCLUSION": 0,
    }
    assert found["moves"]["PURPOSE"] == {
        "precision": pytest.approx(2 / 3),
        "recall": 1.0,
        "f1": pytest.approx(0.8),
        "support": 2,
    }
    assert found["moves"]["RESULTS"] == {"precision": 0, "recall": 0, "f1": 0, "support": 0}
    assert found["macro_f1"] == pytest.approx((0.8 + 2 / 3) / 4)
    assert (found["abstracts"], found["sentences"]) == (1, 4)


def test_macro_f1_is_scikit_learns() -> None:
    """On random moves."""
    rng = np.random.default_rng(1)
    gold, given = (list(rng.choice(MOVES, 200)) for _ in range(2))
    model = SimpleNamespace(predict=lambda _title, _sentences: [(move, 1.0) for move in given])
    scores = evaluate(model, [Abstract("1", "", ("",) * 200, tuple(gold))])
    assert scores.macro_f1 == pytest.approx(f1_score(gold, given, average="macro"))
    assert scores.confusion.sum() == 200
