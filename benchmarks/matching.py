"""The best match among all sentences: a second, per core, and who finds what the exact match finds.

Two collections: the abstracts, and ten noisy copies of each (a tenth of the words dropped, a tenth
replaced by words of other sentences). One Huber model, trained on the first; its weights are
rounded to multiples of 2**-30, so that sums are the same in any order and scores can be compared to
the last bit. Queries are sentences drawn at random; their own records are left out. All on one
thread; the figures are processor time:

- *exact*: `LinearScorer.best`, queries in batches, and one at a time;
- *scipy*: every sentence scored, by sparse products (words × the query's features, made binary);
- *BM25, rerank*: Lucene's first 1,000, their ids looked up, scored by the same model;
- *MiniLM*: the product of a matrix of stored vectors (drawn at random: only their number matters)
  and one vector, and, with the extra ``bench``, encoding the queries.

Below, the share of the exact first ten among Lucene's candidates, and how many of the queries give
the ids and scores that scipy gives.

Run ``RELSENT_DATA=<data folder> python -m benchmarks.matching [--work FOLDER]``; what is in the
folder from an earlier run is used again.
"""

import argparse
import gzip
import json
import os
import random
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = "1"

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from benchmarks.common import data_file, print_table
from benchmarks.minilm import PACKAGE, MiniLM
from relsent_ir.lucene.read.index import Index
from relsent_ir.lucene.read.search import Searcher
from relsent_ir.lucene.write.indexing import build_index
from relsent_ir.methods import BM25
from relsent_ir.models import load, save
from relsent_ir.records import list_inputs
from relsent_ir.related.matching.exact import LinearQuery, LinearScorer, best_rows, open_scorer
from relsent_ir.related.store import open_store
from relsent_ir.related.training.train import train
from relsent_ir.related.weights import WeightModel

SEED = 20240229
PAIRS, LAMBDA0 = 60_000, 1e-7
K = 10
DEPTHS = (100, 1_000, 10_000)
BRUTE = 10  # queries that scipy is timed on
DIMENSIONS = 384
MOST_VECTORS = 2_000_000  # more do not fit into the memory of a small machine

Best = list[tuple[NDArray[np.intp], NDArray[np.float64]]]


def noisy_copies(source: Path, target: Path, copies: int) -> None:
    """Write each record several times, with a tenth of its words dropped and a tenth replaced."""
    chance = random.Random(SEED)
    with gzip.open(source, "rt", encoding="utf-8") as lines:
        records = [json.loads(line) for line in lines]
    pool = " ".join(chance.choice(records)["abstract"] or "" for _ in range(5_000)).split()

    def noisy(text: str) -> Iterator[str]:
        for word in text.split(" "):
            draw = chance.random()
            if draw >= 0.1:
                yield word if draw >= 0.2 or word.endswith(".") else chance.choice(pool)

    with target.open("w", encoding="utf-8") as file:
        for copy in range(copies):
            for record in records:
                changed = dict(record, id=f"{record['id']}-{copy}")
                for field in ("title", "abstract"):
                    changed[field] = " ".join(noisy(record.get(field) or ""))
                file.write(json.dumps(changed, ensure_ascii=False) + "\n")


def get_model(index: Path, path: Path) -> WeightModel:
    """Train the model if it is not there; round its weights."""
    if not path.exists():
        with Index(index) as opened:
            trained = train(opened, "huber", pairs=PAIRS, lambda0=LAMBDA0, content_share=1.0)
        save(path, trained)
    model = load(path, "related")
    assert isinstance(model, WeightModel)
    both, one = (np.round(w.astype(np.float64) * 2**30) / 2**30 for w in (model.both, model.one))
    threshold = round(model.threshold * 2**30) / 2**30
    return WeightModel("huber", model.lexicon, both, one, threshold, model.stopwords, model.facts)


class Brute:
    """Scores every sentence, by scipy's sparse products."""

    def __init__(self, scorer: LinearScorer) -> None:
        self.scorer = scorer
        store = scorer.store
        words, table = store.sentences.words, store.lexicon.table
        self.words = csr_array((np.ones(words.nnz), words.indices, words.indptr), words.shape)
        self.table = csr_array((np.ones(table.nnz), table.indices, table.indptr), table.shape)

    def best(self, query: LinearQuery) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
        """Find the first K."""
        shared = self.words @ self.table[:, query.features]
        shared.data[:] = 1.0
        scores = query.alone + self.scorer.alone + shared @ query.weights
        scores[self.scorer.store.record == query.record] = -np.inf
        least = np.partition(scores, len(scores) - K)[len(scores) - K]
        rows = np.flatnonzero(scores >= least)
        return best_rows(rows, scores[rows], K)


def through_lucene(
    searcher: Searcher,
    scorer: LinearScorer,
    asked: Mapping[str, str | Mapping[str, float]],
    queries: list[LinearQuery],
) -> Best:
    """Search, and rerank the first 1,000."""
    run = searcher.search(asked, 1_000, threads=1)
    found = []
    for hits, query in zip(run.values(), queries, strict=True):
        rows = scorer.store.rows(list(hits.ids))
        rows = rows[scorer.store.record[rows] != query.record]
        found.append(best_rows(rows, scorer.scores(query, rows), K))
    return found


