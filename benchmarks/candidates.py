"""Share of the best sentences by Huber+ among its candidates, and the cost of finding them.

Sentences drawn at random are searched for, their own records left out: once with all sentences
scored by the whole model, once each by BM25 and ``--exact`` (telling shared words and the nearest
vectors), 1,000 candidates scored. The share of the first ten of all that each way
finds, and milliseconds of processor time a query, the second of two times.

Scoring all of half a million sentences takes a minute a query, so these are few; with ``--among N``
the first ten are those among the N best of ``--exact``, which takes seconds, so they can be more.

Run ``python -m benchmarks.candidates --index DIR --model MODEL [--queries N] [--among N]``.
"""

import argparse
import json
import os
import sys
import time
from pathlib import Path

os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = "1"

import numpy as np

from benchmarks.common import print_table
from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.related.features import with_text
from relsent_ir.related.matching.matcher import CANDIDATES, Matcher
from relsent_ir.related.pairs import LEAST_WORDS

SEED = 20240229
K = 10
DEPTH = 1_000
PART = 20_000  # sentences that are scored at a time


def best_of_all(matcher: Matcher, text: str, record: int) -> set[str]:
    """Score every sentence."""
    store = matcher.store
    scores = np.empty(len(store))
    for start in range(0, len(store), PART):
        rows = np.arange(start, min(start + PART, len(store)))
        few = with_text(text, store.sentences, rows, matcher.model.stopwords)
        scores[rows] = matcher.model.query_scores(few, 0, 1 + np.arange(len(rows)))
    scores[store.record == record] = -np.inf
    return {store.ids[row] for row in np.argsort(-scores, kind="stable")[:K].tolist()}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--index", type=Path, required=True)
    parser.add_argument("--model", required=True)
    parser.add_argument("--queries", type=int, default=8)
    parser.add_argument("--among", type=int, help="instead of scoring all sentences")
    asked = parser.parse_args()
    with Indexes(asked.index) as collection:
        matcher = Matcher(collection, asked.model)
        store = matcher.store
        long = np.flatnonzero(store.sentences.lengths >= LEAST_WORDS)
        rows = np.random.default_rng(SEED).permutation(long)[: asked.queries]
        ids = [store.ids[row] for row in rows.tolist()]
        lines = matcher.index.raw(ids)
        topics = {n: str(json.loads(line)["contents"]) for n, line in zip(ids, lines, strict=True)}
        best = {}
        for (name, text), row in zip(topics.items(), rows.tolist(), strict=True):
            if asked.among:
                run = matcher.related(
                    {name: text}, K, candidates="exact", depth=asked.among, without_own=True
                )
                best[name] = set(run[name].ids)
            else:
                best[name] = best_of_all(matcher, text, int(store.record[row]))
        table = []
        for way in CANDIDATES:
            depth = None if matcher.is_exact(way) else DEPTH
            for _ in range(2):
                begun = time.process_time()
                run = matcher.related(topics, K, candidates=way, depth=depth, without_own=True)
                seconds = time.process_time() - begun
            found = np.mean([len(best[name] & set(run[name].ids)) / K for name in topics])
            table.append([way, f"{found:.3f}", f"{1000 * seconds / len(topics):.0f}"])
        print(f"{len(store):,} sentences, {len(topics)} queries")
        print_table([f"{DEPTH:,} candidates", f"of the first {K}", "ms a query"], table)


if __name__ == "__main__":
    sys.exit(main())
