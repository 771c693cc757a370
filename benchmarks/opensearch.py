"""A collection in a cluster on this machine, beside Lucene's index of it, in one run.

Sends the collection to one node, then to three (six shards, two copies), and prints documents a
second and bytes a document; then what 1, 8 and 32 clients wait for ten hits, and for the first ten
of a thousand sentences that Huber+ puts into another order; our processor time of both, and of
reranking alone; by how much the process grows over 10,000 queries; and how many runs have Lucene's
ids in Lucene's order.

Run ``make opensearch``, then ``python -m benchmarks.opensearch --index DIR [--queries N] [--grow N]
[--nodes 1,3]``. Topics are titles of the collection's records.
"""

import argparse
import random
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

import relsent_ir as rir
from benchmarks.common import print_table
from benchmarks.search import SEED
from relsent_ir.budget import private_memory
from relsent_ir.cli.main import main as relsent
from relsent_ir.lucene.documents import UNITS
from relsent_ir.methods import MEDLINE
from tests.opensearch.nodes import HOME, Nodes

CLIENTS = (1, 8, 32)
MODEL, HITS = "huber-plus", 1000
METHODS = {
    "BM25": rir.BM25(),
    "query likelihood": rir.QueryLikelihood(),
    "RM3": rir.BM25() >> rir.RM3(),
    "Rocchio": rir.BM25() >> rir.Rocchio(),
    "medline": MEDLINE[0] >> MEDLINE[1],
}


def waits(ask: Callable[[str], object], texts: list[str], clients: int) -> tuple[float, float]:
    """Return the median and the 95th percentile of what clients wait, in milliseconds."""

    def timed(text: str) -> float:
        start = time.perf_counter()
        ask(text)
        return 1000 * (time.perf_counter() - start)

    with ThreadPoolExecutor(clients) as pool:
        times = list(pool.map(timed, texts))
    return float(np.percentile(times, 50)), float(np.percentile(times, 95))


def measure(name: str, collection: rir.Collection, texts: list[str]) -> list[list[str]]:
    """Return a row for each number of clients, of either way to search."""
    ways: dict[str, Callable[[str], object]] = {
        "10 hits": lambda text: collection.search(text, 10, unit="sentences", threads=1).hits,
        "Huber+ over 1,000": lambda text: (
            collection.rerank(
                collection.search(text, HITS, unit="sentences", threads=1).hits, text, MODEL
            ).hits
        ),
    }
    rows = []
    for way, ask in ways.items():
        ask(texts[0])
        for clients in CLIENTS:
            part = texts if way == "10 hits" else texts[: max(40, len(texts) // 10)]
            start, cpu = time.perf_counter(), time.process_time()
            half, most = waits(ask, part, clients)
            clock = time.perf_counter() - start
            own = 1000 * (time.process_time() - cpu) / len(part)
            figures = f"{half:.1f}", f"{most:.1f}", f"{len(part) / clock:.1f}", f"{own:.1f}"
            rows.append([name, way, str(clients), *figures])
    for model in ("I1.5", MODEL):
        own = f"{reranking(collection, texts[:100], model):.1f}"
        rows.append([name, f"reranking by {model}", "1", "", "", "", own])
    return rows


def reranking(collection: rir.Collection, texts: list[str], model: str) -> float:
    """Return our processor time of reranking alone, in milliseconds a topic."""
    used = []
    for text in (texts[0], *texts):  # the first reads what all need
        hits = collection.search(text, HITS, unit="sentences", threads=1).hits
        start = time.process_time()
        collection.rerank(hits, text, model)
        used.append(time.process_time() - start)
    return 1000 * float(np.mean(used[1:]))


def same(first: rir.Run, second: rir.Run) -> int:
    """Count the topics that have the same hits in the same order."""
    return sum(hits.ids.tolist() == second[topic].ids.tolist() for topic, hits in first.items())


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--index", type=Path, required=True)
    parser.add_argument("--queries", type=int, default=400)
    parser.add_argument("--grow", type=int, default=10_000)
    parser.add_argument("--nodes", default="1,3")
    asked = parser.parse_args()
    if not (HOME / "classes").is_dir():
        sys.exit("opensearch: make opensearch first")
    with rir.open_collection(asked.index) as here:
        names = sorted(here.indexes.abstracts.ids())
        titles = [record.title for record in here.indexes.records(names) if record.title]
        texts = random.Random(SEED).sample(titles, min(asked.queries, len(titles)))
        topics = {str(n): text for n, text in enumerate(texts)}
        rows = measure("Lucene here", here, texts)
        for count in map(int, asked.nodes.split(",")):
            with TemporaryDirectory() as folder, Nodes(Path(folder) / "cluster", count) as nodes:
                address = f"{nodes.address}/measured"
                start, cpu = time.perf_counter(), time.process_time()
                shards = "6" if count > 1 else "1"
                if relsent(
                    ["export", "--index", str(asked.index), "--to", address, "--shards", shards]
                ):
                    sys.exit(1)
                clock, own = time.perf_counter() - start, time.process_time() - cpu
                with rir.open_collection(address) as there:
                    units = [there.indexes.abstracts, there.indexes.sentences]
                    figures = [unit.statistics() for unit in units]
                    documents = sum(of["documents"] for of in figures)
                    told = ", ".join(
                        f"{of['bytes'] / max(1, of['documents']):.0f} bytes of {of['unit']} each"
                        for of in figures
                    )
                    print(
                        f"{count} nodes: {documents:,} documents sent, {documents / clock:.0f} a "
                        f"second ({documents / own:.0f} a second of ours); {told}"
                    )
                    for name, unit in product(METHODS, UNITS):
                        runs = (
                            of.search(topics, METHODS[name], HITS, unit=unit)
                            for of in (here, there)
                        )
                        equal = same(*runs)
                        print(
                            f"{count} nodes, {name}, {unit}: {equal} of {len(topics)} are Lucene's"
                        )
                    rows += measure(f"{count} nodes", there, texts)
                    before = private_memory()
                    for n in range(asked.grow):
                        there.search(texts[n % len(texts)], 10, unit="sentences", threads=1)
                    grown = private_memory() - before
                    print(f"{count} nodes: {asked.grow:,} queries later {grown:+.1f} MB")
    header = ["", "", "clients", "p50 ms", "p95 ms", "a second", "ours: CPU ms"]
    print_table(header, rows)


if __name__ == "__main__":
    main()
