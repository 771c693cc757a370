"""Learning the linear classifier."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import check_grad, minimize

from recipes.answers.weights import Example, best_threshold, logistic, train_weights

ASKED = np.array([0.0])


def _examples(n: int = 60) -> list[Example]:
    """Four sentences each; the first feature tells the answer, the second is noise."""
    rng = np.random.default_rng(0)
    found = []
    for i in range(n):
        features = rng.normal(size=(4, 2))
        answers = np.zeros(4, dtype=bool)
        answers[features[:, 0].argmax()] = True
        found.append(Example(str(i // 2), features, ASKED, answers))
    return found


def test_what_tells_the_answer_is_found() -> None:
    """The weight of the feature that tells is large, of the other small; few are missed."""
    examples = _examples()
    weights = train_weights(examples, penalty=1.0)
    slot = weights.slots[0]
    assert slot.weights[0] > 5 * abs(slot.weights[1])
    found = [weights.answers(weights.scores(e.features, e.question), e.question) for e in examples]
    right = [(f >= 0.5) == e.answers for f, e in zip(found, examples, strict=True)]
    assert np.mean(right) > 0.9


def test_a_slot_is_the_minimum() -> None:
    """An optimiser without our gradient finds no better weights, with several answers too."""
    examples = [
        replace(e, answers=e.answers | (np.arange(4) == i % 4)) for i, e in enumerate(_examples(20))
    ]
    slot = train_weights(examples, penalty=2.0).slots[0]

    def cost(w: np.ndarray) -> float:
        total = 1.0 * float(w @ w)
        for example in examples:
            sums = example.features / slot.deviation @ w
            share = np.exp(sums) / np.exp(sums).sum()
            total -= np.log(share[example.answers].sum())
        return total

    peer = minimize(cost, np.zeros(2), method="Nelder-Mead", options={"xatol": 1e-8})
    assert cost(slot.weights) == pytest.approx(peer.fun, abs=1e-4)
    assert check_grad(cost, lambda _: np.zeros(2), slot.weights) < 1e-2


def test_each_slot_learns_from_its_questions() -> None:
    """The second feature tells conclusions; what the question says tells which is wanted."""
    findings = _examples()
    turned = [
        replace(e, features=e.features[:, ::-1], question=ASKED + 1, concludes=True, record=f"c{n}")
        for n, e in enumerate(findings[:10])
    ]
    weights = train_weights([*findings, *turned], penalty=1.0)
    finding, conclusion = (slot.weights for slot in weights.slots)
    assert finding[0] > 5 * abs(finding[1])
    assert conclusion[1] > 2 * abs(conclusion[0])
    assert weights.concludes(ASKED) < 0.5 < weights.concludes(ASKED + 1)
    alone = train_weights(findings, penalty=1.0)
    assert alone.slots[0].weights == pytest.approx(finding)
    assert alone.concludes(ASKED) < 0.01


def test_a_question_teaches_the_slot_that_it_wants() -> None:
    """One that wants the finding teaches it with evidence in the CONCLUSION too."""
    findings = _examples()
    strays = [
        replace(
            e, features=e.features * [0.0, 1.0], answers=e.features[:, 1] == e.features[:, 1].max()
        )
        for e in _examples(20)
    ]
    general = [replace(e, question=ASKED + 1, concludes=True) for e in findings[:30]]
    told = [replace(e, concludes=True) for e in strays]
    weights = train_weights([*findings, *told, *general], penalty=1.0)
    as_finding = train_weights([*findings, *strays, *general], penalty=1.0)
    assert not weights.slot(ASKED)
    assert weights.slots[0].weights == pytest.approx(as_finding.slots[0].weights)
    assert weights.slots[1].weights == pytest.approx(as_finding.slots[1].weights)


def test_what_the_finding_is_not_shown_has_no_weight() -> None:
    """The conclusion sees it; the finding is as without the column."""
    findings = _examples()
    general = [replace(e, question=ASKED + 1, concludes=True) for e in findings]
    finding, conclusion = train_weights([*findings, *general], penalty=1.0, unseen=[1]).slots
    assert finding.weights[1] == 0.0
    assert finding.deviation[1] == 1.0
    alone = train_weights([replace(e, features=e.features[:, :1]) for e in findings], penalty=1.0)
    assert finding.weights[:1] == pytest.approx(alone.slots[0].weights, abs=1e-4)
    assert conclusion.weights[1] != 0.0


def test_what_teaches_what() -> None:
    """Whole questions do not teach the order; those without an answer teach calibration alone."""
    examples = _examples()
    hidden = [replace(e, whole=True, concludes=True) for e in examples]
    assert train_weights([*examples, *hidden]).concludes(ASKED) < 0.01
    examples = _examples()
    empty = Example("x", np.ones((4, 2)), ASKED, np.zeros(4, dtype=bool))
    found, without = (train_weights(e, penalty=1.0) for e in ([*examples, empty], examples))
    assert found.slots[0].weights == pytest.approx(without.slots[0].weights)
    assert not np.allclose(found.calibration, without.calibration)
    examples = _examples()
    weights = train_weights(examples, calibrated=False)
    scores = weights.scores(examples[0].features, ASKED)
    assert weights.answers(scores, ASKED) == pytest.approx(scores, abs=1e-4)


def test_one_record_can_be_learned_from() -> None:
    """Too few records for folds still give a model."""
    weights = train_weights(_examples(2), penalty=1.0)
    assert np.isfinite(weights.slots[0].weights).all()


def test_the_threshold_has_the_best_f1() -> None:
    """Of the values .9, .6, .4, .2, the first and the third are right.

    F1 from .8 on 2/3, from .3 on 4/5, from .1 on 2/3; of equals, the middle step.
    """
    values, right = np.array([0.9, 0.6, 0.4, 0.2]), np.array([True, False, True, False])
    assert best_threshold(values, right, [0.1, 0.25, 0.3, 0.8]) == 0.25
    assert best_threshold(values, right, [0.1, 0.25, 0.3, 0.35, 0.8]) == 0.3
    assert best_threshold(values, ~right, [0.1, 0.5, 0.95]) == 0.1


def test_one_class() -> None:
    """A regression whose outcomes are all the same is certain."""
    x = np.ones((3, 2))
    assert logistic(x, np.ones(3, dtype=bool)).tolist() == [0, 0, 20]
    assert logistic(x, np.zeros(3, dtype=bool)).tolist() == [0, 0, -20]
