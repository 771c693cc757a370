"""Learning to rerank similar articles from the reference lists of a collection.

Logistic regression on whether an article is a target, with the strength of regularisation chosen by
cross-validation over the topics.
"""

from collections.abc import Callable, Sequence
from itertools import starmap
from typing import Final

import numpy as np

from relsent_ir.citation.benchmark import Plan, build_benchmark, read_all
from relsent_ir.citation.candidate_features import COLUMNS, PEER
from relsent_ir.citation.documents import topic_text
from relsent_ir.citation.graph import CitationGraph
from relsent_ir.citation.reranking import CitationModel, candidate_features
from relsent_ir.citation.similar import find_similar
from relsent_ir.errors import MismatchError
from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.methods import Similar
from relsent_ir.typing import Floats, NDArray, Progress

DEPTH: Final = 300
"""Articles of each topic that are learned from."""
STRENGTHS: Final = (0.0003, 0.001, 0.01, 0.1)
"""Values of the regression's C: the smaller, the stronger the regularisation."""
FOLDS: Final = 5


def learn(
    x: Sequence[Floats],
    y: Sequence[NDArray[np.bool_]],
    measure: Callable[[NDArray[np.intp], Floats], Floats],
    strengths: Sequence[float] = STRENGTHS,
) -> tuple[Floats, float]:
    """Learn weights from topics, with the C that is best in cross-validation over them.

    Parameters
    ----------
    x : sequence of ndarray of float64, shape (candidates, features)
        By topic.
    y : sequence of ndarray of bool, shape (candidates,)
        Which candidates are targets.
    measure : callable
        Takes numbers of topics, and weights; returns the average precision of each topic.
    strengths : sequence of float
        The values of C to choose from.

    Returns
    -------
    weights : ndarray of float64, shape (features,)
    strength : float
        The C that was chosen.

    Raises
    ------
    MismatchError
        If no topic has a target, and another article, among its candidates.
    """
    if not any(labels.any() and not labels.all() for labels in y):
        raise MismatchError("the tuning topics have no targets to learn from")
    chosen = strengths[0]
    if len(strengths) > 1 and len(x) >= FOLDS:
        means = [_validated(x, y, measure, strength) for strength in strengths]
        chosen = strengths[int(np.argmax(means))]
    return _regress(x, y, chosen), chosen


def candidate_precision(scores: Floats, targets: NDArray[np.bool_], total: int) -> float:
    """Return a topic's average precision over its candidates; other targets count as missed."""
    ranks = np.sort((scores[None, :] >= scores[targets][:, None]).sum(axis=1))
    return float((np.arange(1, len(ranks) + 1) / ranks).sum() / max(1, total))


def _validated(
    x: Sequence[Floats],
    y: Sequence[NDArray[np.bool_]],
    measure: Callable[[NDArray[np.intp], Floats], Floats],
    strength: float,
) -> float:
    """Return the mean average precision over topics that were held out in turn."""
    fold = np.arange(len(x)) % FOLDS
    means = []
    for number in range(FOLDS):
        learned = np.flatnonzero(fold != number).tolist()
        weights = _regress([x[i] for i in learned], [y[i] for i in learned], strength)
        means.append(measure(np.flatnonzero(fold == number), weights))
    return float(np.concatenate(means).mean())


def _regress(
    features: Sequence[Floats], targets: Sequence[NDArray[np.bool_]], strength: float
) -> Floats:
    """Regress on standardised features; return weights for the features as they are."""
    from sklearn.linear_model import LogisticRegression

    x, y = np.concatenate(features), np.concatenate(targets)
    if y.all() or not y.any():
        return np.ones(x.shape[-1])
    deviation = x.std(axis=0)
    deviation = np.where(deviation > 0, deviation, 1.0)
    model = LogisticRegression(C=strength, max_iter=3000).fit((x - x.mean(axis=0)) / deviation, y)
    weights: Floats = model.coef_[0] / deviation
    return weights


def train(
    collection: Indexes,
    plan: Plan | None = None,
    *,
    command: str = "",
    progress: Callable[[str], Progress] | None = None,
) -> CitationModel:
    """Learn which of the first articles by BM25 share most references with an article.

    Parameters
    ----------
    collection : Indexes
        Its records have references.
    plan : Plan, optional
        The benchmark to learn from, with all its sets.
    command : str
        The command that is recorded with the model.
    progress : callable, optional
        Takes the name of a stage and returns a callback, which gets the number of topics done, and
        of all.

    Raises
    ------
    MismatchError
        If the records have no references, or too few of them share enough.
    """
    plan = plan or Plan()
    tell = progress or (lambda _stage: lambda _done, _total: None)
    index = collection.abstracts
    records = {record.id: record for record in read_all(index)}
    benchmark = build_benchmark(CitationGraph.build(records.values()), plan)
    targets = {topic: set(grades) for each in benchmark.sets for topic, grades in each.items()}
    texts = {topic: topic_text(records[topic]) for topic in targets}
    run = find_similar(collection, list(texts), Similar("bm25", PEER.k1, PEER.b), DEPTH)
    tick = tell("Computing features")
    features, relevant = [], []
    for topic, values in candidate_features(collection, run, texts):
        features.append(values)
        relevant.append(np.array([name in targets[topic] for name in run[topic].ids], dtype=bool))
        tick(len(features), len(run))
    totals = [len(targets[topic]) for topic in run]

    def measure(held: NDArray[np.intp], weights: Floats) -> Floats:
        scored = ((features[i] @ weights, relevant[i], totals[i]) for i in held)
        return np.array(list(starmap(candidate_precision, scored)))

    weights, strength = learn(features, relevant, measure)
    scores = {
        "map_of_bm25": [hits.scores for hits in run.values()],
        "map_on_training_topics": [each @ weights for each in features],
    }
    plan_facts = benchmark.summary["plan"]
    sources = [source.sha256 for source in index.facts.sources]
    facts = {
        "command": command,
        "data": {"sources": sources, "records": len(index)},
        "training": {**plan_facts, "topics": len(run), "depth": DEPTH, "C": strength},
        "scores": {
            name: float(np.mean(list(map(candidate_precision, each, relevant, totals))))
            for name, each in scores.items()
        },
        "weights": dict(zip(COLUMNS, map(float, weights), strict=True)),
    }
    return CitationModel(weights, facts)
