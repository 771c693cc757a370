"""The ranker: features of candidates times learned weights; two baselines; measures of a ranking.

The measures over groups are the paper's: pair accuracy, grade of the first candidate, nDCG. Ties
count as the mean over all orders of the tied: a tied pair counts one half; tied ranks share their
gains (McSherry & Najork 2008).

References
----------
C. O. Tudor, K. Vijay-Shanker. RankPref: ranking sentences describing relations between biomedical
entities with an application. BioNLP 2012, 163-171: section 3.
F. McSherry, M. Najork. Computing information retrieval performance measures efficiently in the
presence of tied scores. ECIR 2008, 414-421.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar, Final

import numpy as np
from numpy.typing import ArrayLike

from relsent_ir import models
from relsent_ir.errors import InputError
from relsent_ir.models import Stored, check_arrays, pack_strings, unpack_strings
from relsent_ir.relations.candidates import Candidate, rows_by_group
from relsent_ir.relations.describing import KINDS, FeatureSettings, columns, position
from relsent_ir.relations.describing import LEXICAL_GROUPS as LEXICAL_GROUPS
from relsent_ir.relations.describing import PAPER_GROUPS as PAPER_GROUPS
from relsent_ir.relations.learning import (
    COSTS,
    GradedCandidates,
    GradedCorpus,
    Learned,
    calibrate,
    combine,
)
from relsent_ir.relations.patterns import PatternEvidence, find_evidence, find_forms
from relsent_ir.relations.statements import Statements, packaged_statements
from relsent_ir.relations.structure import BATCH, Structure, structures
from relsent_ir.text.parsing import Parser, default_parser
from relsent_ir.text.tokens import tokenize
from relsent_ir.typing import Floats, NDArray, Progress

PACKAGED: Final = ("paper", "events")
"""Models besides the default one: the paper's features alone, and ours from events alone."""


@dataclass(frozen=True)
class RelationRanker:
    """A model that scores candidates: the higher, the more clearly a relation is stated.

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

    def score(self, candidates: Sequence[Candidate], progress: Progress | None = None) -> Floats:
        """Score candidates batch by batch, to save memory; shape (candidates,)."""
        parts = [np.empty(0)]
        for start in range(0, len(candidates), BATCH):
            if progress:
                progress(start, len(candidates))
            parts.append(self.learned.scores(self.describe(candidates[start : start + BATCH])))
        return np.concatenate(parts)

    def describe(
        self, candidates: Sequence[Candidate], progress: Progress | None = None
    ) -> GradedCandidates:
        """Return candidates with their features."""
        statements = _statements(self.settings)
        return GradedCandidates.of(candidates, self.parser, self.settings, statements, progress)

    def explain(
        self, candidates: Sequence[Candidate]
    ) -> list[tuple[Structure, list[PatternEvidence]]]:
        """Return the structures of candidates' sentences, and the patterns that they match."""
        simplify = self.settings.simplify
        return [
            (structure, find_evidence(find_forms(structure, simplify), structure.agent))
            for structure in structures(self.parser, candidates)
        ]

    @classmethod
    def train(
        cls,
        corpora: Sequence[Sequence[Candidate]],
        parser: Parser,
        settings: FeatureSettings | None = None,
        progress: Progress | None = None,
        *,
        shares: Sequence[float] | None = None,
        where: Path | None = None,
    ) -> "RelationRanker":
        """Learn from graded candidates.

        Parameters
        ----------
        corpora : sequence of sequence of Candidate
        shares : sequence of float, optional
            The weight of each corpus (`relsent_ir.relations.learning.combine`).
        where : Path, optional
            The candidates' file, for the error.

        Raises
        ------
        InputError
            If no group has two sentences with different grades.
        """
        settings = settings or FeatureSettings()
        statements = _statements(settings)
        cost = COSTS[settings.kind]
        graded = [
            GradedCandidates.of(corpus, parser, settings, statements, progress)
            for corpus in corpora
        ]
        learned = [GradedCorpus.learn(corpus, cost) for corpus in graded]
        try:
            combined = combine(learned, shares)
        except ValueError as error:
            raise InputError(str(error), where=where) from error
        return cls(parser, settings, replace(combined, calibration=calibrate(learned, cost)))

    def to_stored(self) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        """Return the facts and the arrays to save; the parser is not saved."""
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
        """Read the result of `to_stored`; the package's tagger and chunker parse sentences."""
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


def _statements(settings: FeatureSettings) -> Statements | None:
    """Return the model of asserted relations; None for the paper's ranker."""
    return packaged_statements() if settings.kind == "lexical" else None


def open_ranker(model: str | Path | None) -> RelationRanker:
    """Read a ranker: a folder, one of `PACKAGED` by name, or the default one.

    Raises
    ------
    InputError, MismatchError
        As `relsent_ir.models.load`.
    """
    if model is not None and str(model) in PACKAGED and not Path(model).exists():
        model = Path(__file__).parent / str(model)
    ranker: RelationRanker = models.load(model, "relations")
    return ranker


def default_ranker() -> RelationRanker:
    """Return the packaged ranker, read once."""
    ranker: RelationRanker = models.default("relations")
    return ranker


def shortest(candidates: Sequence[Candidate]) -> Floats:
    """Score by the first baseline: the sentence with the fewest tokens is best."""
    return np.array([-len(tokenize(candidate.text)) for candidate in candidates], dtype=np.float64)


def foremost(candidates: Sequence[Candidate], parser: Parser) -> Floats:
    """Score by the second baseline: the entities near the beginning, and near each other."""
    return np.array([-position(structure) for structure in structures(parser, candidates)])


