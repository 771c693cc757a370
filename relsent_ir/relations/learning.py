"""Weights of features from graded candidates of one corpus or several, and what a score means.

Corpora differ in size by a hundred times, and in what they call a relation. So that the ranker
holds for entities of any kind, each corpus has weights learned from it alone, brought to one scale
and averaged: what they agree on remains. Of a feature that a corpus has hardly seen its weight says
little, and counts little. The probability is calibrated on corpora that the scores were not learned
from.

A linear SVM learns from preferences: it sees the differences of two candidates' features, each pair
in both orders and no intercept, so that the preference of a over b is the opposite of that of b
over a; its weights then score a candidate alone, and ranking by that score is what comparing them
all would give.

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
from typing import Any, Final

import numpy as np

from relsent_ir.relations.candidates import Candidate
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
        Of a group with more pairs, so many are drawn.
    inside : bool
        Pairs inside one sentence too.

    Returns
    -------
    ndarray of int, shape (pairs, 2)
        Rows of `candidates`.
    """
    members: dict[str, list[int]] = {}
    for i, candidate in enumerate(candidates):
        members.setdefault(candidate.group, []).append(i)
    draw = random.Random(seed)  # noqa: S311 (no secret)
    pairs: list[tuple[int, int]] = []
    for rows in members.values():
        found = [
            (i, j)
            for i in rows
            for j in rows
            if _grade(candidates[i]) > _grade(candidates[j])
            and (inside or candidates[i].text != candidates[j].text)
        ]
        pairs += draw.sample(found, cap) if len(found) > cap else found
    return np.array(pairs, dtype=np.intp).reshape(-1, 2)


def _grade(candidate: Candidate) -> float:
    assert candidate.grade is not None
    return candidate.grade


def train_svm(features: Sparse, pairs: NDArray[np.intp], cost: float) -> NDArray[np.float64]:
    """Learn the weights of features from preferences.

    Parameters
    ----------
    features : scipy.sparse.csr_array of float, shape (candidates, features)
    pairs : ndarray of int, shape (pairs, 2)
        Better, worse.
    cost : float
        The SVM's C.

    Returns
    -------
    ndarray of float64, shape (features,)
    """
    from scipy.sparse import vstack
    from sklearn.svm import LinearSVC

    rows = pairs.astype(np.int32)  # scikit-learn takes no wider indices
    differences = features[rows[:, 0]] - features[rows[:, 1]]
    both: Any = vstack([differences, -differences], format="csr")
    preferred = np.repeat([1, -1], len(pairs))
    machine = LinearSVC(C=cost, fit_intercept=False, dual="auto", random_state=0, max_iter=5000)
    machine.fit(both, preferred)
    weights: NDArray[np.float64] = machine.coef_[0]
    return weights


COSTS: Final = {"paper": 0.01, "lexical": 0.0003}
"""The SVM's C, chosen by cross-validation on BioNLP-ST 2011 GE's training part."""

CAP: Final = 200
"""Of a group's preference pairs, at most so many are learned from."""

LEAST: Final = 2
"""A feature needs so many candidates in training."""

SIZE: Final = 0.25
"""A corpus weighs as the number of its preferences to the power of this, where nothing is said."""

SEEN: Final = 10.0
"""A corpus that has a feature in n candidates has n / (n + this) of its say in its weight. Chosen
by cross-validation on the training parts, with the shares."""

LAST: Final = -1000.0
"""Added to the score of a sentence that lacks an entity, which puts it behind all others."""

HEDGED: Final = 0.05
"""Times the logarithm of the probability that the relation is asserted: added to a score, in units
of the scores' standard deviation. This and `FLAGGED` were chosen by cross-validation on BioNLP-ST
2011 GE's training part: pairs in the right order fall by 0.35 of 84.6 points, and those of an
asserted and a hedged relation rise from 59 to 67."""

LEAST_ASSERTED: Final = 1e-3
FLAGGED: Final = 0.3
"""Taken from the score of a sentence that is flagged, in the same units."""

FOLDS: Final = 5


