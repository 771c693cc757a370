"""Weights of features, learned from graded candidates of corpora.

Corpora differ in size by a factor of a hundred, and in what they call a relation. To make the
ranker valid for entities of any kind, each corpus gets weights learned from it alone; they are
brought to one scale and averaged, so that the common part remains. The weight of a feature that is
rare in a corpus is uncertain, and counts little. The probability is calibrated on corpora that the
scores were not learned from.

A linear SVM learns from preferences: it sees the differences of two candidates' features, each pair
in both orders and without an intercept, so that the preference of a over b is the opposite of that
of b over a. Its weights then score a candidate alone, and ranking by that score equals comparing
all pairs.

References
----------
C. O. Tudor, K. Vijay-Shanker. RankPref: ranking sentences describing relations between biomedical
entities with an application. BioNLP 2012, 163-171: section 2.2.
J. Platt. Probabilistic outputs for support vector machines. Advances in Large Margin Classifiers,
1999, 61-74.
"""

import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import Any, Final, cast

import numpy as np

from relsent_ir.errors import InputError
from relsent_ir.relations.candidates import Candidate
from relsent_ir.relations.describing import MISSING, FeatureSettings, describe
from relsent_ir.relations.ranker import GradedCandidates, Learned, RelationRanker
from relsent_ir.relations.statements import packaged_statements
from relsent_ir.text.parsing import Parser
from relsent_ir.typing import NDArray, Sparse


def preference_pairs(
    candidates: Sequence[Candidate], cap: int, seed: int = 0, *, inside: bool = False
) -> NDArray[np.intp]:
    """Pair candidates of one group whose grades differ, the better one first.

    Parameters
    ----------
    cap : int
        A group with more pairs contributes a random sample of this size.
    inside : bool
        Include pairs inside one sentence.

    Returns
    -------
    ndarray of int, shape (pairs, 2)
        Rows of `candidates`.
    """
    grades = [cast("float", candidate.grade) for candidate in candidates]
    draw = random.Random(seed)  # noqa: S311 (no secret)
    pairs: list[tuple[int, int]] = []
    for rows in rows_by_group(candidates).values():
        differing = [
            (i, j)
            for i, j in product(rows, rows)
            if grades[i] > grades[j] and (inside or candidates[i].text != candidates[j].text)
        ]
        pairs += draw.sample(differing, cap) if len(differing) > cap else differing
    return np.array(pairs, dtype=np.intp).reshape(-1, 2)


def train_svm(features: Sparse, pairs: NDArray[np.intp], cost: float) -> NDArray[np.float64]:
    """Learn the weights of features from preferences.

    Parameters
    ----------
    features : scipy.sparse.csr_array of float, shape (candidates, features)
    pairs : ndarray of int, shape (pairs, 2)
        Rows of the better and the worse candidate.
    cost : float
        The SVM's C.

    Returns
    -------
    ndarray of float64, shape (features,)
    """
    from scipy.sparse import vstack
    from sklearn.svm import LinearSVC

    better, worse = pairs.astype(np.int32).T  # scikit-learn takes no wider indices
    differences = features[better] - features[worse]
    both: Any = vstack([differences, -differences], format="csr")
    svm = LinearSVC(C=cost, fit_intercept=False, dual="auto", random_state=0, max_iter=5000)
    weights: NDArray[np.float64] = svm.fit(both, np.repeat([1, -1], len(pairs))).coef_[0]
    return weights


COSTS: Final = {"paper": 0.01, "lexical": 0.0003}
"""The SVM's C, chosen by cross-validation on BioNLP-ST 2011 GE's training part."""

CAP: Final = 200
"""Preference pairs that are learned from, at most, in each group."""

LEAST: Final = 2
"""Candidates in training that must have a feature."""

SIZE: Final = 0.25
"""The default weight of a corpus is the number of its preferences to this power."""

SEEN: Final = 10.0
"""A corpus with n candidates that have a feature has n / (n + this) of its share in the feature's
weight. Chosen by cross-validation on the training parts, with the shares."""

FOLDS: Final = 5


@dataclass(frozen=True)
class GradedCorpus:
    """Weights learned from one corpus alone.

    Attributes
    ----------
    graded : GradedCandidates
    weights : dict of str to float
        Empty where no group has two sentences with different grades.
    pairs : int
        Number of preferences that they were learned from.
    seen : dict of str to int
        Number of candidates that have each feature.
    """

    graded: GradedCandidates
    weights: Mapping[str, float]
    pairs: int
    seen: Mapping[str, int]

    @classmethod
    def learn(cls, graded: GradedCandidates, cost: float) -> "GradedCorpus":
        """Learn from preferences for the higher grade among candidates of a group.

        Parameters
        ----------
        graded : GradedCandidates
        cost : float
            The SVM's C.
        """
        from sklearn.feature_extraction import DictVectorizer

        pairs = preference_pairs(graded.candidates, CAP)
        counts = Counter(name for row in graded.rows for name in row)
        if not len(pairs):
            return cls(graded, {}, 0, counts)
        names = sorted(name for name, count in counts.items() if count >= LEAST)
        columns = DictVectorizer().fit([dict.fromkeys(names, 1.0)])
        matrix = columns.transform(graded.rows)
        weights = train_svm(matrix, pairs, cost)
        weights /= float(np.std(matrix @ weights)) or 1.0
        return cls(graded, dict(zip(names, weights.tolist(), strict=True)), len(pairs), counts)


