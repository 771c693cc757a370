"""Trees of strangers: LightGBM, which a damaged text ends, is given none."""

import random
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from relsent_ir.errors import InputError
from relsent_ir.ranker.lambdamart import LambdaMart, rewritten

lightgbm = pytest.importorskip("lightgbm")
FEATURES = 4
TREE = """Tree=0
num_leaves=3
num_cat=0
split_feature=0 2
split_gain=3.5 0.25
threshold=0.5 -1.25
decision_type=2 2
left_child=-1 -2
right_child=1 -3
leaf_value=-0.5 0.25 1
leaf_weight=2.5 0.25 3
leaf_count=5 2 3
internal_value=0 0.5
internal_weight=6 3
internal_count=10 5
is_linear=0
shrinkage=0.1
"""
HEAD = "tree\nmax_feature_idx=3\n\n"


@pytest.fixture(scope="module")
def text() -> str:
    """As LightGBM writes some trees."""
    chance = np.random.default_rng(0)
    x = chance.normal(size=(200, FEATURES))
    y = (x[:, 0] + chance.normal(size=200) > 0.7).astype(int)
    data = lightgbm.Dataset(x, y, group=[50] * 4, params={"verbose": -1})
    settings = {"objective": "lambdarank", "num_leaves": 6, "min_data_in_leaf": 9, "verbose": -1}
    return str(lightgbm.train({**settings, "num_threads": 1}, data, 4).model_to_string())


def test_the_same_trees(text: str) -> None:
    """Scores, SHAP values and gains are those of LightGBM's own reader, to the last bit."""
    theirs, ours = lightgbm.Booster(model_str=text), LambdaMart(text)
    x = np.random.default_rng(1).normal(size=(100, FEATURES))
    x[5, 2] = 0.0
    assert (ours.scores(x) == theirs.predict(x)).all()
    assert (ours.scores(x, 2) == theirs.predict(x, num_iteration=2)).all()
    assert (ours.contributions(x) == theirs.predict(x, pred_contrib=True)[:, :-1]).all()
    gains = theirs.feature_importance("gain")
    assert ours.gains() == pytest.approx(gains / gains.sum())
    assert rewritten(rewritten(text)[0]) == rewritten(text)


def test_by_hand() -> None:
    """Leaves are where splits lead; a tree may be a single leaf."""
    leaf = "\nTree=1\nnum_leaves=1\nnum_cat=0\nleaf_value=0.125\nis_linear=0\nshrinkage=1\n"
    x = np.array([[0.4, 0, 0, 0], [0.6, 0, -2, 0], [0.6, 0, 0, 0]])
    assert LambdaMart(HEAD + TREE + leaf).scores(x).tolist() == [-0.375, 0.375, 1.125]


@pytest.mark.parametrize(
    ("whole", "other"),
    [
        ("Tree=0", "Tree=1"),
        ("num_leaves=3", "num_leaves=4"),
        ("num_leaves=3", "num_leaves=0"),
        ("num_leaves=3", "num_leaves=1001"),
        ("num_cat=0", "num_cat=1"),
        ("is_linear=0", "is_linear=1"),
        ("split_feature=0 2", "split_feature=0 4"),
        ("split_feature=0 2", "split_feature=0 -1"),
        ("split_feature=0 2", "split_feature=0"),
        ("decision_type=2 2", "decision_type=2 1"),
        ("left_child=-1 -2", "left_child=0 -2"),
        ("left_child=-1 -2", "left_child=-1 -1"),
        ("left_child=-1 -2\nright_child=1 -3", "left_child=-1 1\nright_child=-2 -3"),
        ("leaf_count=5 2 3", "leaf_count=5 0 5"),
        ("internal_count=10 5", "internal_count=11 5"),
        ("threshold=0.5 -1.25", "threshold=0.5 nan"),
        ("threshold=0.5 -1.25", "threshold=0.5 1e31"),
        ("leaf_value=-0.5 0.25 1", "leaf_value=-0.5 0.25 1_0"),
        ("shrinkage=0.1", ""),
        ("max_feature_idx=3", "max_feature_idx=-1"),
        ("max_feature_idx=3", "max_feature_idx=100000"),
    ],
)
def test_refused(whole: str, other: str) -> None:
    """Each damage is seen before LightGBM is called."""
    assert whole in HEAD + TREE
    with pytest.raises(InputError, match="the trees are damaged"):
        LambdaMart((HEAD + TREE).replace(whole, other)).scores(np.zeros((1, FEATURES)))


def test_of_other_features() -> None:
    """Trees of four features do not score candidates of three."""
    with pytest.raises(InputError, match="of other features"):
        LambdaMart(HEAD + TREE).scores(np.zeros((1, 3)))


DAMAGED = """
import random, re, sys
import numpy as np
from relsent_ir.errors import InputError
from relsent_ir.ranker.lambdamart import LambdaMart
from tests.ranker.test_lambdamart import FEATURES, damaged

text = open(sys.argv[1]).read()
x = np.random.default_rng(0).normal(size=(20, FEATURES))
outcomes = []
for number in range(120):
    trees = LambdaMart(damaged(text, random.Random(number)))
    try:
        found = [trees.scores(x), trees.contributions(x), trees.gains()]
    except InputError:
        outcomes.append("refused")
    else:
        assert all(np.isfinite(one).all() for one in found), number
        outcomes.append("read")
print(*sorted(set(outcomes)))
"""


def damaged(text: str, chance: random.Random) -> str:
    """Change numbers, lines and characters of a text."""
    for _ in range(chance.choice((1, 1, 3))):
        place = chance.randrange(len(text))
        kind = chance.randrange(4)
        if kind == 0:
            text = text[:place] + chance.choice(" \n=-x9.e") + text[place + 1 :]
        elif kind == 1:
            text = text[:place] + text[place + chance.randrange(40) :]
        elif kind == 2:
            lines = text.split("\n")
            del lines[chance.randrange(len(lines))]
            text = "\n".join(lines)
        else:
            words = text.split(" ")
            words[chance.randrange(len(words))] = chance.choice(
                ("-1", "0", "99999", "nan", "1e308")
            )
            text = " ".join(words)
    return text


def test_damaged_texts(text: str, tmp_path: Path) -> None:
    """Each is read or refused, in a process of its own: before, half of them ended it."""
    (tmp_path / "trees").write_text(text)
    command = [sys.executable, "-c", DAMAGED, str(tmp_path / "trees")]
    root = Path(__file__).parents[2]
    ran = subprocess.run(command, capture_output=True, text=True, check=False, cwd=root)
    assert ran.returncode == 0, ran.stderr[-500:]
    assert ran.stdout == "read refused\n"
