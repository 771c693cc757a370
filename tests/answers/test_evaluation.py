"""Measures of answer models."""

import numpy as np
import pytest

from relsent_ir.answers.classifiers import Verdict
from relsent_ir.answers.evaluation import judge_all, score
from relsent_ir.answers.model import default_model as answer_model
from relsent_ir.answers.questions import Asked, Posed
from relsent_ir.records import Record, Sentence


def _posed(record: str, *evidence: str, texts: tuple[str, ...]) -> Posed:
    question = Asked("q", "Why?", Record(record), evidence)
    tagged = tuple(Sentence(str(record), n, t, "RESULTS", 1.0) for n, t in enumerate(texts, 1))
    return Posed(question, tagged)


def _judged(scores: list[float], answers: list[bool]) -> Verdict:
    values = np.array(scores)
    return Verdict(values, values, np.array(answers, dtype=bool))


TEXTS = ("mice ran far", "rats sat there", "cats ate well")


def test_measures_by_hand() -> None:
    """Counts, ranks and measures of three questions; what is right can be told otherwise."""
    posed = [
        _posed("1", "mice ran far", texts=TEXTS),
        _posed("1", "rats sat there", "cats ate well", texts=TEXTS),
        _posed("2", "nothing like it", texts=TEXTS),
    ]
    judged = [
        _judged([0.9, 0.2, 0.1], [True, False, False]),
        _judged([0.9, 0.2, 0.1], [True, True, False]),
        _judged([0.9, 0.2, 0.1], [True, False, False]),
    ]
    found = score(posed, judged)
    assert found.counts.tolist() == [[1, 0, 0], [1, 1, 1], [0, 1, 1]]
    assert found.ranks.tolist() == [1, 0.5, 0]
    values = found.to_dict()
    assert values == {
        "precision": pytest.approx(2 / 4),
        "recall": pytest.approx(2 / 4),
        "f1": pytest.approx(0.5),
        "mrr": pytest.approx(0.5),
        "success_at_1": pytest.approx(1 / 3),
        "questions": 3,
    }
    posed = [_posed("1", "mice ran far", texts=TEXTS)]
    judged = [_judged([0.9, 0.2, 0.1], [True, False, False])]
    found = score(posed, judged, lambda _: np.array([False, False, True]))
    assert found.counts.tolist() == [[0, 1, 1]]
    posed = [_posed("1", "rats sat there", texts=TEXTS)]
    assert score(posed, [_judged([0.5] * 3, [False] * 3)]).ranks.tolist() == [0.5]


def test_no_sentences() -> None:
    """A question to an empty abstract counts as missed."""
    posed = [_posed("1", "mice", texts=())]
    found = score(posed, judge_all(answer_model(), posed))
    assert found.counts.tolist() == [[0, 0, 1]]
    assert found.to_dict()["recall"] == found.to_dict()["mrr"] == 0
