"""The ranker: the dot product of candidates' features and learned weights.

References
----------
C. O. Tudor, K. Vijay-Shanker. RankPref: ranking sentences describing relations between biomedical
entities with an application. BioNLP 2012, 163-171.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Final

import numpy as np

from relsent_ir import models
from relsent_ir.models import Stored, check_arrays, pack_strings, unpack_strings
from relsent_ir.relations.candidates import Candidate
from relsent_ir.relations.describing import (
    KINDS,
    LEXICAL_GROUPS,
    MISSING,
    PAPER_GROUPS,
    Described,
    Features,
    FeatureSettings,
    columns,
    describe,
)
from relsent_ir.relations.statements import FLAG, Statements, packaged_statements
from relsent_ir.relations.structure import BATCH
from relsent_ir.text.parsing import Parser, default_parser
from relsent_ir.typing import Floats, NDArray, Progress

LAST: Final = -1000.0
"""Added to the score of a sentence that lacks an entity, to rank it below all others."""

HEDGED: Final = 0.05
"""Factor of the logarithm of the probability that the relation is asserted. The product is added to
a score in units of the scores' standard deviation. This and `FLAGGED` were chosen by
cross-validation on BioNLP-ST 2011 GE's training part: pairs in the right order fall by 0.35 of 84.6
points, and those of an asserted and a hedged relation rise from 59 to 67."""

LEAST_ASSERTED: Final = 1e-3
FLAGGED: Final = 0.3
"""Subtracted from the score of a flagged sentence, in the same units."""


@dataclass(frozen=True)
class GradedCandidates:
    """Graded candidates in the form that the learner uses.

    Attributes
    ----------
    candidates : sequence of Candidate
    rows : list of Features
    asserted : ndarray of float64, shape (candidates,)
        The probability that a relation, if stated, is asserted; 1 without a model of statements.
    """

    candidates: Sequence[Candidate]
    rows: list[Features]
    asserted: Floats

    @classmethod
    def of(
        cls,
        candidates: Sequence[Candidate],
        described: Iterable[Described],
        statements: Statements | None = None,
    ) -> "GradedCandidates":
        """Create the examples from described candidates."""
        rows, asserted = [], []
        for row in described:
            rows.append(row.features)
            asserted.append(statements.asserted(row) if statements else 1.0)
        return cls(candidates, rows, np.array(asserted))


@dataclass(frozen=True)
class Learned:
    """A scoring function that was learned from graded candidates.

    Attributes
    ----------
    weights : dict of str to float
        Weights by the name of the feature.
    spread : float
        The standard deviation of the scores of the training candidates.
    calibration : (float, float)
        Slope and intercept: the probability that the relation is stated is the logistic function of
        slope * score / spread + intercept. (0, 0) before the calibration.
    """

    weights: Mapping[str, float]
    spread: float
    calibration: tuple[float, float] = (0.0, 0.0)

    def scores(self, graded: GradedCandidates) -> Floats:
        """Score candidates; shape (candidates,)."""
        missing = np.array([MISSING in row for row in graded.rows], dtype=bool)
        return np.asarray(self.raw(graded) + self.hedges(graded.asserted) + LAST * missing)

    def hedges(self, asserted: Floats) -> Floats:
        """Return the parts of scores that depend on the probability of an asserted relation."""
        penalty = HEDGED * np.log(np.maximum(asserted, LEAST_ASSERTED))
        return np.asarray(self.spread * (penalty - FLAGGED * (asserted < 1 - FLAG)))

    def raw(self, graded: GradedCandidates) -> Floats:
        """Score candidates by their features only; shape (candidates,)."""
        weight = self.weights.get
        return np.array(
            [sum([weight(n, 0.0) * x for n, x in row.items()]) for row in graded.rows], dtype=float
        )

    def probabilities(self, scores: Floats) -> Floats:
        """Return the probability that each sentence states the relation."""
        slope, intercept = self.calibration
        with np.errstate(over="ignore"):
            return np.asarray(1 / (1 + np.exp(-(slope * scores / self.spread + intercept))))


PACKAGED: Final = ("paper", "events")
"""Models in addition to the default: the paper's features only, and ours from events only."""


