"""A learned ranker, with weights for each set of groups of features that may be missing.

It has two parts: a question that quotes one record needs that record first, and a broad topic needs
all records that resemble the first hits. The linear part ranks by likeness to relevant records. The
part for exact questions, a softmax over the topic's candidates, gives the probability that each is
*the* record; a candidate with a high probability comes first. Features are relative to the other
candidates of the topic, so the probability depends on the margin of the first hit and on the share
of the topic that the hit has (Amati, Carpineto, Romano: Query difficulty, robustness, and selective
application of query expansion. ECIR 2004).
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
"""Standard deviations of the linear part's scores that are added for a probability of 1."""
STRENGTHS: Final = (STRENGTH, 20.0, 10.0, 5.0, 2.0)
"""Values to choose from with topics judged by people, which show how exact topics are."""
_LEARNER: Final = "linear"
"""The learner's name in model folders; folders of other learners are refused."""
_RELATED: Final = "related_"
_EXACT: Final = "exact"
_STRENGTH: Final = "exact_strength"
_OF_FOLDERS: Final = ("format", "kind", "version", "arrays", "checksums")
_OWN: Final = ("learner", "groups", "missing", "columns", "related", _STRENGTH)


@dataclass(frozen=True, eq=False)
class RankerModel:
    """Weights for each set of missing groups.

    Attributes
    ----------
    groups : tuple of str
        The groups with which the ranker was trained, in the order of the features.
    learned : dict of frozenset of str to ndarray of float64, shape (features,)
        The weights by the set of missing groups; the empty set has them all. All features are
        always present; the weights of missing groups are 0.
    facts : dict of str to Any
        The data and settings of the training.
    related : TrainedModel or None
        The model of related sentences that computes features; it is stored in the same folder.
    exact : dict of frozenset of str to ndarray of float64, shape (features,)
        Weights of the part for exact questions (`probabilities`), by the set of missing groups; if
        empty, there is no such part.
    exact_strength : float
        The factor of this part.
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
        """The names of the features, in the order of the weights."""
        return names_of(self.groups)

    @property
    def runs(self) -> list[str]:
        """The names of the runs with which the ranker was trained."""
        return [name.removeprefix("run:") for name in self.groups if name.startswith("run:")]

    def without(self, available: Sequence[str]) -> Floats:
        """Return the weights for the available groups."""
        return self.learned[self._missing(available)]

    def scores(self, features: Floats, available: Sequence[str]) -> Floats:
        """Score candidates with the available groups; shape (n,)."""
        missing = self._missing(available)
        scores = features @ self.learned[missing]
        return combined(scores, features, self.exact.get(missing), self.exact_strength)

    def contributions(self, features: Floats, available: Sequence[str]) -> tuple[list[str], Floats]:
        """Compute the contribution of each feature to the score, and of the probability of `exact`.

        Returns
        -------
        list of str
            The features, followed by "exact" if the model has that part.
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
        """Return the facts and arrays to save."""
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
    """Read the model of related sentences in the folder."""
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
    """Compute the probability that each candidate is the wanted record; shape (n,), with sum 1."""
    if not len(features):
        return np.zeros(0)
    logits = features @ weights
    shares = np.exp(logits - logits.max())
    normalized: Floats = shares / shares.sum()
    return normalized


def combined(
    scores: Floats, features: Floats, weights: Floats | None, strength: float = STRENGTH
) -> Floats:
    """Add the probabilities to the scores, which are scaled to deviation 1; shape (n,)."""
    if weights is None:
        return scores
    both: Floats = standard(scores) + strength * probabilities(features, weights)
    return both


def missing_sets(groups: Sequence[str]) -> list[Missing]:
    """Return every set of groups that may be missing, the empty set first."""
    optional_groups = [name for name in groups if name in OPTIONAL or name.startswith(PREFIX)]
    return [
        frozenset(names)
        for size in range(len(optional_groups) + 1)
        for names in combinations(optional_groups, size)
    ]


def fingerprint(text: str) -> str:
    """Return the digest by which a model recognises topics of its training."""
    return sha256(" ".join(text.casefold().split()).encode()).hexdigest()[:10]


def load_ranker(path: Any = None) -> RankerModel:
    """Read a ranker; None for the packaged one."""
    model: RankerModel = models.load(path, "ranker")
    return model


def one_thread() -> AbstractContextManager[Any]:
    """Limit BLAS to one thread in the block."""
    limited: AbstractContextManager[Any] = _controller().limit(limits=1, user_api="blas")
    return limited


@cache
def _controller() -> Any:
    from threadpoolctl import ThreadpoolController  # scikit-learn's dependency

    return ThreadpoolController()
