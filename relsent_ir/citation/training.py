"""Learning to rerank similar articles from the reference lists of a collection."""

from collections.abc import Callable
from typing import Any

import numpy as np

from relsent_ir.citation.benchmark import Plan, build_benchmark
from relsent_ir.citation.documents import topic_text
from relsent_ir.citation.features import COLUMNS, PEER
from relsent_ir.citation.graph import CitationGraph
from relsent_ir.citation.learned import DEPTH, LinearCombination, candidate_precision
from relsent_ir.citation.output import read_all
from relsent_ir.citation.reranking import CitationModel, candidate_features
from relsent_ir.citation.similar import find_similar
from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.typing import Progress


def train(
    collection: Indexes,
    plan: Plan | None = None,
    *,
    command: str = "",
    progress: Callable[[str], Progress] | None = None,
) -> CitationModel:
    """Learn which of BM25's first articles share most references with an article.

    Parameters
    ----------
    collection : Indexes
        Of records with references.
    plan : Plan, optional
        The benchmark to learn from; all its sets together.
    command : str
        What is noted as having made the model.
    progress : callable, optional
        Takes what is being done and gives a callback, which gets the number of topics done, and
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
    targets = {topic: set(grades) for some in benchmark.sets for topic, grades in some.items()}
    texts = {topic: topic_text(records[topic]) for topic in targets}
    run = find_similar(collection, list(texts), "bm25", DEPTH, bm25=PEER)
    tick = tell("Computing features")
    features, wanted = [], []
    for topic, found in candidate_features(collection, run, texts):
        features.append(found)
        wanted.append(np.array([name in targets[topic] for name in run[topic].ids], dtype=bool))
        tick(len(features), len(run))
    totals = [len(targets[topic]) for topic in run]
    learned = LinearCombination.learn(features, wanted, totals)
    scores = {
        "map_of_bm25": [hits.scores for hits in run.values()],
        "map_on_training_topics": [some @ learned.weights for some in features],
    }
    training: dict[str, Any] = {
        **benchmark.summary["plan"],
        "topics": len(run),
        "depth": DEPTH,
        "C": learned.strength,
    }
    facts = {
        "command": command,
        "data": {
            "sources": [source.sha256 for source in index.facts.sources],
            "records": len(index),
        },
        "training": training,
        "scores": {
            name: float(np.mean(list(map(candidate_precision, some, wanted, totals))))
            for name, some in scores.items()
        },
        "weights": dict(zip(COLUMNS, map(float, learned.weights), strict=True)),
    }
    return CitationModel(learned.weights, facts)