def seconds(work: Callable[[], object]) -> float:
    """Return the processor's time for the second of two runs: other processes do not count."""
    work()
    begun = time.process_time()
    work()
    return time.process_time() - begun


def recall(
    searcher: Searcher,
    scorer: LinearScorer,
    asked: Mapping[str, str | Mapping[str, float]],
    queries: list[LinearQuery],
    exact: Best,
) -> list[str]:
    """Return the mean share of the exact first K among Lucene's candidates, for each depth."""
    run = searcher.search(asked, DEPTHS[-1] + 100, threads=1)
    shares = []
    for hits, query, (best, _) in zip(run.values(), queries, exact, strict=True):
        rows = scorer.store.rows(list(hits.ids))
        rows = rows[scorer.store.record[rows] != query.record]
        shares.append([np.isin(best, rows[:depth]).mean() for depth in DEPTHS])
    return [f"{share:.3f}" for share in np.mean(shares, axis=0)]


def compare(title: str, folder: Path, model: WeightModel, count: int, equal: int) -> None:
    """Time all ways on one collection, and print the tables."""
    with Index(folder, "sentences") as index:
        store = open_store(index, model.stopwords)
        scorer = open_scorer(store, model)
        assert scorer
        generator = np.random.default_rng(SEED)
        long_enough = np.flatnonzero(store.sentences.lengths >= 3)
        drawn = generator.choice(long_enough, max(count, equal), replace=False)
        ids = [store.ids[row] for row in drawn]
        texts = [str(json.loads(line)["contents"]) for line in index.raw(ids)]
        queries = scorer.queries(texts, store.record[drawn].tolist())
        some = queries[:count]
        asked = dict(zip(ids[:count], texts, strict=False))
        store.rows(ids * (2_001 // len(ids) + 1))  # the dictionary of ids, once
        bm25 = Searcher(index, BM25())
        brute = Brute(scorer)
        times = {
            "exact, in batches": seconds(lambda: scorer.best(some, K)) / count,
            "exact, one at a time": seconds(lambda: [scorer.best([q], K) for q in some]) / count,
            "BM25, rerank": seconds(lambda: through_lucene(bm25, scorer, asked, some)) / count,
            "scipy": seconds(lambda: [brute.best(q) for q in some[:BRUTE]]) / BRUTE,
        }
        if len(store) <= MOST_VECTORS:
            times["MiniLM, stored vectors"] = stored_vectors(len(store))
        print(f"{title}: {len(store):,} sentences, {count} queries, the first {K}, one thread")
        rows = [
            [name, f"{1e3 * t:.1f}", f"{len(store) / t / 1e6:.1f}"] for name, t in times.items()
        ]
        print_table(["", "ms a query", "million sentences a second"], rows)
        if find_spec(PACKAGE):
            minilm = MiniLM()
            encoding = seconds(lambda: minilm.encode(texts[:count])) / count
            print(f"MiniLM encodes a query in {1e3 * encoding:.1f} ms")
        best = scorer.best(queries, K)
        print()
        head = [f"among the first {depth:,}" for depth in DEPTHS]
        bm25_row = ["BM25", *recall(bm25, scorer, asked, some, best[:count])]
        print_table([f"exact first {K}", *head], [bm25_row])
        same = sum(
            rows.tolist() == by_scipy[0].tolist() and scores.tolist() == by_scipy[1].tolist()
            for (rows, scores), by_scipy in (
                (found, brute.best(query))
                for found, query in zip(best[:equal], queries[:equal], strict=True)
            )
        )
        print(
            f"exact and scipy: the same ids and scores in {same} of {equal} queries\n", flush=True
        )


def stored_vectors(count: int) -> float:
    """Time one query against so many vectors."""
    generator = np.random.default_rng(SEED)
    vectors = generator.standard_normal((count, DIMENSIONS), dtype=np.float32)
    query = vectors[0].copy()

    def best() -> object:
        cosines = vectors @ query
        return np.argpartition(cosines, len(cosines) - K)[-K:]

    return min(seconds(best) for _ in range(3))


def main() -> None:
    """Build what is missing, and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", type=Path, help="a folder that is kept")
    parser.add_argument("--queries", type=int, default=200)
    parser.add_argument("--equal", type=int, default=1000, help="queries compared with scipy")
    parser.add_argument("--copies", type=int, default=10)
    asked = parser.parse_args()
    source = data_file("abstracts/abstracts.jsonl.gz")
    with TemporaryDirectory() as temporary:
        work = asked.work or Path(temporary)
        work.mkdir(parents=True, exist_ok=True)
        build_index(list_inputs([source])[0], work / "abstracts")
        model = get_model(work / "abstracts", work / "model")
        compare("abstracts", work / "abstracts", model, asked.queries, asked.equal)
        if asked.copies > 1:
            copied = work / f"copies{asked.copies}.jsonl"
            if not copied.exists():
                noisy_copies(source, copied, asked.copies)
            folder = work / f"copies{asked.copies}"
            build_index(list_inputs([copied])[0], folder)
            compare(
                f"{asked.copies} noisy copies", folder, model, asked.queries, min(20, asked.equal)
            )


if __name__ == "__main__":
    sys.exit(main())
