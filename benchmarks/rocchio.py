"""Queries a second at k = 1,000 with Rocchio's feedback: ours beside Anserini's.

All of them have the same settings (10 terms of 10 documents, alpha 1, beta 0.75; BM25 0.9, 0.4) and
the same index; one thread:

- *relsent-ir*: `FeedbackSearcher.search`, from texts to all ids and scores in NumPy arrays.
- *LuceneSearcher*: Pyserini's with `set_rocchio`: a search a query, then the id and the score of
  each hit.
- *SimpleSearcher*: Anserini's Java class called directly: `search` a query, the hits of which come
  over as Java objects that nothing is asked of.
- *SimpleSearcher, in Java*: `batch_search` of all queries with one thread; the hits stay in Java,
  so that nothing crosses the border but the queries.

The peers take turns of at least a second, each after a garbage collection; after a warm-up, the
figures are medians over the turns. All of them must give the same ids in the same order; the
scores may differ by what LuceneSearcher rounds away and by the order in which Java adds up floats.

Run ``RELSENT_DATA=<data folder> python -m benchmarks.rocchio [--indexes FOLDER]``; the indexes
``cystic-fibrosis`` and ``abstracts`` that are in the folder are used.
"""

import argparse
import os
import sys
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from benchmarks.common import data_file, medians, print_table
from benchmarks.search import ROUNDS, TURN, WARM_UP, K, lucene_searcher, queries_of_abstracts
from relsent_ir.feedback import FeedbackSearcher
from relsent_ir.hits import Run
from relsent_ir.lucene.jvm import java
from relsent_ir.lucene.read.index import Index
from relsent_ir.lucene.read.search import Searcher
from relsent_ir.lucene.write.indexing import build_index
from relsent_ir.methods import BM25, Rocchio
from relsent_ir.records import list_inputs
from relsent_ir.trec import read_topics


def simple_searcher(folder: Path) -> Any:
    """Anserini's searcher with the settings of `Rocchio`."""
    rocchio = Rocchio()
    searcher = java("io.anserini.search.SimpleSearcher")(str(folder))
    searcher.set_bm25(0.9, 0.4)
    searcher.set_rocchio(
        None,
        rocchio.fb_terms,
        rocchio.fb_docs,
        rocchio.bottom_fb_terms,
        rocchio.bottom_fb_docs,
        rocchio.alpha,
        rocchio.beta,
        rocchio.gamma,
        False,
        False,
    )
    return searcher


def one_by_one(searcher: Any, queries: dict[str, str]) -> None:
    """Search each query."""
    for text in queries.values():
        searcher.search(text, K)


def in_java(searcher: Any, queries: dict[str, str]) -> None:
    """Search all queries in one call; the map that comes back is a Java object."""
    texts, names = (java("java.util.ArrayList")() for _ in range(2))
    for name, text in queries.items():
        texts.add(text)
        names.add(name)
    searcher.batch_search(texts, names, K, 1)


def assert_same(ours: Run, theirs: Run) -> float:
    """Compare two runs: the same ids in their order; gives the largest difference of scores."""
    largest = 0.0
    for qid, hits in ours.items():
        assert hits.ids.tolist() == theirs[qid].ids.tolist(), f"query {qid}: other ids"
        if len(hits):
            largest = max(largest, float(np.abs(hits.scores - theirs[qid].scores).max()))
    return largest


def compare(title: str, folder: Path, queries: dict[str, str]) -> None:
    """Time all peers on one index, and print the table."""
    from pyserini.search.lucene import LuceneSearcher

    with Index(folder) as index:
        ours = FeedbackSearcher(Searcher(index, BM25()), index, Rocchio())
        pyserini = LuceneSearcher(str(folder / "abstracts"))
        pyserini.set_bm25(0.9, 0.4)
        pyserini.set_rocchio()
        anserini = simple_searcher(folder / "abstracts")
        peers = {
            "relsent-ir": partial(ours.search, queries, K),
            "LuceneSearcher": partial(lucene_searcher, pyserini, queries),
            "SimpleSearcher": partial(one_by_one, anserini, queries),
            "SimpleSearcher, in Java": partial(in_java, anserini, queries),
        }
        collect = java("java.lang.System").gc
        medians(peers, WARM_UP, TURN, collect)
        seconds = medians(peers, ROUNDS, TURN, collect)
        run = ours.search(queries, K)
        largest = assert_same(run, lucene_searcher(pyserini, queries))
        hits = sum(map(len, run.values())) / len(run)
        print(f"{title}: {len(index):,} records, {len(queries)} queries, {hits:.0f} hits a query")
    ours_takes = seconds["relsent-ir"]
    rows = [
        [
            name,
            f"{len(queries) / taken.clock:,.0f}",
            f"{taken.cpu / len(queries) * 1e3:.2f}",
            f"{taken.clock / ours_takes.clock:.2f}",
            f"{taken.cpu / ours_takes.cpu:.2f}",
        ]
        for name, taken in seconds.items()
    ]
    header = ["", "queries/s", "CPU ms a query", "relsent-ir is x times as fast", "by CPU"]
    print_table(header, rows)
    print(f"The same ids in the same order in {len(run)} queries; scores differ by {largest:.1g}\n")


def main() -> None:
    """Build or find both indexes, and print both tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--indexes", type=Path, help="where the indexes are, or are built")
    asked = parser.parse_args()
    cystic_fibrosis = data_file("cystic-fibrosis")
    abstracts = data_file("abstracts/abstracts.jsonl.gz")
    topics = read_topics(cystic_fibrosis / "cfquery", format="cystic-fibrosis")
    java("java.lang.String")  # Java must be started by us, before Pyserini does
    os.environ.setdefault("OPENAI_API_KEY", "dummy")  # else Pyserini cannot be imported
    with TemporaryDirectory() as temporary:
        for title, files, queries in (
            ("cystic-fibrosis", sorted(cystic_fibrosis.glob("cf7?")), topics),
            ("abstracts", [abstracts], queries_of_abstracts(topics, abstracts)),
        ):
            folder = (asked.indexes or Path(temporary)) / title
            build_index(list_inputs(files)[0], folder)
            compare(title, folder, queries)


if __name__ == "__main__":
    sys.exit(main())