@dataclass(frozen=True)
class Graded:
    """Graded candidates as the learner sees them.

    Attributes
    ----------
    candidates : sequence of Candidate
    rows : list of Features
    asserted : ndarray of float64, shape (candidates,)
        The probability that a relation is asserted, if stated; 1 where the model does not ask.
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
    ) -> "Graded":
        """Extract the features of candidates."""
        rows, asserted = [], []
        for row in describe(candidates, parser, settings, progress):
            rows.append(row.features)
            asserted.append(statements.asserted(row) if statements else 1.0)
        return cls(candidates, rows, np.array(asserted))

    def take(self, places: Sequence[int]) -> "Graded":
        """Return some of the candidates."""
        return Graded(
            [self.candidates[i] for i in places],
            [self.rows[i] for i in places],
            self.asserted[np.asarray(places, dtype=np.intp)],
        )


@dataclass(frozen=True)
class Learned:
    """What is learned from graded candidates.

    Attributes
    ----------
    weights : dict of str to float
        By the feature's name.
    spread : float
        The standard deviation of the scores of the candidates that were learned from.
    calibration : (float, float)
        Slope and intercept: the probability that the relation is stated is the logistic function of
        slope * score / spread + intercept. (0, 0) before it is calibrated.
    """

    weights: Mapping[str, float]
    spread: float
    calibration: tuple[float, float] = (0.0, 0.0)

    def scores(self, graded: Graded) -> Floats:
        """Score candidates; shape (candidates,)."""
        missing = np.array([MISSING in row for row in graded.rows], dtype=bool)
        return np.asarray(self.raw(graded) + self.hedges(graded.asserted) + LAST * missing)

    def hedges(self, asserted: Floats) -> Floats:
        """Return what is added to scores, by the probability that the relation is asserted."""
        penalty = HEDGED * np.log(np.maximum(asserted, LEAST_ASSERTED))
        return np.asarray(self.spread * (penalty - FLAGGED * (asserted < 1 - FLAG)))

    def raw(self, graded: Graded) -> Floats:
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
    """What is learned from one corpus alone.

    Attributes
    ----------
    graded : Graded
    weights : dict of str to float
        Empty where no group has two sentences with different grades.
    pairs : int
        The preferences that they were learned from.
    seen : dict of str to int
        In how many candidates each feature is.
    """

    graded: Graded
    weights: Mapping[str, float]
    pairs: int
    seen: Mapping[str, int]

    @classmethod
    def learn(cls, graded: Graded, cost: float) -> "GradedCorpus":
        """Learn from preferences: of two candidates of a group, which has the higher grade.

        Parameters
        ----------
        graded : Graded
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
    """Average the weights of corpora, which are to one scale, by how often each has seen a feature.

    Parameters
    ----------
    corpora : sequence of GradedCorpus
        One without preferences is passed over.
    shares : sequence of float, optional
        What each weighs; the number of its preferences to the power of `SIZE` by default.

    Raises
    ------
    ValueError
        If none has preferences.
    """
    sums: dict[str, float] = defaultdict(float)
    said: dict[str, float] = defaultdict(float)
    for place, corpus in enumerate(corpora):
        if corpus.pairs:
            share = shares[place] if shares else corpus.pairs**SIZE
            for name, count in corpus.seen.items():
                says = share * count / (count + SEEN)
                said[name] += says
                if name in corpus.weights:
                    sums[name] += says * corpus.weights[name]
    if not sums:
        raise ValueError("no group has two sentences with different grades")
    learned = Learned({name: total / said[name] for name, total in sums.items()}, 1.0)
    raw = np.concatenate([learned.raw(corpus.graded) for corpus in corpora])
    return Learned(learned.weights, float(np.std(raw)) or 1.0)


def calibrate(corpora: Sequence[GradedCorpus], cost: float) -> tuple[float, float]:
    """Find slope and intercept of the probability, on scores of candidates not learned from.

    Each corpus is scored by what was learned from the others; a single one by folds of its groups.
    A corpus counts as much as another. Stated is what has the highest grade of its corpus.

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
    machine = LogisticRegression(C=np.inf).fit(
        np.concatenate(scores)[:, None], np.concatenate(stated), np.concatenate(shares)
    )
    return float(machine.coef_[0, 0]), float(machine.intercept_[0])


def stating(graded: Graded) -> NDArray[np.bool_]:
    """Return which candidates state a relation: those with the highest grade of their corpus."""
    grades = np.array([candidate.grade for candidate in graded.candidates], dtype=float)
    return np.asarray(grades == grades.max())


def _parts(
    corpora: Sequence[GradedCorpus], cost: float
) -> Iterator[tuple[Graded, list[GradedCorpus]]]:
    """Yield what is held out and what the rest taught: corpora, or folds of the only one."""
    if len(corpora) > 1:
        for out in corpora:
            yield out.graded, [candidate for candidate in corpora if candidate is not out]
        return
    graded = corpora[0].graded
    groups = list(dict.fromkeys(candidate.group for candidate in graded.candidates))
    fold = {name: n % FOLDS for n, name in enumerate(groups)}
    for k in range(FOLDS):
        inside = [fold[candidate.group] == k for candidate in graded.candidates]
        held = [i for i, is_inside in enumerate(inside) if is_inside]
        rest = [i for i, is_inside in enumerate(inside) if not is_inside]
        if held and rest:
            yield graded.take(held), [GradedCorpus.learn(graded.take(rest), cost)]
