"""A learned ranker, with weights for each set of groups of features that may be missing."""

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from itertools import combinations
from typing import TYPE_CHECKING, Any, ClassVar, Final

import numpy as np

from relsent_ir import models
from relsent_ir.models import Stored, check_columns
from relsent_ir.ranker import exact
from relsent_ir.ranker.columns import TOLERANCE, columns
from relsent_ir.ranker.exact import STRENGTH
from relsent_ir.ranker.features import names_of, optional
from relsent_ir.ranker.lambdamart import LambdaMart
from relsent_ir.ranker.linear import Linear
from relsent_ir.typing import Floats, NDArray

if TYPE_CHECKING:
    from relsent_ir.related import TrainedModel

Learned = Linear | LambdaMart
Missing = frozenset[str]

LEARNERS: Final = ("linear", "lambdamart")
_TREES: Final = "trees"
_RELATED: Final = "related_"
_EXACT: Final = "exact"
_STRENGTH: Final = "exact_strength"
_OF_FOLDERS: Final = ("format", "kind", "version", "arrays", "checksums")
_OWN: Final = ("learner", "groups", "missing", "columns", "related", _STRENGTH)


@dataclass(frozen=True, eq=False)
class RankerModel:
    """Weights or trees, by the groups that are missing.

    Attributes
    ----------
    groups : tuple of str
        The groups that it was learned with, in the order of the features.
    learner : {"linear", "lambdamart"}
    learned : dict of frozenset of str to Linear or LambdaMart
        By the missing groups; the empty set has all. Features are always all; those of missing
        groups weigh nothing.
    facts : dict of str to Any
        The data and settings that made it.
    related : TrainedModel or None
        The model of related sentences that features are of; the folder holds it.
    exact : dict of frozenset of str to ndarray of float64, shape (features,)
        Weights of the part for exact questions (`relsent_ir.ranker.exact`), by the missing groups;
        without any, that part is not there.
    exact_strength : float
        How much that part counts.
    """

    family: ClassVar[str] = "ranker"

    groups: tuple[str, ...]
    learner: str
    learned: Mapping[Missing, Learned]
    facts: dict[str, Any] = field(default_factory=dict)
    related: "TrainedModel | None" = None
    exact: Mapping[Missing, Floats] = field(default_factory=dict)
    exact_strength: float = STRENGTH

    @property
    def kind(self) -> str:
        """How it was learned."""
        return f"ranker-{self.learner}"

    @property
    def features(self) -> list[str]:
        """The features, in the order of the weights."""
        return names_of(self.groups)

    @property
    def runs(self) -> list[str]:
        """The names of the runs that it was learned with."""
        return [name.removeprefix("run:") for name in self.groups if name.startswith("run:")]

    def without(self, available: Sequence[str]) -> Learned:
        """Return the weights or trees for the groups that are available."""
        return self.learned[self._missing(available)]

    def scores(self, features: Floats, available: Sequence[str]) -> Floats:
        """Score candidates by the groups that are available; shape (n,)."""
        missing = self._missing(available)
        scores = self.learned[missing].scores(features)
        return exact.combined(scores, features, self.exact.get(missing), self.exact_strength)

    def contributions(self, features: Floats, available: Sequence[str]) -> tuple[list[str], Floats]:
        """Compute the part of each feature in the score, and of the probability of `exact`.

        Returns
        -------
        list of str
            The features, and "exact" at the end where the model has that part.
        ndarray of float64, shape (n, features) or (n, features + 1)
        """
        missing = self._missing(available)
        learned, weights = self.learned[missing], self.exact.get(missing)
        parts = learned.contributions(features)
        if weights is None:
            return self.features, parts
        spread = float(learned.scores(features).std()) or 1.0
        sure = self.exact_strength * exact.probabilities(features, weights)
        return [*self.features, "exact"], np.column_stack([parts / spread, sure])

    def _missing(self, available: Sequence[str]) -> Missing:
        return frozenset(self.groups) - set(available)

    def to_stored(self) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        """Return the facts and the arrays to save."""
        facts = {
            **self.facts,
            "learner": self.learner,
            "groups": list(self.groups),
            "missing": [sorted(missing) for missing in self.learned],
            "columns": columns(self.groups),
        }
        arrays: dict[str, NDArray[Any]] = {}
        if self.exact:
            arrays[_EXACT] = np.array([self.exact[missing] for missing in self.learned])
            facts[_STRENGTH] = self.exact_strength
        if self.related is not None:
            told, held = self.related.to_stored()
            facts["related"] = {**told, "kind": self.related.kind}
            arrays |= {f"{_RELATED}{name}": array for name, array in held.items()}
        if self.learner == "linear":
            weights = [part.weights for part in self.learned.values() if isinstance(part, Linear)]
            return facts, {"weights": np.array(weights), **arrays}
        trees = [part.to_array() for part in self.learned.values() if isinstance(part, LambdaMart)]
        return facts, {
            **{f"{_TREES}_{number}": part for number, part in enumerate(trees)},
            **arrays,
        }

    @classmethod
    def from_stored(cls, stored: Stored) -> "RankerModel":
        """Read the facts and arrays of `to_stored`."""
        facts = stored.facts
        groups, learner = tuple(facts["groups"]), facts["learner"]
        if learner not in LEARNERS:
            raise ValueError(f"no learner {learner}")
        check_columns(stored, columns(groups), TOLERANCE)
        missing = [frozenset(names) for names in facts["missing"]]
        parts: list[Learned]
        if learner == "linear":
            weights: Floats = np.array(stored.arrays["weights"], dtype=np.float64)
            if weights.shape != (len(missing), len(names_of(groups))):
                raise ValueError("weights of other features")
            parts = [Linear(row) for row in weights]
        else:
            parts = [
                LambdaMart.from_array(stored.arrays[f"{_TREES}_{number}"])
                for number in range(len(missing))
            ]
        if set(missing) != set(missing_sets(groups)):
            raise ValueError("not the sets of groups that may be missing")
        own = {name: facts[name] for name in facts if name not in _OF_FOLDERS + _OWN}
        learned = dict(zip(missing, parts, strict=True))
        certain: dict[Missing, Floats] = {}
        if _EXACT in stored.arrays:
            rows: Floats = np.array(stored.arrays[_EXACT], dtype=np.float64)
            if rows.shape != (len(missing), len(names_of(groups))):
                raise ValueError("weights of other features")
            certain = dict(zip(missing, rows, strict=True))
        strength = float(facts.get(_STRENGTH, STRENGTH))
        return cls(groups, learner, learned, own, _related(stored), certain, strength)


