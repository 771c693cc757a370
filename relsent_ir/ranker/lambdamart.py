"""LambdaMART by LightGBM: trees that are grown where the measure gains most.

LightGBM does not check models: of a hundred damaged texts 48 ended the process. So it gets only
texts that are written here, of numbers that were checked. Its format: `Tree::ToString` and
`GBDT::SaveModelToString` of LightGBM 4.

References
----------
Burges: From RankNet to LambdaRank to LambdaMART: an overview. Microsoft Research MSR-TR-2010-82.
Ke et al.: LightGBM: a highly efficient gradient boosting decision tree. NIPS 2017.
"""

import math
import re
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, Final

import numpy as np

from relsent_ir.errors import InputError, MissingError
from relsent_ir.ranker.judgements import JudgedTopic
from relsent_ir.typing import Floats, NDArray

ROUNDS: Final = (100, 150, 200)
"""Numbers of trees to choose from."""
DEPTH: Final = 400
"""Candidates of a topic that trees are learned from, the first ones."""
SETTINGS: Final = {
    "objective": "lambdarank",
    "learning_rate": 0.05,
    "num_leaves": 15,
    "min_data_in_leaf": 50,
    "lambda_l2": 5.0,
    "feature_fraction": 0.5,
    "bagging_fraction": 0.7,
    "bagging_freq": 1,
    "lambdarank_truncation_level": 100,
    "max_bin": 63,
    "verbose": -1,
    "num_threads": 1,
    "deterministic": True,
    "force_row_wise": True,
}


class LambdaMart:
    """Trees.

    Parameters
    ----------
    text : str
        As LightGBM writes them.
    """

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def _trees(self) -> tuple[Any, int]:
        """LightGBM's model, and the number of features."""
        try:
            text, features = rewritten(self.text)
        except ValueError as error:
            raise InputError(f"the trees are damaged: {error}", fix="train again") from error
        return _lightgbm().Booster(model_str=text), features

    def _predict(self, features: Floats, **how: Any) -> Floats:
        trees, size = self._trees
        if features.shape[1] != size:
            raise InputError("the trees are of other features", fix="train again")
        return np.asarray(trees.predict(features, num_threads=1, **how), dtype=np.float64)

    def scores(self, features: Floats, rounds: int | None = None) -> Floats:
        """Score candidates, by the first trees if a number is given; shape (n,)."""
        if not len(features):
            return np.zeros(0)
        return self._predict(features, num_iteration=rounds)

    def contributions(self, features: Floats) -> Floats:
        """Compute the part of each feature in the score, by SHAP values; shape (n, features)."""
        if not len(features):
            return np.zeros(features.shape)
        return self._predict(features, pred_contrib=True)[:, :-1]

    def gains(self) -> Floats:
        """Compute each feature's share of the gain in training; shape (features,)."""
        gains = np.asarray(self._trees[0].feature_importance("gain"), dtype=np.float64)
        return gains / max(float(gains.sum()), 1e-300)

    def to_array(self) -> NDArray[np.uint8]:
        """Return the text as bytes."""
        return np.frombuffer(self.text.encode(), dtype=np.uint8)

    @classmethod
    def from_array(cls, array: NDArray[np.uint8]) -> "LambdaMart":
        """Read the bytes of `to_array`."""
        return cls(np.asarray(array, dtype=np.uint8).tobytes().decode())


def learn(topics: Sequence[JudgedTopic], rounds: int, seed: int) -> LambdaMart:
    """Grow trees on topics, at least one of them usable.

    Raises
    ------
    MissingError
        If LightGBM is not installed.
    """
    lightgbm = _lightgbm()
    usable = [topic for topic in topics if topic.usable]
    data = lightgbm.Dataset(
        np.concatenate([topic.features[:DEPTH] for topic in usable]),
        np.concatenate([np.clip(topic.grades[:DEPTH], 0, 30) for topic in usable]),
        group=[len(topic.grades[:DEPTH]) for topic in usable],
        params={"max_bin": SETTINGS["max_bin"], "verbose": -1},
    )
    booster = lightgbm.train({**SETTINGS, "seed": seed}, data, rounds)
    return LambdaMart(booster.model_to_string())


def _lightgbm() -> Any:
    try:
        import lightgbm
    except ImportError as error:
        raise MissingError(
            "LightGBM is not installed", fix="pip install 'relsent-ir[rank]'"
        ) from error
    return lightgbm


MOST_TREES: Final = 2000
MOST_LEAVES: Final = 1000
"""Of a tree; SHAP values take memory for the square of its depth."""
MOST_FEATURES: Final = 100_000
LARGEST: Final = 1e30
"""Of a number's amount: sums of such numbers are finite."""

_WHOLE: Final = re.compile(r"-?[0-9]{1,9}")
_NUMBER: Final = re.compile(r"-?[0-9]{1,25}(\.[0-9]{1,25})?(e[-+]?[0-9]{1,3})?")
_DECISIONS: Final = frozenset((0, 2, 4, 6, 8, 10))  # of numbers; odd ones are of categories
_AT_SPLITS: Final = ("split_gain", "threshold", "internal_value", "internal_weight")
_WHOLE_AT_SPLITS: Final = (
    "split_feature", "decision_type", "left_child", "right_child", "internal_count",
)  # fmt: skip
_AT_LEAVES: Final = ("leaf_value", "leaf_weight")

