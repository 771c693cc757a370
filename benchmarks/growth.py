"""Growth of both engines with the collection: the abstracts up to twenty times, beside bm25s.

The copies have new ids. IndexCollection indexes them for each size, from ready-made JSON lines,
with term vectors and nothing else. Told is what the postings take to read, in bytes, and to map;
then processor milliseconds a query, one thread, by turns after a warm-up, for 100 titles, for
the same expanded to 50 terms by RM3, and for as many sentences of abstracts, each for the first
1,000 and the first 10. Hits of both engines must be identical. bm25s, by Numba, gets ready-made
terms, and no weights of terms, so that it has no row of what was expanded.

Run ``RELSENT_DATA=<data folder> python -m benchmarks.growth [COPIES ...] [--kind KIND ...]``;
KIND is ``titles``, ``sentences`` or ``50 terms``.
"""

import argparse
import os
import random
import subprocess
import time
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.common import data_file, medians, print_table
from benchmarks.indexing import jsonl
from benchmarks.search import Bm25s
from relsent_ir.feedback import FeedbackSearcher
from relsent_ir.lucene.documents import abstract_document
from relsent_ir.lucene.jvm import anserini_jar, find_java
from relsent_ir.lucene.memory.postings import open_postings
from relsent_ir.lucene.read.index import Index
from relsent_ir.lucene.read.search import Searcher
from relsent_ir.methods import BM25, RM3
from relsent_ir.records import list_inputs, read_records

COPIES = 1, 2, 5, 10, 20
TOPICS = 100
KINDS = "titles", "sentences", "50 terms"
WARM_UP, ROUNDS, TURN = 1, 3, 1.0
SEED = 20240229
BUSY = 500  # topics of a kind, searched once at the first size, so that Java has compiled


def main() -> None:
    """Let the index grow, and print a table at each size."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("copies", nargs="*", type=int, default=COPIES)
    parser.add_argument("--kind", nargs="+", choices=KINDS, default=KINDS)
    chosen = parser.parse_args()
    os.environ.setdefault("NUMBA_NUM_THREADS", "1")
    source = data_file("abstracts/abstracts.jsonl.gz")
    titles, sentences = some_topics(source)
    texts = [abstract_document(record)[:2] for record in read_records(*list_inputs([source])[0][0])]
    for count in sorted({1, *chosen.copies}):
        with TemporaryDirectory() as place:
            copies, index = Path(place, "copies"), Path(place, "index")
            copies.mkdir()
            for number in range(count):
                lines = (jsonl(f"{name}-{number}", text) for name, text in texts)
                Path(copies, f"{number}.jsonl").write_text("".join(lines), encoding="utf-8")
            build(index, copies)
            with Index(index) as opened:
                measure(opened, count, titles, sentences, chosen.kind)


def build(index: Path, folder: Path) -> None:
    """Index a folder of JSON lines by Anserini."""
    java = [find_java().home / "bin" / "java", "-Xmx2g", "-cp", anserini_jar()]
    collection = ["-collection", "JsonCollection", "-input", folder, "-index", index]
    how = ["-generator", "DefaultLuceneDocumentGenerator", "-threads", "2", "-storeDocvectors"]
    command = [*java, "io.anserini.index.IndexCollection", *collection, *how]
    subprocess.run([*command, "-memoryBuffer", "1024"], check=True, capture_output=True)


def some_topics(source: Path) -> tuple[dict[str, str], dict[str, str]]:
    """Choose titles, and sentences of other records, at random."""
    records = [record for record in read_records(*list_inputs([source])[0][0]) if record.title]
    chosen = random.Random(SEED).sample(records, 2 * TOPICS)
    titles = {record.id: record.title for record in chosen[:TOPICS]}
    sentences = {r.id: max((s.text for s in r.sentences()), key=len) for r in chosen[TOPICS:]}
    return titles, sentences


def measure(
    index: Index,
    count: int,
    titles: dict[str, str],
    sentences: dict[str, str],
    chosen: Sequence[str],
) -> None:
    """Print what one size takes."""
    start = time.process_time()
    postings = open_postings(index)
    built = time.process_time() - start
    size = sum(postings.sizes.values())
    engines = {name: Searcher(index, BM25(), engine=name) for name in ("matrix", "lucene")}
    start = time.process_time()
    engines["matrix"].search({"": ""}, 1)
    mapped = time.process_time() - start
    expanding = FeedbackSearcher(engines["lucene"], index, RM3(fb_terms=50))
    expanded = {qid: e.weights for qid, e in expanding.expand(titles).items()}
    print(
        f"{count} x: {len(index):,} records, {len(postings.documents):,} postings of "
        f"{size / len(postings.documents):.1f} bytes, {size / 1e6:,.0f} MB; {built:.1f} CPU s "
        f"to read and write, {mapped:.2f} to map"
    )
    bm25s = Bm25s(index, [name for name in index.ids() if name.endswith("-0")], count)
    print(f"bm25s ({bm25s.backend}): a matrix of {bm25s.size:,.0f} MB")
    kinds: dict[str, Mapping[str, str | Mapping[str, float]]] = {
        "titles": titles,
        "sentences": sentences,
        "50 terms": expanded,
    }
    rows = []
    for kind in chosen:
        topics = kinds[kind]
        for k in (1000, 10):
            peers = {name: partial(one.search, topics, k) for name, one in engines.items()}
            found = [find() for find in peers.values()]
            assert found[0] == found[1], "the engines differ"
            if topics is not expanded:
                peers["bm25s"] = partial(bm25s.search, bm25s.terms(topics), k)
            for find in peers.values():
                for _ in range(BUSY // TOPICS if count == 1 else 0):
                    find()
            medians(peers, WARM_UP, TURN)
            taken = medians(peers, ROUNDS, TURN)
            ms = [seconds.cpu / len(topics) * 1e3 for seconds in taken.values()]
            told = [*(f"{one:.2f}" for one in ms), *(f"{one / ms[0]:.1f}" for one in ms[1:])]
            if topics is expanded:
                told = [told[0], told[1], "–", told[2], "–"]
            rows.append([kind, str(k), *told])
    heads = ["matrix: CPU ms", "Lucene: CPU ms", "bm25s: CPU ms", "x Lucene", "x bm25s"]
    print_table(["", "hits", *heads], rows)
    print(flush=True)


if __name__ == "__main__":
    main()
