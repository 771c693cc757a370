"""How a sentence states a relation: whether it asserts it, its direction, and its agent.

Three logistic models (multinomial, L2). The agent's model has the features of the ranker. The
features of the other two are named ``group:…`` and have the value 1. The groups:

status    words of negation and of conjecture (relsent_ir/text/cues.py): which, on which side of
          the entities, how far away, and what stands between
polarity  verbs and their nouns by kind (verbs.txt), and the stems near the entities, by their side;
          and the features of the ranker, since one class has the sentences that relate nothing

The models are learned from events annotated with Negation, Speculation, type, Theme and Cause
(``python -m recipes statements``).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, ClassVar, Final

import numpy as np

from relsent_ir import models
from relsent_ir.models import Stored, check_arrays, digest, pack_strings, unpack_strings
from relsent_ir.relations.describing import PROBE, Described, FeatureSettings, columns, describe
from relsent_ir.relations.structure import OTHER, Structure, inflect, kind_of, listed, stem
from relsent_ir.text.cues import BREAKS, HEDGE, NEGATION
from relsent_ir.text.parsing import Parser, default_parser
from relsent_ir.typing import Floats, NDArray

KINDS: Final = {"activate": "increases", "inhibit": "decreases", "bind": "binds"}
"""Effects on the second entity by kind of verb."""

NEAR: Final = 5
"""Number of tokens outside the entities whose stems are features."""

_STEPS: Final = (2, 6, 12)


def status_features(structure: Structure) -> Iterator[str]:
    """Yield cues that negate or hedge the relation; none if an entity is missing in the text."""
    first, second = structure.first, structure.second
    if first is None or second is None:
        return
    words = [word.lower() for word in structure.words]
    breaks = min(2, sum(word in BREAKS for word in words[first[1] : second[0]]))
    for i, word in enumerate(words):
        kind = "negation" if word in NEGATION else "conjecture" if word in HEDGE else ""
        if not kind or (word == "not" and words[i + 1 : i + 2] == ["only"]):
            continue
        side = side_of(structure, i)
        yield f"status:{side} {kind}"
        yield f"status:{side} {stem(word)}"
        yield f"status:{stem(word)}"
        between = {"left": words[i + 1 : first[0]], "right": words[second[1] : i]}.get(side, [])
        far = sum(len(between) > step for step in _STEPS)
        yield f"status:{side} {kind} far {far}"
        yield f"status:{side} {kind} breaks {min(2, sum(word in BREAKS for word in between))}"
        if side in ("left", "between") and any(map(direction_of, words[i + 1 : i + 4])):
            yield f"status:{side} {kind} verb"
        if side == "between":
            yield f"status:between {kind} of {min(4, (second[0] - first[1]) // 4)}"
            yield f"status:between {kind} with breaks {breaks}"


def polarity_features(structure: Structure) -> Iterator[str]:
    """Yield cues of the direction of the relation; none if an entity is missing in the text."""
    first, second = structure.first, structure.second
    if first is None or second is None:
        return
    for i, word in enumerate(structure.words):
        side = side_of(structure, i)
        apart = {"left": first[0] - i, "right": i - second[1]}.get(side, 0)
        near = apart <= NEAR
        kind = kind_of(word.lower())
        meaning = kind if kind != OTHER else direction_of(word)  # nouns only have a direction
        if meaning:
            yield f"polarity:{side} {meaning}"
            yield f"polarity:{side} {meaning} {'near' if near else 'far'}"
        if side == "between" or near:
            yield f"polarity:{stem(word)}"
            yield f"polarity:{side} {stem(word)}"


def side_of(structure: Structure, token: int) -> str:
    """Return where a token is relative to both entities: left, between, right or inside."""
    first, second = structure.first, structure.second
    assert first is not None
    assert second is not None
    if token < first[0]:
        return "left"
    if token >= second[1]:
        return "right"
    return "between" if first[1] <= token < second[0] else "inside"


def direction_of(word: str) -> str:
    """Return the direction of a verb or of its noun, by the stem; "" for other words."""
    return _directions().get(stem(word), "")


@cache
def _directions() -> dict[str, str]:
    """Return the direction of each listed verb's stem; the first if two kinds share it."""
    directions: dict[str, str] = {}
    for kind, verb in listed():
        if kind in KINDS:
            for form in inflect(verb):
                directions.setdefault(stem(form), KINDS[kind])
    return directions


STATUSES: Final = ("asserted", "negated", "speculated")
POLARITIES: Final = ("binds", "decreases", "increases", "none")
AGENTS: Final = ("first", "second")
"""The entity that acts, by text order."""

TASKS: Final[Mapping[str, tuple[str, ...]]] = {
    "status": STATUSES,
    "polarity": POLARITIES,
    "agent": AGENTS,
}
SURE: Final = 0.45
"""Least probability of a reported polarity: in cross-validation on the training part, 91 % of those
reported for sentences that state a relation are right."""

