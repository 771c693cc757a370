"""A learned ranker, with weights for each set of groups of features that may be missing.

It has two parts. A question that quotes one record wants that record first, and a broad topic wants
all that are like the first hits: what is best for the one harms the other. The linear part orders
by likeness to what is relevant; the part for exact questions, a softmax over the topic's
candidates, says how likely each is *the* record, and where it is sure of one, that one comes first.
Features are relative to the topic's other candidates, so that the margin of the first hit, and how
much of the topic that hit has, decide how sure it is (Amati, Carpineto, Romano: Query difficulty,
robustness, and selective application of query expansion. ECIR 2004).
"""

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
from relsent_ir.ranker.columns import TOLERANCE, columns
from relsent_ir.ranker.features import OPTIONAL, PREFIX, names_of
from relsent_ir.ranker.likeness import standard
from relsent_ir.typing import Floats, NDArray

if TYPE_CHECKING:
    from relsent_ir.related import TrainedModel

Missing = frozenset[str]

STRENGTH: Final = 40.0
"""Standard deviations of the linear part's scores that a probability of 1 adds."""
STRENGTHS: Final = (STRENGTH, 20.0, 10.0, 5.0, 2.0)
"""To choose from by topics that people judged, which tell how exact they are."""
_LEARNER: Final = "linear"
"""What folders say; those of other learners are not read."""
_RELATED: Final = "related_"
_EXACT: Final = "exact"
_STRENGTH: Final = "exact_strength"
_OF_FOLDERS: Final = ("format", "kind", "version", "arrays", "checksums")
_OWN: Final = ("learner", "groups", "missing", "columns", "related", _STRENGTH)


@dataclass(frozen=True, eq=False)
class RankerModel:
    """Weights, by the groups that are missing.

    Attributes
    ----------
    groups : tuple of str
        The groups that it was learned with, in the order of the features.
    learned : dict of frozenset of str to ndarray of float64, shape (features,)
        By the missing groups; the empty set has all. Features are always all; those of missing
        groups weigh nothing.
    facts : dict of str to Any
        The data and settings that made it.
    related : TrainedModel or None
        The model of related sentences that features are of; the folder holds it.
    exact : dict of frozenset of str to ndarray of float64, shape (features,)
        Weights of the part for exact questions (`probabilities`), by the missing groups;
        without any, that part is not there.
    exact_strength : float
        How much that part counts.
    """

    family: ClassVar[str] = "ranker"
    kind: ClassVar[str] = f"ranker-{_LEARNER}"

    groups: tuple[str, ...]
    learned: Mapping[Missing, Floats]
    facts: dict[str, Any] = field(default_factory=dict)
    related: "TrainedModel | None" = None
    exact: Mapping[Missing, Floats] = field(default_factory=dict)
    exact_strength: float = STRENGTH

    @property
    def features(self) -> list[str]:
        """The features, in the order of the weights."""
        return names_of(self.groups)

    @property
    def runs(self) -> list[str]:
        """The names of the runs that it was learned with."""
        return [name.removeprefix("run:") for name in self.groups if name.startswith("run:")]

    def without(self, available: Sequence[str]) -> Floats:
        """Return the weights for the groups that are available."""
        return self.learned[self._missing(available)]

    def scores(self, features: Floats, available: Sequence[str]) -> Floats:
        """Score candidates by the groups that are available; shape (n,)."""
        missing = self._missing(available)
        scores = features @ self.learned[missing]
        return combined(scores, features, self.exact.get(missing), self.exact_strength)

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
        parts = features * learned
        if weights is None:
            return self.features, parts
        spread = float((features @ learned).std()) or 1.0
        sure = self.exact_strength * probabilities(features, weights)
        return [*self.features, "exact"], np.column_stack([parts / spread, sure])

    def _missing(self, available: Sequence[str]) -> Missing:
        return frozenset(self.groups) - set(available)

    def to_stored(self) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        """Return the facts and the arrays to save."""
        facts = {
            **self.facts,
            "learner": _LEARNER,
            "groups": list(self.groups),
            "missing": [sorted(missing) for missing in self.learned],
            "columns": columns(self.groups),
        }
        arrays: dict[str, NDArray[Any]] = {"weights": np.array([*self.learned.values()])}
        if self.exact:
            arrays[_EXACT] = np.array([self.exact[missing] for missing in self.learned])
            facts[_STRENGTH] = self.exact_strength
        if self.related is not None:
            told, held = self.related.to_stored()
            facts["related"] = {**told, "kind": self.related.kind}
            arrays |= {f"{_RELATED}{name}": array for name, array in held.items()}
        return facts, arrays

    @classmethod
    def from_stored(cls, stored: Stored) -> "RankerModel":
        """Read the facts and arrays of `to_stored`."""
        facts = stored.facts
        groups = tuple(facts["groups"])
        if facts["learner"] != _LEARNER:
            raise ValueError("a model of another learner")
        check_columns(stored, columns(groups), TOLERANCE)
        missing = [frozenset(names) for names in facts["missing"]]
        weights: Floats = np.array(stored.arrays["weights"], dtype=np.float64)
        if weights.shape != (len(missing), len(names_of(groups))):
            raise ValueError("the weights do not match the features")
        if set(missing) != set(missing_sets(groups)):
            raise ValueError("not the sets of groups that may be missing")
        own = {name: facts[name] for name in facts if name not in _OF_FOLDERS + _OWN}
        learned = dict(zip(missing, weights, strict=True))
        certain: dict[Missing, Floats] = {}
        if _EXACT in stored.arrays:
            rows: Floats = np.array(stored.arrays[_EXACT], dtype=np.float64)
            if rows.shape != (len(missing), len(names_of(groups))):
                raise ValueError("the weights do not match the features")
            certain = dict(zip(missing, rows, strict=True))
        strength = float(facts.get(_STRENGTH, STRENGTH))
        return cls(groups, learned, own, _related(stored), certain, strength)


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


def probabilities(features: Floats, weights: Floats) -> Floats:
    """Compute the probability that each candidate is the record wanted; shape (n,), of sum 1."""
    if not len(features):
        return np.zeros(0)
    logits = features @ weights
    shares = np.exp(logits - logits.max())
    normalized: Floats = shares / shares.sum()
    return normalized


def combined(
    scores: Floats, features: Floats, weights: Floats | None, strength: float = STRENGTH
) -> Floats:
    """Add the probabilities to scores, which are brought to deviation 1; shape (n,)."""
    if weights is None:
        return scores
    both: Floats = standard(scores) + strength * probabilities(features, weights)
    return both


def missing_sets(groups: Sequence[str]) -> list[Missing]:
    """Return every set of groups that may be missing, the empty one first."""
    optional_groups = [name for name in groups if name in OPTIONAL or name.startswith(PREFIX)]
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