Fields = Mapping[str, list[str]]


def rewritten(text: str) -> tuple[str, int]:
    """Check trees, and write them again.

    Parameters
    ----------
    text : str
        As LightGBM writes a ranker of numeric features; the lines after the trees are left out.

    Returns
    -------
    text : str
        The same trees.
    features : int

    Raises
    ------
    ValueError
        If the text is anything else.
    """
    head, *blocks = text.partition("\nend of trees")[0].split("\nTree=")
    last = re.search(r"^max_feature_idx=([0-9]{1,6})$", head, re.MULTILINE)
    if last is None or not 0 < len(blocks) <= MOST_TREES or int(last[1]) >= MOST_FEATURES:
        raise ValueError("no head, or too many trees or features")
    features = int(last[1]) + 1
    trees = []
    for number, block in enumerate(blocks):
        own, _, lines = block.partition("\n")
        if own != str(number):
            raise ValueError("the trees are not in their order")
        parts = (line.partition("=") for line in lines.split("\n") if line)
        fields = {name: value.split() for name, _, value in parts}
        trees.append(f"Tree={number}\n{_tree(fields, features)}\n\n")
    names = " ".join(f"Column_{number}" for number in range(features))
    return (
        "tree\nversion=v4\nnum_class=1\nnum_tree_per_iteration=1\nlabel_index=0\n"
        f"max_feature_idx={features - 1}\nobjective=lambdarank\nfeature_names={names}\n"
        f"feature_infos={' '.join(['[0:1]'] * features)}\n"
        f"tree_sizes={' '.join(str(len(tree)) for tree in trees)}\n\n"
        f"{''.join(trees)}end of trees\n"
    ), features


def _tree(fields: Fields, features: int) -> str:
    """Write a tree again."""
    (leaves,) = _whole(fields, "num_leaves", 1)
    if not 1 <= leaves <= MOST_LEAVES:
        raise ValueError("no tree, or too large")
    if fields.get("num_cat", ["0"]) != ["0"] or fields.get("is_linear", ["0"]) != ["0"]:
        raise ValueError("trees of another kind")
    splits = leaves - 1
    written: dict[str, Sequence[object]] = {"num_leaves": [leaves], "num_cat": [0]}
    if not splits:
        written["leaf_value"] = _numbers(fields, "leaf_value", 1)
    else:
        whole = {name: _whole(fields, name, splits) for name in _WHOLE_AT_SPLITS}
        whole["leaf_count"] = _whole(fields, "leaf_count", leaves)
        _check(whole, features)
        written |= whole
        written |= {name: _numbers(fields, name, splits) for name in _AT_SPLITS}
        written |= {name: _numbers(fields, name, leaves) for name in _AT_LEAVES}
    written |= {"is_linear": [0], "shrinkage": _numbers(fields, "shrinkage", 1)}
    return "".join(f"{name}={' '.join(map(str, of))}\n" for name, of in written.items())


def _check(whole: Mapping[str, list[int]], features: int) -> None:
    """Check that splits and leaves make one tree, whose counts of records add up.

    A child that is no leaf comes after its parent, as LightGBM grows them; leaf i is ~i.
    """
    left, right = whole["left_child"], whole["right_child"]
    inner, outer = whole["internal_count"], whole["leaf_count"]
    if not all(0 <= child < features for child in whole["split_feature"]):
        raise ValueError("a split of a feature that there is not")
    if not _DECISIONS.issuperset(whole["decision_type"]):
        raise ValueError("a split of another kind")
    if sorted((*left, *right)) != [*range(-len(outer), 0), *range(1, len(inner))]:
        raise ValueError("a split or a leaf in two places, or in none")
    for number, (child, second) in enumerate(zip(left, right, strict=True)):
        if 0 <= child <= number or 0 <= second <= number:
            raise ValueError("a split above itself")
        below = [outer[~child] if child < 0 else inner[child] for child in (child, second)]
        if min(below) < 1 or sum(below) != inner[number]:
            raise ValueError("records that are made or lost")


def _whole(fields: Fields, name: str, size: int) -> list[int]:
    values = fields.get(name, [])
    if len(values) != size or not all(_WHOLE.fullmatch(value) for value in values):
        raise ValueError(f"{name} is not {size} whole numbers")
    return [int(value) for value in values]


def _numbers(fields: Fields, name: str, size: int) -> list[str]:
    """Read numbers as they are written, to the last digit."""
    values = fields.get(name, [])
    if len(values) != size or not all(_NUMBER.fullmatch(value) for value in values):
        raise ValueError(f"{name} is not {size} numbers")
    if not all(math.fabs(float(value)) <= LARGEST for value in values):
        raise ValueError(f"{name} is too large")
    return values
