"""LambdaMART by LightGBM: trees that are grown where the measure gains most.

References
----------
Burges: From RankNet to LambdaRank to LambdaMART: an overview. Microsoft Research MSR-TR-2010-82.
Ke et al.: LightGBM: a highly efficient gradient boosting decision tree. NIPS 2017.
"""

from collections.abc import Sequence
from functools import cached_property
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from relsent_ir.errors import InputError, MissingError
from relsent_ir.ranker.pairs import Judged
from relsent_ir.ranker.trees import rewritten
from relsent_ir.typing import Floats

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
        """What scores, and the number of features."""
        try:
            text, features = rewritten(self.text)
        except ValueError as error:
            raise InputError(f"the trees are damaged: {error}", fix="train again") from error
        return _lightgbm().Booster(model_str=text), features

    def _predict(self, features: Floats, **how: Any) -> Floats:
        trees, known = self._trees
        if features.shape[1] != known:
            raise InputError("the trees are of other features", fix="train again")
        return np.asarray(trees.predict(features, num_threads=1, **how), dtype=np.float64)

    def scores(self, features: Floats, rounds: int | None = None) -> Floats:
        """Score candidates, by the first trees if a number is given; shape (n,)."""
        if not len(features):
            return np.zeros(0)
        return self._predict(features, num_iteration=rounds)

    def contributions(self, features: Floats) -> Floats:
        """What each feature adds to the score, by SHAP values; shape (n, features)."""
        if not len(features):
            return np.zeros(features.shape)
        return self._predict(features, pred_contrib=True)[:, :-1]

    def gains(self) -> Floats:
        """How much each feature has gained in training, as a share; shape (features,)."""
        found = np.asarray(self._trees[0].feature_importance("gain"), dtype=np.float64)
        return found / max(float(found.sum()), 1e-300)

    def to_array(self) -> NDArray[np.uint8]:
        """Give the text as bytes."""
        return np.frombuffer(self.text.encode(), dtype=np.uint8)

    @classmethod
    def from_array(cls, array: NDArray[np.uint8]) -> "LambdaMart":
        """Read what `to_array` gave."""
        return cls(np.asarray(array, dtype=np.uint8).tobytes().decode())


def learn(topics: Sequence[Judged], rounds: int, seed: int) -> LambdaMart:
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
    found = lightgbm.train({**SETTINGS, "seed": seed}, data, rounds)
    return LambdaMart(found.model_to_string())


def _lightgbm() -> Any:
    try:
        import lightgbm
    except ImportError as error:
        raise MissingError(
            "LightGBM is not installed", fix="pip install 'relsent-ir[rank]'"
        ) from error
    return lightgbm