@dataclass(frozen=True)
class RelationRanker:
    """A model that scores candidates: the higher, the more clearly the relation is stated.

    Attributes
    ----------
    parser : Parser
    settings : FeatureSettings
    learned : Learned
    """

    family: ClassVar[str] = "relations"
    kind: ClassVar[str] = "relations"

    parser: Parser
    settings: FeatureSettings
    learned: Learned = field(repr=False)

    def score(
        self,
        candidates: Sequence[Candidate],
        progress: Progress | None = None,
        seen: list[Described] | None = None,
    ) -> Floats:
        """Score candidates in batches, to save memory; shape (candidates,).

        Parameters
        ----------
        candidates : sequence of Candidate
        progress : callable, optional
        seen : list of Described, optional
            A list to which the model's input for each candidate is added; else it is lost.
        """
        parts = [np.empty(0)]
        for start in range(0, len(candidates), BATCH):
            if progress:
                progress(start, len(candidates))
            batch = candidates[start : start + BATCH]
            described = list(describe(batch, self.parser, self.settings))
            parts.append(self.learned.scores(self.grade(batch, described)))
            if seen is not None:
                seen += described
        return np.concatenate(parts)

    def grade(
        self, candidates: Sequence[Candidate], described: Iterable[Described]
    ) -> GradedCandidates:
        """Return described candidates with their features."""
        # the paper's ranker does not use the model of asserted relations
        statements = packaged_statements() if self.settings.kind == "lexical" else None
        return GradedCandidates.of(candidates, described, statements)

    def to_stored(self) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        """Return the facts and arrays to save; the parser is not saved."""
        settings, weights = self.settings, self.learned.weights
        names = sorted(weights)
        described = {
            "features": settings.kind,
            "simplify": settings.simplify,
            "without": list(settings.without),
            "spread": self.learned.spread,
            "calibration": list(self.learned.calibration),
            "columns": columns(self.parser, settings),
        }
        values = np.array([weights[name] for name in names], dtype=np.float32)
        return described, {"names": pack_strings(names), "weights": values}

    @classmethod
    def from_stored(cls, stored: Stored) -> "RelationRanker":
        """Read the result of `to_stored`; the packaged tagger and chunker parse sentences."""
        facts = stored.facts
        without = tuple(facts["without"])
        names = unpack_strings(stored.arrays["names"])
        check_arrays(stored.arrays, {"weights": "float names"}, names=len(names))
        weights = stored.arrays["weights"].astype(np.float64)
        kind = facts["features"]
        slope, intercept = (float(value) for value in facts["calibration"])
        spread = float(facts["spread"])
        sound = bool(names) and bool(np.isfinite(weights).all())
        sound = sound and bool(np.isfinite([spread, slope, intercept]).all()) and spread > 0
        if not sound or kind not in KINDS or not set(without) <= {*PAPER_GROUPS, *LEXICAL_GROUPS}:
            raise ValueError("names and weights that do not fit together")
        settings = FeatureSettings(kind, bool(facts["simplify"]), without)
        parser = default_parser()
        models.check_columns(stored, columns(parser, settings))
        by_name = dict(zip(names, weights.tolist(), strict=True))
        return cls(parser, settings, Learned(by_name, spread, (slope, intercept)))


def open_ranker(model: str | Path | None = None) -> RelationRanker:
    """Read a ranker: from a folder, one of `PACKAGED` by name, or the default.

    Raises
    ------
    InputError, MismatchError
        As raised by `relsent_ir.models.load`.
    """
    if model is not None and str(model) in PACKAGED and not Path(model).exists():
        model = Path(__file__).parent / str(model)
    ranker: RelationRanker = models.load(model, "relations")
    return ranker


MOST: Final = 10
"""Number of parts of the score that are listed."""

ASSERTED: Final = "status:asserted or not"
"""The name of the score's part for a relation that may be negated or hedged."""


def reasons(ranker: RelationRanker, candidate: Candidate) -> list[tuple[str, float]]:
    """Return the parts of the score of a pair of mentions, the largest first."""
    graded = ranker.grade([candidate], describe([candidate], ranker.parser, ranker.settings))
    weights_of = ranker.learned.weights
    parts = [(name, weights_of.get(name, 0.0) * value) for name, value in graded.rows[0].items()]
    parts.append((ASSERTED, float(ranker.learned.hedges(graded.asserted)[0])))
    return sorted((part for part in parts if part[1]), key=lambda one: -abs(one[1]))[:MOST]
