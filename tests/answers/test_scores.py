"""Measures of answers."""

from dataclasses import replace

import numpy as np
import pytest

from relsent_ir.answers.linear import Verdict
from relsent_ir.answers.model import default_model
from relsent_ir.answers.questions import Question
from relsent_ir.answers.scores import DirectionScores, directions, evaluate, report, score
from relsent_ir.answers.training import Posed
from relsent_ir.records import Record, Sentence


def _posed(record: str, *evidence: str, texts: tuple[str, ...]) -> Posed:
    question = Question("q", "Why?", Record(record), evidence)
    tagged = tuple(Sentence(str(record), n, t, "RESULTS", 1.0) for n, t in enumerate(texts, 1))
    return Posed(question, tagged)


def _judged(scores: list[float], answers: list[bool]) -> Verdict:
    values = np.array(scores)
    return Verdict(values, values, np.array(answers, dtype=bool))


TEXTS = ("mice ran far", "rats sat there", "cats ate well")


def test_by_hand() -> None:
    """Counts, ranks and measures of three questions, one of them without an answer."""
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


def test_another_gold() -> None:
    """What is right can be told otherwise."""
    posed = [_posed("1", "mice ran far", texts=TEXTS)]
    judged = [_judged([0.9, 0.2, 0.1], [True, False, False])]
    found = score(posed, judged, lambda _: np.array([False, False, True]))
    assert found.counts.tolist() == [[0, 1, 1]]


def test_directions_by_hand() -> None:
    """Accuracy 3 of 5; F1 of 4/5, 2/4 and 0/1; of four that were sure three are right."""
    confusion = np.array([[2, 1, 0], [0, 1, 1], [0, 0, 0]])
    values = DirectionScores(confusion, 4, 3).to_dict()
    assert values["accuracy"] == pytest.approx(3 / 5)
    assert values["macro_f1"] == pytest.approx((4 / 5 + 2 / 4 + 0) / 3)
    assert values["questions"] == 5
    assert values["sure"] == {"coverage": pytest.approx(4 / 5), "accuracy": pytest.approx(3 / 4)}
    empty = DirectionScores(np.zeros((3, 3), dtype=np.int64)).to_dict()
    assert empty["accuracy"] == empty["macro_f1"] == 0


def test_other_labels_are_counted_and_left_out() -> None:
    """As are questions without a label, or without a sentence."""
    texts = ("Weight did not differ between murinol and placebo (P = 0.7).",)
    asked = "Compared with placebo, what is the effect of murinol on weight?"
    posed = []
    for label in ("no significant difference", "perhaps", ""):
        p = _posed("1", *texts, texts=texts)
        posed.append(replace(p, question=replace(p.question, text=asked, label=label)))
    posed.append(replace(posed[0], tagged=()))
    judged = [_judged([1.0], [True])] * 3 + [_judged([], [])]
    judged = [replace(j, slots={"finding": 0} if len(j.scores) else {}) for j in judged]
    found, others = directions(default_model(), posed, judged)
    assert found.confusion.tolist() == [[0, 0, 0], [0, 1, 0], [0, 0, 0]]
    assert others == 1
    values = report(default_model(), posed)
    assert list(values)[:4] == ["success_at_1", "span_f1", "mrr", "direction"]
    assert (values["direction"]["questions"], values["other_labels"]) == (1, 1)


def test_no_sentences() -> None:
    """A question to an empty abstract counts as missed."""
    found = evaluate(default_model(), [_posed("1", "mice", texts=())])
    assert found.counts.tolist() == [[0, 0, 1]]
    assert found.to_dict()["recall"] == found.to_dict()["mrr"] == 0


def test_ties_go_by_id() -> None:
    """Of equal scores the smaller id comes first, as in a run that is written."""
    posed = [_posed("1", "rats sat there", texts=TEXTS)]
    assert score(posed, [_judged([0.5] * 3, [False] * 3)]).ranks.tolist() == [0.5]
