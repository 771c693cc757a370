"""The linear classifier (slots, their order, calibration), and the paper's tree."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import check_grad, minimize

from relsent_ir.answers.classifiers import (
    FEATURE_SETS,
    FEATURES,
    Example,
    Step,
    Tree,
    Weights,
    best_slots,
    best_threshold,
    logistic,
    train_tree,
    train_weights,
    z_scores,
    zone_features,
)
from relsent_ir.records import Sentence

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


def test_whole_questions_do_not_teach_the_order() -> None:
    """What they say of the slot is hidden."""
    examples = _examples()
    hidden = [replace(e, whole=True, concludes=True) for e in examples]
    assert train_weights([*examples, *hidden]).concludes(ASKED) < 0.01


def test_questions_without_an_answer_teach_the_calibration_alone() -> None:
    """Nothing there is an answer."""
    examples = _examples()
    empty = Example("x", np.ones((4, 2)), ASKED, np.zeros(4, dtype=bool))
    found, without = (train_weights(e, penalty=1.0) for e in ([*examples, empty], examples))
    assert found.slots[0].weights == pytest.approx(without.slots[0].weights)
    assert not np.allclose(found.calibration, without.calibration)


def test_without_calibration() -> None:
    """Probabilities are scores."""
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


def _zone(*texts: str) -> tuple[list[Sentence], np.ndarray]:
    """Give sentences, all in the zone, the last one a conclusion."""
    moves = ["RESULTS"] * (len(texts) - 1) + ["CONCLUSION"]
    pairs = enumerate(zip(texts, moves, strict=True), 1)
    tagged = [Sentence("1", n, text, move, 1.0) for n, (text, move) in pairs]
    return tagged, np.ones(len(texts), dtype=bool)


def test_zone_features_by_hand() -> None:
    """Cosines from 0 to 50, roles 0 and 1, standard scores of the title's column."""
    zone = _zone("Murinol helps.", "Weight fell.", "Murinol reduces weight.")
    found = zone_features("Does weight fall?", "Murinol reduces weight", *zone)
    to_title = [50 / math.sqrt(6), 50 / math.sqrt(6), 50]  # 1 of 3 and 2; 1 of 3 and 2; 3 of 3
    assert found[:, 0].tolist() == [round(x) for x in to_title]
    # does, weight, fall: weight is in the second (of 2 words) and in the third (of 3)
    assert found[:, 1].tolist() == [0, round(50 / math.sqrt(6)), round(50 / 3)]
    assert found[:, 3].tolist() == [0, 0, 1]
    # 20, 20, 50: mean 30, deviation sqrt(200); -0.707 and 1.414 rounded down to tenths
    assert np.allclose(found[:, 2], [-0.8, -0.8, 1.4])


def test_long_forms_and_short_forms_match() -> None:
    """A sentence with the abbreviation is as similar as one with the words."""
    zone = _zone("In murine waste disease (MWD) mice died.", "MWD was worse.", "It was bad.")
    found = zone_features("", "Murine waste disease", *zone)
    assert found[1, 0] > 0
    assert (found[:, 1] == 0).all()


def test_long_forms_that_are_defined_outside_the_zone() -> None:
    """METHODS say what MWD is; the title's three words are the result's first one."""
    tagged, zone = _zone("Murine waste disease (MWD) was bred.", "MWD was worse.", "It ended.")
    zone[0] = False
    found = zone_features("", "Murine waste disease", tagged, zone)
    assert found[:, 0].tolist() == [round(50 / math.sqrt(2)), 0]  # of mwd, worse


def test_without_a_title() -> None:
    """All similarities are 0, and so are the standard scores."""
    assert (zone_features("Why?", "", *_zone("Mice died.", "Mice lived."))[:, [0, 2]] == 0).all()
    assert zone_features("Why?", "Mice", [], np.zeros(0, dtype=bool)).shape == (0, len(FEATURES))


@settings(derandomize=True, deadline=None)
@given(st.lists(st.integers(0, 50), min_size=1, max_size=20))
def test_largest_step(values: list[int]) -> None:
    """Z is the largest step of a tenth for which the score is at least mean + Z deviations."""
    array = np.array(values, dtype=float)
    mean, deviation = array.mean(), array.std()
    for value, z in zip(array, z_scores(array), strict=True):
        if not deviation:
            assert z == 0
            continue
        assert mean + z * deviation <= value + 1e-6
        assert mean + (z + 0.1) * deviation > value - 1e-6


def test_six_sets() -> None:
    """They are numbered as in the paper."""
    assert [len(FEATURE_SETS[n]) for n in range(1, 7)] == [2, 2, 2, 2, 3, 3]
    assert all(name in FEATURES for names in FEATURE_SETS.values() for name in names)


BY_HAND = Tree(
    ("st-sim", "role-label"),
    np.array([0, -1, 1, -1, -1]),
    np.array([25.0, 0, 0.5, 0, 0]),
    np.array([1, -1, 3, -1, -1]),
    np.array([2, -1, 4, -1, -1]),
    np.array([0.3, 0.1, 0.6, 0.4, 0.9]),
)


def test_predict() -> None:
    """Left when the value is at most the threshold."""
    values = np.array([[25.0, 1], [26, 0], [26, 1]])
    assert BY_HAND.predict(values).tolist() == [0.1, 0.4, 0.9]
    assert BY_HAND.predict(np.zeros((0, 2))).shape == (0,)


def test_it_can_be_printed() -> None:
    """As rules, with the share of answers."""
    assert str(BY_HAND).splitlines() == [
        "st-sim <= 25",
        "|   no answer (0.10)",
        "st-sim > 25",
        "|   role-label <= 0.5",
        "|   |   no answer (0.40)",
        "|   role-label > 0.5",
        "|   |   answer (0.90)",
    ]


def test_what_depends_on_one_feature_is_found() -> None:
    """Noise is pruned away, and the split is where the answers begin."""
    rng = np.random.default_rng(0)
    values = rng.integers(0, 51, size=(600, 4)).astype(float)
    answers = values[:, 1] > 30
    answers ^= rng.random(600) < 0.1
    records = [str(n // 6) for n in range(600)]
    tree = train_tree(values, answers, records, 6)
    assert tree.features == ("Z-score", "sq-sim", "role-label")
    assert len(tree.split) < 20  # of some hundreds
    assert tree.split[0] == 1
    assert 30 <= tree.threshold[0] <= 31


def test_same_as_scikit_learn() -> None:
    """Our nodes give what scikit-learn's tree gives."""
    from sklearn.tree import DecisionTreeClassifier

    rng = np.random.default_rng(1)
    values = rng.random((200, 4))
    answers = values[:, 0] + values[:, 1] > 1
    records = [str(n) for n in range(200)]
    tree = train_tree(values, answers, records, 1)
    peer = DecisionTreeClassifier(criterion="entropy", min_samples_leaf=2, random_state=0)
    peer.fit(values[:, :2], answers)
    grown = tree.predict(values[:, :2])
    assert ((grown > 0.5) == answers).mean() > 0.9
    assert len(tree.split) <= peer.tree_.node_count


def test_tree_of_one_class() -> None:
    """Where nothing answers, or all does, the tree is one leaf."""
    values, records = np.zeros((4, 4)), ["1", "2", "3", "4"]
    assert train_tree(values, np.zeros(4, dtype=bool), records, 1).probability.tolist() == [0]
    assert train_tree(values, np.ones(4, dtype=bool), records, 1).probability.tolist() == [1]