LARGEST: Final = 1e6
"""An upper bound of learned weights."""

FLAG: Final = 0.93
"""A sentence is flagged if it asserts no relation with a probability above this: in
cross-validation on the training part, 3 % of the sentences that assert a relation are flagged."""


@dataclass(frozen=True, slots=True)
class Statement:
    """How a sentence states the relation between its entities, if it does.

    Attributes
    ----------
    asserted : float
        The probability that it asserts the relation, without negation or hedge.
    status : str
        The likeliest of `STATUSES`.
    polarity : str
        The likeliest of `POLARITIES` except none.
    sure : float
        The probability of this polarity.
    agent : int
        The entity that acts: 0 for the first, 1 for the second.
    """

    asserted: float
    status: str
    polarity: str
    sure: float
    agent: int

    @property
    def direction(self) -> str:
        """The polarity if it is certain enough to be reported; else ""."""
        return self.polarity if self.sure >= SURE else ""

    @property
    def flag(self) -> str:
        """Negated or speculated, if this is nearly certain; else ""."""
        return self.status if self.asserted < 1 - FLAG else ""


@dataclass(frozen=True)
class Statements:
    """Models of how sentences state relations.

    Attributes
    ----------
    parser : Parser
    weights : dict of str to dict of str to ndarray of float64, shape (classes,)
        By task and feature name; "" is the intercept.
    """

    family: ClassVar[str] = "statements"
    kind: ClassVar[str] = "statements"

    parser: Parser
    weights: Mapping[str, Mapping[str, Floats]] = field(repr=False)

    def asserted(self, described: Described) -> float:
        """Return the probability that a sentence asserts the relation that it states."""
        return float(self._classify("status", described)[STATUSES.index("asserted")])

    def read(self, described: Described) -> Statement:
        """Return how a sentence states the relation between its entities."""
        status, polarity, agent = (self._classify(task, described) for task in TASKS)
        asserted = float(status[STATUSES.index("asserted")])
        # A flagged sentence gets the likelier of the two other classes.
        likely = STATUSES[int(status.argmax())]
        if likely == "asserted" and asserted < 1 - FLAG:
            likely = STATUSES[1 + int(status[1:].argmax())]
        best = int(polarity[:-1].argmax())
        sure = float(polarity[best])
        return Statement(asserted, likely, POLARITIES[best], sure, int(agent.argmax()))

    def _classify(self, task: str, described: Described) -> Floats:
        weights = self.weights[task]
        features = {"": 1.0} | features_of(task, described)
        known = {name: value for name, value in features.items() if name in weights}
        rows = np.array([weights[name] for name in known])
        sums = (rows * np.array([*known.values()])[:, None]).sum(axis=0)
        shares = np.exp(sums - sums.max())
        return np.asarray(shares / shares.sum())

    def to_stored(self) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        """Return the facts and arrays to save; the parser is not saved."""
        arrays: dict[str, NDArray[Any]] = {}
        for task, weights in self.weights.items():
            names = sorted(weights)
            arrays[f"{task}_names"] = pack_strings(names)
            arrays[f"{task}_weights"] = np.array(
                [weights[name] for name in names], dtype=np.float32
            )
        return {"columns": _columns(self.parser)}, arrays

    @classmethod
    def from_stored(cls, stored: Stored) -> "Statements":
        """Read the result of `to_stored`; the packaged tagger and chunker parse sentences."""
        weights = {}
        for task, classes in TASKS.items():
            names = unpack_strings(stored.arrays[f"{task}_names"])
            shape = {f"{task}_weights": "float names classes"}
            check_arrays(stored.arrays, shape, names=len(names), classes=len(classes))
            values = stored.arrays[f"{task}_weights"].astype(np.float64)
            if not np.isfinite(values).all() or np.abs(values).max(initial=0.0) > LARGEST:
                raise ValueError("weights that are no weights")
            weights[task] = dict(zip(names, values, strict=True))
            if "" not in weights[task]:
                raise ValueError("weights without an intercept")
        parser = default_parser()
        models.check_columns(stored, _columns(parser))
        return cls(parser, weights)


def packaged_statements() -> Statements | None:
    """Return the packaged model; None if it was removed because of its licence."""
    if not models.packaged("statements").is_dir():
        return None
    model: Statements = models.default("statements")
    return model


def features_of(task: str, described: Described) -> dict[str, float]:
    """Return the features of a sentence for one of the `TASKS`."""
    if task == "agent":
        return described.features
    if task == "status":
        return dict.fromkeys(status_features(described.structure), 1.0)
    return described.features | dict.fromkeys(polarity_features(described.structure), 1.0)


def _columns(parser: Parser) -> dict[str, str]:
    rows = list(describe(PROBE, parser, FeatureSettings()))
    return {
        **columns(parser, FeatureSettings()),
        "status": digest(*(sorted(status_features(row.structure)) for row in rows)),
        "polarity": digest(*(sorted(polarity_features(row.structure)) for row in rows)),
    }
