"""Cost of the locks around Java, and memory that threads leave.

Before and after, in one process and by turns: with locks is the package as it is, without locks the
lock of `relsent_ir.lucene.jvm` is replaced by one that locks nothing. The same topics are searched
by one thread and by two, from texts to arrays. Medians over the turns.

The second figure is the memory of a process in which 3,000 threads, one after the other, have each
used Java: resident, before the first and after the last; and how many threads Java still knows.

Run ``RELSENT_DATA=<data folder> python -m benchmarks.locks``.
"""

import gc
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.common import data_file, medians, print_table
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


def resident() -> float:
    """Return the memory of this process in MB."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(status.partition("VmRSS:")[2].split()[0]) / 1024


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
            found = medians(peers, ROUNDS, TURN, gc.collect)
            rows = [
                [name, f"{len(topics) / took.clock:,.0f}", f"{took.cpu / len(topics) * 1e3:.3f}"]
                for name, took in found.items()
            ]
            print_table(["threads", "queries/s", "ms of processor time a query"], rows)
            started = resident()
            for _ in range(ENDED):
                thread = threading.Thread(target=index.ids)
                thread.start()
                thread.join()
            gc.collect()
            alive = jvm.java("java.lang.Thread").activeCount()
            print(
                f"{ENDED:,} threads that ended: {started:.0f} MB at first, {resident():.0f} after, "
                f"and Java knows {alive} threads"
            )


if __name__ == "__main__":
    main()
