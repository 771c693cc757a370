"""The score of a candidate: learned weights of its features, and what a score means.

``python -m recipes relations`` learns the weights.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from relsent_ir.relations.candidates import Candidate
from relsent_ir.relations.describing import MISSING, Features, FeatureSettings, describe
from relsent_ir.relations.statements import FLAG, Statements
from relsent_ir.text.parsing import Parser
from relsent_ir.typing import Floats, Progress

LAST: Final = -1000.0
"""Added to the score of a sentence that lacks an entity, which ranks it behind all others."""

HEDGED: Final = 0.05
"""Factor of the logarithm of the probability that the relation is asserted, which is added to a
score in units of the scores' standard deviation. This and `FLAGGED` were chosen by cross-validation
on BioNLP-ST 2011 GE's training part: pairs in the right order fall by 0.35 of 84.6 points, and
those of an asserted and a hedged relation rise from 59 to 67."""

LEAST_ASSERTED: Final = 1e-3
FLAGGED: Final = 0.3
"""Subtracted from the score of a flagged sentence, in the same units."""


@dataclass(frozen=True)
class GradedCandidates:
    """Graded candidates as the learner sees them.

    Attributes
    ----------
    candidates : sequence of Candidate
    rows : list of Features
    asserted : ndarray of float64, shape (candidates,)
        The probability that a relation is asserted, if stated; 1 without a model of statements.
    """

    candidates: Sequence[Candidate]
    rows: list[Features]
    asserted: Floats

    @classmethod
    def of(
        cls,
        candidates: Sequence[Candidate],
        parser: Parser,
        settings: FeatureSettings,
        statements: Statements | None = None,
        progress: Progress | None = None,
    ) -> "GradedCandidates":
        """Extract the features of candidates."""
        rows, asserted = [], []
        for row in describe(candidates, parser, settings, progress):
            rows.append(row.features)
            asserted.append(statements.asserted(row) if statements else 1.0)
        return cls(candidates, rows, np.array(asserted))


@dataclass(frozen=True)
class Learned:
    """A scoring function learned from graded candidates.

    Attributes
    ----------
    weights : dict of str to float
        By feature name.
    spread : float
        The standard deviation of the scores of the training candidates.
    calibration : (float, float)
        Slope and intercept: the probability that the relation is stated is the logistic function of
        slope * score / spread + intercept. (0, 0) before calibration.
    """

    weights: Mapping[str, float]
    spread: float
    calibration: tuple[float, float] = (0.0, 0.0)

    def scores(self, graded: GradedCandidates) -> Floats:
        """Score candidates; shape (candidates,)."""
        missing = np.array([MISSING in row for row in graded.rows], dtype=bool)
        return np.asarray(self.raw(graded) + self.hedges(graded.asserted) + LAST * missing)

    def hedges(self, asserted: Floats) -> Floats:
        """Return the summands of scores that depend on the probability of an asserted relation."""
        penalty = HEDGED * np.log(np.maximum(asserted, LEAST_ASSERTED))
        return np.asarray(self.spread * (penalty - FLAGGED * (asserted < 1 - FLAG)))

    def raw(self, graded: GradedCandidates) -> Floats:
        """Score candidates by their features alone; shape (candidates,)."""
        weight = self.weights.get
        return np.array(
            [sum([weight(n, 0.0) * x for n, x in row.items()]) for row in graded.rows], dtype=float
        )

    def probabilities(self, scores: Floats) -> Floats:
        """Return the probability that each sentence states the relation."""
        slope, intercept = self.calibration
        with np.errstate(over="ignore"):
            return np.asarray(1 / (1 + np.exp(-(slope * scores / self.spread + intercept))))
