"""The paper's tree and its features."""

import math

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from relsent_ir.records import Sentence
from reproduce.alamri_stevenson_2015.trees import (
    FEATURE_SETS,
    FEATURES,
    Tree,
    train_tree,
    z_scores,
    zone_features,
)


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


def test_long_forms() -> None:
    """A sentence with the abbreviation is as similar, wherever it is defined; no title is 0."""
    zone = _zone("In murine waste disease (MWD) mice died.", "MWD was worse.", "It was bad.")
    found = zone_features("", "Murine waste disease", *zone)
    assert found[1, 0] > 0
    assert (found[:, 1] == 0).all()
    tagged, zone = _zone("Murine waste disease (MWD) was bred.", "MWD was worse.", "It ended.")
    zone[0] = False
    found = zone_features("", "Murine waste disease", tagged, zone)
    assert found[:, 0].tolist() == [round(50 / math.sqrt(2)), 0]  # of mwd, worse
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


def test_predict_and_print() -> None:
    """Left when the value is at most the threshold; printed as rules with shares."""
    values = np.array([[25.0, 1], [26, 0], [26, 1]])
    assert BY_HAND.predict(values).tolist() == [0.1, 0.4, 0.9]
    assert BY_HAND.predict(np.zeros((0, 2))).shape == (0,)
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
