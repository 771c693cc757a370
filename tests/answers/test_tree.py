"""The decision tree."""

import numpy as np

from relsent_ir.answers.tree import Tree, train_tree

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


def test_one_class() -> None:
    """Where nothing answers, or all does, the tree is one leaf."""
    values, records = np.zeros((4, 4)), ["1", "2", "3", "4"]
    assert train_tree(values, np.zeros(4, dtype=bool), records, 1).probability.tolist() == [0]
    assert train_tree(values, np.ones(4, dtype=bool), records, 1).probability.tolist() == [1]
