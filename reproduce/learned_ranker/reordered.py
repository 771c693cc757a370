"""BM25 reordered by a model of related sentences alone, mixed with its own scores."""

from itertools import product
from typing import Final

from relsent_ir.aggregate import Aggregate
from relsent_ir.feedback import Engine
from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.lucene.read.search import BM25
from relsent_ir.rank import reorder
from relsent_ir.related.model import Model
from relsent_ir.related.reranker import RelatedReranker
from relsent_ir.trec import Qrels, evaluate
from relsent_ir.tuning import folds, select
from relsent_ir.typing import Progress
from reproduce.learned_ranker.study import FOLDS, Values

WEIGHTS: Final = (0.2, 0.35, 0.5, 0.65, 0.8)
AGGREGATES: Final = ("best", "mean:2", "mean:3")
DEPTH: Final = 100
"""Hits that get another order."""


def reordered(
    collection: Indexes, topics: dict[str, str], qrels: Qrels, model: Model, progress: Progress
) -> Values:
    """Measure it, the model's weight and the aggregate chosen by each fold's other topics."""
    names = [topic for topic in topics if topic in qrels]
    judged = {topic: qrels[topic] for topic in names}
    run = Engine(collection).searcher(BM25()).search({topic: topics[topic] for topic in names})
    reranker = RelatedReranker(model)
    reranker.remembered = {}

    def score(setting: tuple[float, str]) -> Values:
        weight, aggregate = setting
        found = reorder(
            reranker,
            collection,
            run,
            topics,
            depth=DEPTH,
            interpolate=weight,
            aggregate=Aggregate.parse(aggregate),
        )
        progress(0, None)
        return {topic: of["map"] for topic, of in evaluate(judged, found, ["map"]).topics.items()}

    settings = list(product(WEIGHTS, AGGREGATES))
    return select(settings, score, folds(names, FOLDS)).held_out()