MOST: Final = 10
"""Summands that are named."""

ASSERTED: Final = "status:asserted or not"
"""The score's loss where the relation may be negated or hedged."""


def reasons(ranker: RelationRanker, candidate: Candidate) -> list[tuple[str, float]]:
    """Return the summands of the score of a pair of mentions, the weightiest first."""
    graded = ranker.describe([candidate])
    weights_of = ranker.learned.weights
    parts = [(name, weights_of.get(name, 0.0) * value) for name, value in graded.rows[0].items()]
    parts.append((ASSERTED, float(ranker.learned.hedges(graded.asserted)[0])))
    return sorted((part for part in parts if part[1]), key=lambda one: -abs(one[1]))[:MOST]


@dataclass(frozen=True)
class GroupScores:
    """The measures of one group.

    Attributes
    ----------
    right, pairs : float, int
        Pairs of candidates from different sentences whose grades differ: those in the right order,
        and all.
    right_inside, pairs_inside : float, int
        The same for pairs inside one sentence.
    top_grade : float
        The grade of the first candidate.
    ndcg : float
    """

    right: float
    pairs: int
    right_inside: float
    pairs_inside: int
    top_grade: float
    ndcg: float

    @property
    def accuracy(self) -> float:
        """The share of pairs in the right order."""
        return self.right / self.pairs


@dataclass(frozen=True)
class RankingScores:
    """The measures of a ranking.

    Attributes
    ----------
    groups : dict of str to GroupScores
        Groups that have a pair of sentences whose grades differ.
    inside : (float, int)
        Right and all pairs inside one sentence, in all groups.
    """

    groups: dict[str, GroupScores]
    inside: tuple[float, int]

    @property
    def pairs(self) -> int:
        """Pairs of different sentences whose grades differ."""
        return sum(group.pairs for group in self.groups.values())

    @property
    def pair_accuracy(self) -> float:
        """The share of these pairs in the right order; NaN if there are none."""
        right = sum(group.right for group in self.groups.values())
        return right / self.pairs if self.pairs else math.nan

    def mean(self, name: str) -> float:
        """Return the mean of a measure over the groups, by attribute; NaN if there are none."""
        values = [getattr(group, name) for group in self.groups.values()]
        return float(np.mean(values)) if values else math.nan

    def to_dict(self) -> dict[str, Any]:
        """Return the measures for JSON; None where there is nothing to measure."""
        right, pairs = self.inside
        measured = bool(self.pairs)
        return {
            "pair_accuracy": self.pair_accuracy if measured else None,
            "document_accuracy": self.mean("accuracy") if measured else None,
            "top_grade": self.mean("top_grade") if measured else None,
            "ndcg": self.mean("ndcg") if measured else None,
            "groups": len(self.groups),
            "pairs": self.pairs,
            "inside_sentences": {"pair_accuracy": right / pairs if pairs else None, "pairs": pairs},
        }

    def to_row(self) -> list[str]:
        """Return the pair accuracy, the grade of the first, nDCG, and the accuracy inside."""
        values = self.to_dict()
        figures = [values[name] for name in ("pair_accuracy", "top_grade", "ndcg")]
        figures.append(values["inside_sentences"]["pair_accuracy"])
        return ["–" if value is None else f"{value:.4f}" for value in figures]


def evaluate(candidates: Sequence[Candidate], scores: ArrayLike) -> RankingScores:
    """Measure the scores of graded candidates; more is better.

    Candidates of one group with the same text belong to one sentence.
    """
    values = np.asarray(scores, dtype=np.float64)
    groups = {}
    right, pairs = 0.0, 0
    for name, rows in rows_by_group(candidates).items():
        scored = _group([candidates[i] for i in rows], values[rows])
        right += scored.right_inside
        pairs += scored.pairs_inside
        if scored.pairs:
            groups[name] = scored
    return RankingScores(groups, (right, pairs))


def _group(candidates: Sequence[Candidate], scores: Floats) -> GroupScores:
    grades = np.array([candidate.grade for candidate in candidates], dtype=np.float64)
    numbers = {text: n for n, text in enumerate({c.text: None for c in candidates})}
    sentences = np.array([numbers[candidate.text] for candidate in candidates])
    better = grades[:, None] > grades[None, :]
    right = np.where(scores[:, None] == scores[None, :], 0.5, scores[:, None] > scores[None, :])
    same = sentences[:, None] == sentences[None, :]
    across, inside = better & ~same, better & same
    return GroupScores(
        float(right[across].sum()),
        int(across.sum()),
        float(right[inside].sum()),
        int(inside.sum()),
        float(grades[scores == scores.max()].mean()),
        ndcg(grades, scores),
    )


def ndcg(grades: ArrayLike, scores: ArrayLike) -> float:
    """Compute the nDCG of a whole ranking, with the paper's discount.

    DCG = rel_1 + sum over i >= 2 of rel_i / log2(i): the first two ranks count in full.

    Parameters
    ----------
    grades, scores : array_like of float, shape (n,)
        The gains are the grades.

    Returns
    -------
    float
        0 if no grade is over 0.
    """
    gains = np.asarray(grades, dtype=np.float64)
    values = np.asarray(scores, dtype=np.float64)
    discounts = 1 / np.log2(np.maximum(np.arange(1, len(gains) + 1), 2))
    ideal = float(np.sort(gains)[::-1] @ discounts)
    if not ideal:
        return 0.0
    order = np.argsort(-values, kind="stable")
    _, tied = np.unique(-values[order], return_inverse=True)
    shared = (np.bincount(tied, gains[order]) / np.bincount(tied))[tied]
    return float(shared @ discounts) / ideal
