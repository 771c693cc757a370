"""Queries a second at k = 1,000: ours beside LuceneSearcher, bare Lucene and bm25s.

All of them answer the same queries from the same terms and with the same BM25 (k1 0.9, b 0.4):

- *relsent-ir*: `Searcher.search`, from texts to all ids and scores in NumPy arrays, from the
  postings in memory (``--engine matrix``).
- *relsent-ir, Lucene*: the same by Lucene (``--engine lucene``).
- *LuceneSearcher*: Pyserini's, on the same index folder: a search a query, then the id and the
  score of each hit.
- *bare Lucene*: `IndexSearcher.search` of ready-made queries; nothing is brought to Python.
- *bm25s*: its fastest backend, Numba's, where Numba is installed (else NumPy's), given the terms of
  our analyzer ready-made, for the documents and for the queries; it gives ids and scores in NumPy
  arrays.

Everything runs on one thread, but for the last row. The peers take turns of at least a second,
each after a garbage collection; after a warm-up, the figures are medians over the turns. The
rankings of relsent-ir, by both engines, and LuceneSearcher must be identical. bm25s cannot rank as
Lucene does, which stores lengths above 40 terms rounded: the table says how many of the first 1,000
both have. Further tables have the same queries expanded to 50 terms by RM3, and both kinds over the
sentences, by both engines.

Run ``RELSENT_DATA=<data folder> python -m benchmarks.search``.
"""

import gzip
import json
import logging
import os
import random
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from benchmarks.common import data_file, medians, print_table
from relsent_ir.feedback import FeedbackSearcher
from relsent_ir.hits import Hits, Run
from relsent_ir.lucene.jvm import java
from relsent_ir.lucene.memory.postings import open_postings
from relsent_ir.lucene.read.index import Index
from relsent_ir.lucene.read.search import Searcher, similarity
from relsent_ir.lucene.write.indexing import build_index
from relsent_ir.methods import BM25, RM3
from relsent_ir.records import list_inputs
from relsent_ir.trec import read_topics

K = 1000
WARM_UP, ROUNDS, TURN = 2, 5, 1.0
TITLES = 200
SEED = 20240229


def queries_of_abstracts(topics: dict[str, str], collection: Path) -> dict[str, str]:
    """Add titles of the collection, chosen at random, to the topics."""
    with gzip.open(collection, "rt", encoding="utf-8") as lines:
        titles = [record["title"] for record in map(json.loads, lines) if record["title"]]
    chosen = random.Random(SEED).sample(titles, TITLES)
    return topics | {f"title {n}": title for n, title in enumerate(chosen)}


def lucene_searcher(searcher: Any, queries: dict[str, str]) -> Run:
    """Search as Pyserini's users do."""
    run = {}
    for qid, text in queries.items():
        hits = searcher.search(text, K)
        ids = np.array([hit.docid for hit in hits], dtype=object)
        run[qid] = Hits(ids, np.array([hit.score for hit in hits]))
    return run


def bare_lucene(searcher: Any, queries: list[Any]) -> None:
    """Search, and leave the hits where they are."""
    for query in queries:
        searcher.search(query, K)


class Bm25s:
    """The peer bm25s, fed the terms that Lucene has for each document.

    Parameters
    ----------
    index : Index
    ids : sequence of str
        Documents of it.
    copies : int
        How many times it gets them.
    """

    def __init__(self, index: Index, ids: Sequence[str], copies: int = 1) -> None:
        import bm25s

        logging.getLogger("bm25s").setLevel(logging.WARNING)
        vectors = index.vectors(ids)
        counts = vectors.counts
        terms = np.repeat(counts.indices, counts.data)
        ends = np.cumsum(counts.data)[counts.indptr[1:] - 1]
        tokens = [part.tolist() for part in np.split(terms, ends[:-1])]
        vocabulary = {term: n for n, term in enumerate(vectors.terms)}
        self._analysis = index.facts.analysis
        self._ids = np.tile(np.array(ids, dtype=object), copies)
        self._bm25 = bm25s.BM25(k1=0.9, b=0.4, method="lucene", backend="auto")
        self._bm25.index((tokens * copies, vocabulary), show_progress=False)

    def terms(self, queries: Mapping[str, str]) -> list[list[str]]:
        """Analyse texts."""
        return [self._analysis.terms(text) for text in queries.values()]

    def search(self, queries: list[list[str]], k: int = K) -> Any:
        """Return two arrays, ids and scores, of shape (queries, k)."""
        return self._bm25.retrieve(
            queries,
            corpus=self._ids,
            k=k,
            show_progress=False,
            backend_selection="auto" if self._bm25.backend == "numba" else "numpy",
        )

    @property
    def backend(self) -> str:
        """The name of its library."""
        return str(self._bm25.backend)

    @property
    def size(self) -> float:
        """What its matrix takes, in MB."""
        parts = self._bm25.scores.values()
        return sum(part.nbytes for part in parts if isinstance(part, np.ndarray)) / 1e6


def overlap(run: Run, theirs: Any) -> float:
    """Mean share of a run's hits that are among the same number of bm25s's."""
    shares = []
    for hits, ids in zip(run.values(), theirs.documents, strict=True):
        shares.append(len(set(hits.ids) & set(ids[: len(hits)])) / max(1, len(hits)))
    return float(np.mean(shares))