def combine(corpora: Sequence[GradedCorpus], shares: Sequence[float] | None = None) -> Learned:
    """Average the weights of corpora, which have one scale, by how often each has a feature.

    Parameters
    ----------
    corpora : sequence of GradedCorpus
        One without preferences is skipped.
    shares : sequence of float, optional
        The weight of each; by default the number of its preferences to the power of `SIZE`.

    Raises
    ------
    ValueError
        If none has preferences.
    """
    sums: dict[str, float] = defaultdict(float)
    totals: dict[str, float] = defaultdict(float)
    for place, corpus in enumerate(corpora):
        if corpus.pairs:
            share = shares[place] if shares else corpus.pairs**SIZE
            for name, count in corpus.seen.items():
                part = share * count / (count + SEEN)
                totals[name] += part
                if name in corpus.weights:
                    sums[name] += part * corpus.weights[name]
    if not sums:
        raise ValueError("no group has two sentences with different grades")
    learned = Learned({name: total / totals[name] for name, total in sums.items()}, 1.0)
    raw = np.concatenate([learned.raw(corpus.graded) for corpus in corpora])
    return Learned(learned.weights, float(np.std(raw)) or 1.0)


def calibrate(corpora: Sequence[GradedCorpus], cost: float) -> tuple[float, float]:
    """Fit slope and intercept of the probability to scores of candidates not learned from.

    Each corpus is scored with weights learned from the others; a single one by folds of its groups.
    All corpora count alike. A candidate states a relation if it has its corpus's highest grade.

    Returns
    -------
    (float, float)
        (0, 0) where there is nothing to calibrate on.
    """
    from sklearn.linear_model import LogisticRegression

    scores, stated, shares = [], [], []
    for held, rest in _parts(corpora, cost):
        try:
            learned = combine(rest)
        except ValueError:
            continue
        complete = [i for i, row in enumerate(held.rows) if MISSING not in row]
        scores.append(learned.scores(held)[complete] / learned.spread)
        stated.append(stating(held)[complete])
        shares.append(np.full(len(complete), 1 / max(1, len(complete))))
    if not scores or len(set(np.concatenate(stated).tolist())) < 2:
        return 0.0, 0.0
    model = LogisticRegression(C=np.inf).fit(
        np.concatenate(scores)[:, None], np.concatenate(stated), np.concatenate(shares)
    )
    return float(model.coef_[0, 0]), float(model.intercept_[0])


def stating(graded: GradedCandidates) -> NDArray[np.bool_]:
    """Return which candidates state a relation: those with the highest grade of their corpus."""
    grades = np.array([candidate.grade for candidate in graded.candidates], dtype=float)
    return np.asarray(grades == grades.max())


def _parts(
    corpora: Sequence[GradedCorpus], cost: float
) -> Iterator[tuple[GradedCandidates, list[GradedCorpus]]]:
    """Yield a held-out part and the corpora that remain: corpora, or folds of the only one."""
    if len(corpora) > 1:
        for out in corpora:
            yield out.graded, [corpus for corpus in corpora if corpus is not out]
        return
    graded = corpora[0].graded
    groups = list(dict.fromkeys(candidate.group for candidate in graded.candidates))
    fold = {name: n % FOLDS for n, name in enumerate(groups)}
    folds = np.array([fold[candidate.group] for candidate in graded.candidates], dtype=np.intp)
    for k in range(FOLDS):
        held, rest = (np.flatnonzero(part).tolist() for part in (folds == k, folds != k))
        if held and rest:
            yield _take(graded, held), [GradedCorpus.learn(_take(graded, rest), cost)]


def _take(graded: GradedCandidates, places: Sequence[int]) -> GradedCandidates:
    """Return some of the candidates."""
    return GradedCandidates(
        [graded.candidates[i] for i in places],
        [graded.rows[i] for i in places],
        graded.asserted[np.asarray(places, dtype=np.intp)],
    )


def train_ranker(
    corpora: Sequence[Sequence[Candidate]],
    parser: Parser,
    settings: FeatureSettings,
    *,
    shares: Sequence[float] | None = None,
    where: Path | None = None,
) -> RelationRanker:
    """Learn a ranker from graded candidates.

    Parameters
    ----------
    corpora : sequence of sequence of Candidate
    shares : sequence of float, optional
        The weight of each corpus (`combine`).
    where : Path, optional
        The candidates' file, for the error.

    Raises
    ------
    InputError
        If no group has two sentences with different grades.
    """
    statements = packaged_statements() if settings.kind == "lexical" else None
    cost = COSTS[settings.kind]
    learned = [
        GradedCorpus.learn(
            GradedCandidates.of(corpus, describe(corpus, parser, settings), statements), cost
        )
        for corpus in corpora
    ]
    try:
        combined = combine(learned, shares)
    except ValueError as error:
        raise InputError(str(error), where=where) from error
    return RelationRanker(parser, settings, replace(combined, calibration=calibrate(learned, cost)))


def rows_by_group(candidates: Iterable[Candidate]) -> dict[str, list[int]]:
    """Return the places of candidates by their group."""
    rows: dict[str, list[int]] = {}
    for row, candidate in enumerate(candidates):
        rows.setdefault(candidate.group, []).append(row)
    return rows
