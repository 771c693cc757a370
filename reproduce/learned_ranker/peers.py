"""What the ranker is set against: Anserini's RM3 and Rocchio, tuned on the same folds."""

from itertools import product
from typing import Final

from relsent_ir.feedback import RM3, Engine, Rocchio
from relsent_ir.lucene.read.search import BM25
from relsent_ir.trec import Qrels, evaluate
from relsent_ir.tuning import folds, select
from relsent_ir.typing import Progress
from reproduce.learned_ranker.study import FOLDS, Values

RANKERS: Final = (BM25(), BM25(1.2, 0.75))
RM3S: Final = [RM3(m, k, w) for m, k, w in product((10, 20, 40), (5, 10, 20), (0.35, 0.5))]
ROCCHIOS: Final = [
    Rocchio(m, k, 1.0, beta) for m, k, beta in product((20, 40, 80), (5, 10, 20), (0.75, 1.5))
]
BM25_ROW: Final = "BM25"
PEERS: Final = ("Anserini's RM3, tuned", "Anserini's Rocchio, tuned")

System = tuple[BM25, RM3 | Rocchio | None]


def peers(
    engine: Engine, topics: dict[str, str], qrels: Qrels, progress: Progress, *, tuned: bool = True
) -> dict[str, Values]:
    """Measure BM25, and the peers with the settings that each fold's other topics choose."""
    names = [topic for topic in topics if topic in qrels]
    judged = {topic: qrels[topic] for topic in names}
    asked = {topic: topics[topic] for topic in names}

    def score(system: System) -> Values:
        ranker, feedback = system
        run = engine.searcher(ranker, feedback=feedback).search(asked)
        progress(0, None)
        return {topic: of["map"] for topic, of in evaluate(judged, run, ["map"]).topics.items()}

    found = {BM25_ROW: score((RANKERS[0], None))}
    if tuned:
        splits = folds(names, FOLDS)
        tried: dict[str, list[RM3] | list[Rocchio]] = dict(
            zip(PEERS, (RM3S, ROCCHIOS), strict=True)
        )
        for name, settings in tried.items():
            systems: list[System] = [(ranker, one) for ranker in RANKERS for one in settings]
            found[name] = select(systems, score, splits).held_out()
    return found