def assert_identical(ours: Run, theirs: Run) -> None:
    """Compare two runs: ids in their order, and scores.

    LuceneSearcher rounds scores to four decimals, and lowers each of several equal ones by 1e-6
    more than the one before: at rank n by up to n * 1e-6.
    """
    assert list(ours) == list(theirs)
    for qid, hits in ours.items():
        assert hits.ids.tolist() == theirs[qid].ids.tolist(), f"query {qid}: other ids"
        allowed = 1e-4 + 1e-6 * np.arange(len(hits))
        difference = np.abs(hits.scores - theirs[qid].scores)
        assert (difference < allowed).all(), f"query {qid}: other scores"


def compare(title: str, folder: Path, queries: dict[str, str]) -> None:
    """Time all peers on one collection, and print the tables."""
    from pyserini.search.lucene import LuceneSearcher

    with Index(folder) as index:
        start = time.process_time()
        postings = open_postings(index)
        built = time.process_time() - start
        size = sum(postings.sizes.values())
        start = time.process_time()
        ours = Searcher(index, BM25(), engine="matrix")
        ours.search({"": ""}, K)
        mapped = time.process_time() - start
        lucene = Searcher(index, BM25(), engine="lucene")
        theirs = LuceneSearcher(str(folder / "abstracts"))
        bare = java("org.apache.lucene.search.IndexSearcher")(index.reader)
        bare.setSimilarity(similarity(BM25()))
        bm25s = Bm25s(index, index.ids())
        terms = bm25s.terms(queries)
        peers = {
            "relsent-ir": partial(ours.search, queries, K),
            "relsent-ir, Lucene": partial(lucene.search, queries, K),
            "LuceneSearcher": partial(lucene_searcher, theirs, queries),
            "bare Lucene": partial(bare_lucene, bare, [ours.query(t) for t in queries.values()]),
            f"bm25s ({bm25s.backend})": partial(bm25s.search, terms),
            "relsent-ir, 2 threads": partial(ours.search, queries, K, threads=2),
        }
        run = ours.search(queries, K)
        assert run == lucene.search(queries, K), "the engines differ"
        assert_identical(run, lucene_searcher(theirs, queries))
        common = overlap(run, bm25s.search(terms))
        hits = sum(map(len, run.values())) / len(run)
        print(f"{title}: {len(index):,} records, {len(queries)} queries, {hits:.0f} hits a query")
        print(
            f"postings: {len(postings.documents):,}, {size / len(postings.documents):.1f} bytes "
            f"each; {built:.1f} CPU s to read and write, {mapped:.2f} to map"
        )
        time_peers(peers, len(queries))
        print(
            f"relsent-ir and LuceneSearcher: identical ids, order and scores in {len(run)} queries"
        )
        print(f"relsent-ir and bm25s: {common:.1%} of the first {K} in common\n")
        compare_expanded(title, index, queries)
    with Index(folder, "sentences") as index:
        compare_engines(f"{title}, {len(index):,} sentences", index, queries)
        compare_expanded(f"{title}, sentences", index, queries)


def compare_expanded(title: str, index: Index, queries: dict[str, str]) -> None:
    """Compare the engines on queries of 50 terms."""
    lucene = Searcher(index, BM25(), engine="lucene")
    expanding = FeedbackSearcher(lucene, index, RM3(fb_terms=50))
    expanded = {qid: e.weights for qid, e in expanding.expand(queries).items()}
    terms = sum(map(len, expanded.values())) / len(expanded)
    compare_engines(f"{title}, expanded by RM3 to {terms:.0f} terms", index, expanded)


def compare_engines(
    title: str, index: Index, queries: Mapping[str, str | Mapping[str, float]]
) -> None:
    """Time both engines, and see that they give the same."""
    ours = Searcher(index, BM25(), engine="matrix")
    lucene = Searcher(index, BM25(), engine="lucene")
    assert ours.search(queries, K) == lucene.search(queries, K), "the engines differ"
    print(title)
    time_peers(
        {
            "relsent-ir": partial(ours.search, queries, K),
            "relsent-ir, Lucene": partial(lucene.search, queries, K),
        },
        len(queries),
    )
    print("both engines: identical hits and scores\n", flush=True)


def time_peers(peers: dict[str, Callable[[], object]], queries: int) -> None:
    """Let peers answer by turns, and print a table."""
    collect = java("java.lang.System").gc
    medians(peers, WARM_UP, TURN, collect)
    seconds = medians(peers, ROUNDS, TURN, collect)
    ours = seconds["relsent-ir"].clock
    rows = [
        [
            name,
            f"{queries / taken.clock:,.0f}",
            f"{taken.cpu / queries * 1e3:.2f}",
            f"{taken.clock / ours:.2f}",
        ]
        for name, taken in seconds.items()
    ]
    print_table(["", "queries/s", "CPU ms a query", "relsent-ir is x times as fast"], rows)


def main() -> None:
    """Build both indexes, and print the tables."""
    cystic_fibrosis = data_file("cystic-fibrosis")
    abstracts = data_file("abstracts/abstracts.jsonl.gz")
    topics = read_topics(cystic_fibrosis / "cfquery", format="cystic-fibrosis")
    java("java.lang.String")  # Java must be started by us, before Pyserini does
    os.environ.setdefault("NUMBA_NUM_THREADS", "1")
    os.environ.setdefault("OPENAI_API_KEY", "dummy")  # else Pyserini cannot be imported
    with TemporaryDirectory() as temporary:
        for title, files, queries in (
            ("cystic fibrosis", sorted(cystic_fibrosis.glob("cf7?")), topics),
            ("abstracts", [abstracts], queries_of_abstracts(topics, abstracts)),
        ):
            folder = Path(temporary, title)
            build_index(list_inputs(files)[0], folder)
            compare(title, folder, queries)


if __name__ == "__main__":
    sys.exit(main())
