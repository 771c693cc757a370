"""The paper's measures of a ranking, and two baselines.

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
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from recipes.relations.learning import rows_by_group
from relsent_ir.relations.candidates import Candidate
from relsent_ir.relations.describing import position
from relsent_ir.relations.structure import structures
from relsent_ir.text.parsing import Parser
from relsent_ir.text.tokens import tokenize
from relsent_ir.typing import Floats


def shortest(candidates: Sequence[Candidate]) -> Floats:
    """Score by the first baseline: the sentence with the fewest tokens is best."""
    return np.array([-len(tokenize(candidate.text)) for candidate in candidates], dtype=np.float64)


def foremost(candidates: Sequence[Candidate], parser: Parser) -> Floats:
    """Score by the second baseline: the entities near the beginning, and near each other."""
    return np.array([-position(structure) for structure in structures(parser, candidates)])


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
