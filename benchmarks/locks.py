"""Cost of the locks around Java, and memory that ended threads leave behind.

One process searches the same topics by one thread and by two, from texts to arrays, in alternating
turns: with the lock of `relsent_ir.lucene.jvm`, and with one that locks nothing. Figures are
medians over the turns.

The second figure is the resident memory of a process before and after 3,000 threads, one after the
other, have used Java, and the number of threads that Java still knows.

Run ``RELSENT_DATA=<data folder> python -m benchmarks.locks``.
"""

import gc
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.common import data_file, medians, memory, print_table
from relsent_ir.lucene import jvm
from relsent_ir.lucene.read.index import Index
from relsent_ir.lucene.read.search import Searcher
from relsent_ir.lucene.write.indexing import build_index
from relsent_ir.records import list_inputs
from relsent_ir.trec import read_topics

K, ROUNDS, TURN = 1000, 9, 2.0
ENDED = 3000


@contextmanager
def without_locks() -> Iterator[None]:
    """Let all threads in."""
    lock: Any = jvm._lock
    free: Any = nullcontext()
    jvm._lock = free
    try:
        yield
    finally:
        jvm._lock = lock


def main() -> None:
    """Measure both."""
    source = data_file("cystic-fibrosis")
    topics = read_topics(source / "cfquery")
    with TemporaryDirectory() as name:
        folder = Path(name)
        build_index(list_inputs([source])[0], folder)
        with Index(folder) as index:
            searcher = Searcher(index)
            peers: dict[str, Callable[[], object]] = {}
            for threads in (1, 2):

                def after(threads: int = threads) -> object:
                    return searcher.search(topics, K, threads=threads)

                def before(threads: int = threads) -> object:
                    with without_locks():
                        return searcher.search(topics, K, threads=threads)

                peers |= {f"{threads}, without locks": before, f"{threads}, with locks": after}
                before(), after()
            seconds = medians(peers, ROUNDS, TURN, gc.collect)
            rows = [
                [name, f"{len(topics) / took.clock:,.0f}", f"{took.cpu / len(topics) * 1e3:.3f}"]
                for name, took in seconds.items()
            ]
            print_table(["threads", "queries/s", "ms of processor time a query"], rows)
            started = memory("VmRSS")
            for _ in range(ENDED):
                thread = threading.Thread(target=index.ids)
                thread.start()
                thread.join()
            gc.collect()
            alive = jvm.java("java.lang.Thread").activeCount()
            print(
                f"{ENDED:,} threads that ended: {started:.0f} MB at first, "
                f"{memory('VmRSS'):.0f} after, and Java knows {alive} threads"
            )


if __name__ == "__main__":
    main()