def _related(stored: Stored) -> "TrainedModel | None":
    """Read the model of related sentences that the folder holds."""
    facts = stored.facts.get("related")
    if facts is None:
        return None
    from relsent_ir.related import TrainedModel

    kind = models.plugins(models.KINDS)[facts["kind"]].load()
    arrays = {
        name.removeprefix(_RELATED): array
        for name, array in stored.arrays.items()
        if name.startswith(_RELATED)
    }
    model = kind.from_stored(Stored(stored.path, facts["kind"], facts, arrays))
    if not isinstance(model, TrainedModel):
        raise TypeError("no model of related sentences")
    return model


def missing_sets(groups: Sequence[str]) -> list[Missing]:
    """Return every set of groups that may be missing, the empty one first."""
    optional_groups = [name for name in groups if optional(name)]
    return [
        frozenset(names)
        for size in range(len(optional_groups) + 1)
        for names in combinations(optional_groups, size)
    ]


def fingerprint(text: str) -> str:
    """Return what a model remembers of a topic that it was learned from."""
    return sha256(" ".join(text.casefold().split()).encode()).hexdigest()[:10]


def load_ranker(path: Any = None) -> RankerModel:
    """Read a ranker; the packaged one if None."""
    model: RankerModel = models.load(path, "ranker")
    return model


def one_thread() -> AbstractContextManager[Any]:
    """Keep BLAS to one thread inside the block."""
    limited: AbstractContextManager[Any] = _controller().limit(limits=1, user_api="blas")
    return limited


@cache
def _controller() -> Any:
    from threadpoolctl import ThreadpoolController  # scikit-learn's dependency

    return ThreadpoolController()
