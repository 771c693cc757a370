"""Weights of features, learned from graded candidates of corpora, and the meaning of a score.

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
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, Final, cast

import numpy as np

from relsent_ir.relations.candidates import Candidate, rows_by_group
from relsent_ir.relations.describing import MISSING, Features, FeatureSettings, describe
from relsent_ir.relations.statements import FLAG, Statements
from relsent_ir.text.parsing import Parser
from relsent_ir.typing import Floats, NDArray, Progress, Sparse


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

FOLDS: Final = 5


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

    def take(self, places: Sequence[int]) -> "GradedCandidates":
        """Return some of the candidates."""
        return GradedCandidates(
            [self.candidates[i] for i in places],
            [self.rows[i] for i in places],
            self.asserted[np.asarray(places, dtype=np.intp)],
        )


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
            yield graded.take(held), [GradedCorpus.learn(graded.take(rest), cost)]
