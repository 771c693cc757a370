"""LightGBM's trees as text that a stranger may have written: looked at, and written again.

LightGBM believes what it reads: of a hundred damaged texts 48 ended the process. So it is given
only what is written here, of numbers that were checked. Its format: `Tree::ToString` and
`GBDT::SaveModelToString` of LightGBM 4.
"""

import math
import re
from collections.abc import Mapping, Sequence
from typing import Final

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
        As LightGBM writes a ranker of numeric features; what comes after the trees is left out.

    Returns
    -------
    text : str
        The same trees.
    features : int

    Raises
    ------
    ValueError
        If it is anything else.
    """
    head, *blocks = text.partition("\nend of trees")[0].split("\nTree=")
    found = re.search(r"^max_feature_idx=([0-9]{1,6})$", head, re.MULTILINE)
    if found is None or not 0 < len(blocks) <= MOST_TREES or int(found[1]) >= MOST_FEATURES:
        raise ValueError("no head, or too many trees or features")
    features = int(found[1]) + 1
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
    """See that splits and leaves make one tree, and that records are neither made nor lost in it.

    A child that is no leaf comes after its parent, as LightGBM grows them; leaf i is ~i.
    """
    left, right = whole["left_child"], whole["right_child"]
    inner, outer = whole["internal_count"], whole["leaf_count"]
    if not all(0 <= one < features for one in whole["split_feature"]):
        raise ValueError("a split of a feature that there is not")
    if not _DECISIONS.issuperset(whole["decision_type"]):
        raise ValueError("a split of another kind")
    if sorted((*left, *right)) != [*range(-len(outer), 0), *range(1, len(inner))]:
        raise ValueError("a split or a leaf in two places, or in none")
    for number, (one, other) in enumerate(zip(left, right, strict=True)):
        if 0 <= one <= number or 0 <= other <= number:
            raise ValueError("a split above itself")
        below = [outer[~child] if child < 0 else inner[child] for child in (one, other)]
        if min(below) < 1 or sum(below) != inner[number]:
            raise ValueError("records that are made or lost")


def _whole(fields: Fields, name: str, size: int) -> list[int]:
    found = fields.get(name, [])
    if len(found) != size or not all(_WHOLE.fullmatch(one) for one in found):
        raise ValueError(f"{name} is not {size} whole numbers")
    return [int(one) for one in found]


def _numbers(fields: Fields, name: str, size: int) -> list[str]:
    """Give numbers as they are written, to the last digit."""
    found = fields.get(name, [])
    if len(found) != size or not all(_NUMBER.fullmatch(one) for one in found):
        raise ValueError(f"{name} is not {size} numbers")
    if not all(math.fabs(float(one)) <= LARGEST for one in found):
        raise ValueError(f"{name} is too large")
    return found
