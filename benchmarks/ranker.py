"""Cost of the second stage: features and scores of 1,000 candidates, beside Huber+'s reordering.

For collections of several sizes, on one thread, in processor time of one process a topic:

- *ranker*: `RankerReranker.rerank` with the packaged model, over the candidates of the preset:
  expanding the topic, the features, the scores; and the expansion alone.
- *Huber+ of the start*: `RelatedReranker.rerank` with a model of Huber+, over the same hits
  (``--huber-plus MODEL``, else the formula I1.5, which is cheaper).
- *LuceneSearcher*: Pyserini's search of the topic, k = 1,000 (if it is installed).

And the time of learning from all topics, and the peak memory of the process.

Run ``python -m benchmarks.ranker --index DIR [--index DIR ...] --topics FILE [--qrels FILE]``.
"""

import argparse
import os
import resource
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from benchmarks.common import print_table
from relsent_ir.api import Collection
from relsent_ir.hits import Run
from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.ranker.candidates import CandidateReader
from relsent_ir.ranker.ranking import RankerReranker
from relsent_ir.ranker.training import fit, judged_topics
from relsent_ir.related.reranker import RelatedReranker
from relsent_ir.trec import read_qrels, read_topics

WARM: int = 10
"""Other topics before, as scores are kept: by then ids' tables are made, and Java has compiled."""


def main() -> None:
    """Measure on each index, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--index", action="append", required=True, type=Path)
    parser.add_argument("--topics", required=True, type=Path)
    parser.add_argument("--qrels", type=Path)
    parser.add_argument("--huber-plus", default="I1.5")
    parser.add_argument("--number", type=int, default=20, help="Topics that are timed.")
    chosen = parser.parse_args()
    os.environ.setdefault("OPENAI_API_KEY", "dummy")  # else Pyserini cannot be imported
    topics = read_topics(chosen.topics)
    some = dict(list(topics.items())[: WARM + chosen.number])
    rows = []
    for folder in chosen.index:
        with Indexes(folder) as collection:
            rows.append([str(folder), *_costs(collection, some, chosen.huber_plus)])
    print_table(["ms a topic", "records", "ranker", "expansion", "related", "Lucene"], rows)
    print(f"related: {chosen.huber_plus}")
    if chosen.qrels:
        with Indexes(chosen.index[0]) as collection:
            _learning(collection, topics, chosen.qrels)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"peak memory {peak:.0f} MB")


def _costs(collection: Indexes, topics: dict[str, str], model: str) -> list[str]:
    reader = CandidateReader(collection)
    run = reader.search(reader.expand(topics), 1000)
    opened, ranker, related = Collection(collection), RankerReranker(), RelatedReranker(model)
    found = [
        _a_topic(lambda one: ranker.rerank(opened, one, topics), run),
        _a_topic(lambda one: reader.expand({topic: topics[topic] for topic in one}), run),
        _a_topic(lambda one: related.rerank(opened, one, topics), run),
        _lucene(collection.folder, topics),
    ]
    return [f"{len(collection.abstracts):,}", *found]


def _a_topic(work: Callable[[Run], object], run: Run) -> str:
    """Time a call for each topic alone, after the first ones; the median."""
    taken = []
    for number, (topic, hits) in enumerate(run.items()):
        start = time.process_time()
        work(Run({topic: hits}))
        if number >= WARM:
            taken.append(time.process_time() - start)
    return f"{1000 * float(np.median(taken)):.0f}"


def _lucene(folder: Path, topics: dict[str, str]) -> str:
    try:
        from pyserini.search.lucene import LuceneSearcher
    except ImportError:
        return "–"
    searcher = LuceneSearcher(str(folder / "abstracts"))
    texts = list(topics.values())
    for text in texts[:WARM]:
        searcher.search(text, 1000)
    start = time.process_time()
    for text in texts:
        searcher.search(text, 1000)
    return f"{1000 * (time.process_time() - start) / len(texts):.0f}"


def _learning(collection: Indexes, topics: dict[str, str], qrels: Path) -> None:
    start = time.process_time()
    read, groups = judged_topics(CandidateReader(collection), topics, read_qrels(qrels))
    middle = time.process_time()
    fit(read, groups)
    end = time.process_time()
    print(f"learning from {len(read)} topics: features {middle - start:.1f} s, ", end="")
    print(f"weights of all sets of groups {end - middle:.1f} s")


if __name__ == "__main__":
    main()
