"""Events and drugs in one ranker: the ways that were tried, by cross-validation inside each."""

import random
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

import numpy as np

from relsent_ir.relations import Candidate, evaluate
from relsent_ir.relations.corpora import SHARES
from relsent_ir.relations.describing import Features
from relsent_ir.relations.learning import COSTS, SEEN, Corpus, Graded, combine
from relsent_ir.typing import Floats
from reproduce.page import Steps, table
from reproduce.tudor_2012.domains import joined
from reproduce.tudor_2012.protocol import FOLDS, apply, article

Way = Callable[[Corpus, Corpus, Sequence[Features]], Floats]
"""Scores features by what events and drugs taught."""

CONTEXT: Final = ("between", "beside", "heads", "simplified")
"""Groups of features that hint at a candidate's domain."""


def _averaged(share: float) -> Way:
    """Average weights, whatever a corpus has seen."""

    def way(events: Corpus, drugs: Corpus, rows: Sequence[Features]) -> Floats:
        return apply(events.weights, rows) + share * apply(drugs.weights, rows)

    return way


def _backed(events: Corpus, drugs: Corpus, rows: Sequence[Features]) -> Floats:
    """Add to events' weights those of drugs, the more the fewer candidates have the feature."""
    weights: dict[str, float] = defaultdict(float, events.weights)
    for name, weight in drugs.weights.items():
        weights[name] += weight * 50 / (50 + events.seen.get(name, 0))
    return apply(weights, rows)


def _hinted(events: Corpus, drugs: Corpus, rows: Sequence[Features]) -> Floats:
    """Add to events' scores those of drugs times the probability that the domain is drugs'."""
    from sklearn.feature_extraction import DictVectorizer
    from sklearn.linear_model import LogisticRegression

    known = [_context(row) for corpus in (events, drugs) for row in corpus.graded.rows]
    counts = [len(corpus.graded.rows) for corpus in (events, drugs)]
    columns = DictVectorizer()
    machine = LogisticRegression(C=0.01, class_weight="balanced", max_iter=200)
    machine.fit(columns.fit_transform(known), np.repeat([0, 1], counts))
    hint = machine.predict_proba(columns.transform(list(map(_context, rows))))[:, 1]
    return np.asarray(apply(events.weights, rows) + hint * apply(drugs.weights, rows))


def _context(row: Features) -> Features:
    return {name: value for name, value in row.items() if name.partition(":")[0] in CONTEXT}


WAYS: Final[Mapping[str, Way]] = {
    "events alone": _averaged(0),
    "one SVM on the preferences of both": lambda events, drugs, rows: apply(
        joined([events, drugs], COSTS["lexical"]), rows
    ),
    "weights averaged 1 : 1": _averaged(1),
    "weights averaged 1 : 0.5": _averaged(0.5),
    "events' weights, and drugs' where events have seen a feature little": _backed,
    "events' scores, and drugs' times a guess of the domain": _hinted,
    f"averaged 1 : {SHARES['ddi']}, by how often a feature was seen: the package's": (
        lambda events, drugs, rows: apply(
            combine([events, drugs], [SHARES["ge"], SHARES["ddi"]]).weights, rows
        )
    ),
}


def attempts(known: Mapping[str, Corpus], test: Graded, step: Steps) -> dict[str, str]:
    """Measure each way inside both corpora, and on the devel part of the events."""
    events, drugs = known["ge"], known["ddi"]
    figures: dict[str, list[float]] = {name: [] for name in WAYS}
    for corpus, of_article in ((events, True), (drugs, False)):
        candidates = corpus.graded.candidates
        scores = {name: np.zeros(len(candidates)) for name in WAYS}
        for held, rest in _folds(candidates, of_article):
            part = Corpus.learn(corpus.graded.take(rest), COSTS["lexical"])
            pair = (part, drugs) if of_article else (events, part)
            rows = [corpus.graded.rows[i] for i in held]
            for name, way in WAYS.items():
                scores[name][held] = way(*pair, rows)
            step()
        for name, of in scores.items():
            found = evaluate(candidates, of)
            figures[name].append(found.pair_accuracy if of_article else found.mean("accuracy"))
    for name, way in WAYS.items():
        found = evaluate(test.candidates, way(events, drugs, test.rows))
        figures[name].append(found.pair_accuracy)
    cells = [[name, *(f"{100 * x:.2f}" for x in row)] for name, row in figures.items()]
    header = ["", "events: all pairs", "drugs: mean of documents", "devel: all pairs"]
    return {"attempts": table(header, cells), "seen": f"{SEEN:g}"}


def _folds(
    candidates: Sequence[Candidate], of_article: bool
) -> Iterator[tuple[list[int], list[int]]]:
    """Yield what is held out and the rest, by article or by document; seed 0."""
    parts = [article(one.group) if of_article else one.group for one in candidates]
    names = sorted(set(parts))
    random.Random(0).shuffle(names)  # noqa: S311 (no secret)
    fold = {name: n % FOLDS for n, name in enumerate(names)}
    for k in range(FOLDS):
        held = [i for i, name in enumerate(parts) if fold[name] == k]
        rest = [i for i, name in enumerate(parts) if fold[name] != k]
        if held and rest:
            yield held, rest
