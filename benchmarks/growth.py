"""Growth of both engines with the collection: the abstracts once, twice, five and ten times.

The copies have new ids. At each size: what the postings take to read from Lucene (the new segments
alone), in bytes, and to map; then processor milliseconds a query of both engines, one thread, by
turns after a warm-up, for 100 titles, for the same expanded to 50 terms by RM3, and for as many
sentences of abstracts, each for the first 1,000 and the first 10. Hits must be identical.

Run ``RELSENT_DATA=<data folder> python -m benchmarks.growth [COPIES ...]``.
"""

import gzip
import json
import random
import sys
import time
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.common import data_file, medians, print_table
from relsent_ir.feedback import FeedbackSearcher
from relsent_ir.lucene.memory.postings import open_postings
from relsent_ir.lucene.read.index import Index
from relsent_ir.lucene.read.search import Searcher
from relsent_ir.lucene.write.indexing import build_index
from relsent_ir.methods import BM25, RM3
from relsent_ir.records import list_inputs, read_records

COPIES = 1, 2, 5, 10
TOPICS = 100
WARM_UP, ROUNDS, TURN = 1, 3, 1.0
SEED = 20240229
BUSY = 500  # topics of a kind, searched once before the first turn, so that Java has compiled


def main(*counts: int) -> None:
    """Let the index grow, and print a table at each size."""
    source = data_file("abstracts/abstracts.jsonl.gz")
    titles, sentences = some_topics(source)
    made = 0
    with TemporaryDirectory() as place:
        folder = Path(place, "index")
        for count in counts or COPIES:
            while made < count:
                file = Path(place, "copy.jsonl")
                with gzip.open(source, "rt", encoding="utf-8") as lines, file.open("w") as out:
                    for line in lines:
                        record = json.loads(line)
                        record["id"] = f"{record['id']}-{made}"
                        out.write(json.dumps(record) + "\n")
                build_index(list_inputs([file])[0], folder, append=made > 0)
                made += 1
                file.unlink()
            with Index(folder) as index:
                measure(index, count, titles, sentences)


def some_topics(source: Path) -> tuple[dict[str, str], dict[str, str]]:
    """Choose titles, and sentences of other records, at random."""
    records = [record for record in read_records(*list_inputs([source])[0][0]) if record.title]
    chosen = random.Random(SEED).sample(records, 2 * TOPICS)
    titles = {record.id: record.title for record in chosen[:TOPICS]}
    sentences = {r.id: max((s.text for s in r.sentences()), key=len) for r in chosen[TOPICS:]}
    return titles, sentences


def measure(index: Index, count: int, titles: dict[str, str], sentences: dict[str, str]) -> None:
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
        f"{size / len(postings.documents):.1f} bytes; {built:.1f} CPU s to read and write, "
        f"{mapped:.2f} to map; {anonymous():,.0f} MB in memory"
    )
    kinds: dict[str, Mapping[str, str | Mapping[str, float]]] = {
        "titles": titles,
        "sentences": sentences,
        "50 terms": expanded,
    }
    rows = []
    for kind, topics in kinds.items():
        for k in (1000, 10):
            peers = {name: partial(one.search, topics, k) for name, one in engines.items()}
            found = [find() for find in peers.values()]
            assert found[0] == found[1], "the engines differ"
            for find in peers.values():
                for _ in range(BUSY // TOPICS):
                    find()
            medians(peers, WARM_UP, TURN)
            taken = medians(peers, ROUNDS, TURN)
            ours, lucene = (taken[name].cpu / len(topics) * 1e3 for name in engines)
            rows.append([kind, str(k), f"{ours:.2f}", f"{lucene:.2f}", f"{lucene / ours:.1f}"])
    print_table(["", "hits", "matrix: CPU ms", "Lucene: CPU ms", "x"], rows)
    print(flush=True)


def anonymous() -> float:
    """Return the process's memory without mapped files, in MB (Linux)."""
    status = Path("/proc/self/status").read_text()
    return int(status.split("RssAnon:")[1].split()[0]) / 1024


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
