"""The reader's page under load: a server of its own process, asked over the loopback.

Open loop: 16 readers, four requests a second in all, for a minute; a request is due when it is due,
whether the one before has been answered or not, and its time counts from then. Then closed loop,
for half a minute: 16 readers, each asks again as soon as it is answered. What they ask: searches of
sentences (half), of abstracts, abstracts with their related sentences and similar articles, themes,
questions, with words from the titles of records drawn at random.

Told are the server's processor time for a request of each kind, the median of ten that are asked
one after the other; of each loop the median and the 99th percentile of each kind, errors, processor
time a request, and the server's memory, begun and ended.

Run ``RELSENT_DATA=<data folder> python -m benchmarks.serve [--index DIR] [--seconds 60]``.
"""

import argparse
import json
import os
import random
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http.client import HTTPConnection
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple
from urllib.parse import urlencode, urlsplit

import numpy as np

from benchmarks.common import data_file, print_table, relsent_ir_command
from relsent_ir.lucene.read.index import Index

READERS, RATE = 16, 4.0  # requests a second, in all
WARM, TIMES = 40, 10  # requests before anything is measured; of each kind, one by one
KINDS = {
    "search": 40, "search abstracts": 10, "abstract": 20, "related": 20, "theme": 5, "question": 5,
}  # fmt: skip
TITLES, SEED = 2000, 0
COUNTS, CLOCKS = ("requests", "errors"), ("p50", "p95", "p99")


class Asked(NamedTuple):
    """A request: what kind, when it was due and answered, and how."""

    kind: str
    due: float
    done: float
    status: int


def requests(index: Path, seed: int) -> Iterator[tuple[str, str]]:
    """Yield kinds and addresses, for ever."""
    drawn = random.Random(seed)
    with Index(index) as opened:
        ids = drawn.sample(sorted(opened.ids()), min(TITLES, len(opened)))
        titles = {record.id: record.title for record in opened.records(ids)}
    while True:
        (kind,) = drawn.choices(list(KINDS), list(KINDS.values()))
        name = drawn.choice(ids)
        words = re.findall(r"[A-Za-z]{4,}", titles[name]) or ["mice"]
        few = " ".join(drawn.sample(words, min(len(words), drawn.randint(2, 6))))
        yield (
            kind,
            {
                "search": "/?" + urlencode({"q": few}),
                "search abstracts": "/?" + urlencode({"q": few, "unit": "abstracts"}),
                "abstract": "/abstract?" + urlencode({"id": name, "q": few}),
                "related": "/related?" + urlencode({"id": f"{name}.1", "near": "true", "part": 1}),
                "theme": "/theme?" + urlencode({"id": name, "part": 1}),
                "question": "/question?" + urlencode({"q": f"Does {' '.join(words[:8])}?"}),
            }[kind],
        )


class Server(NamedTuple):
    """A server's process, and where it listens."""

    pid: int
    host: str

    def get(self, address: str) -> int:
        """Ask for a page, whole; gives its status, 0 if the connection failed."""
        connection = HTTPConnection(self.host, timeout=60)
        try:
            connection.request("GET", address, headers={"Accept-Encoding": "gzip"})
            answer = connection.getresponse()
            answer.read()
        except OSError:
            return 0
        finally:
            connection.close()
        return answer.status

    def memory(self) -> float:
        """Return the process's private memory, in MB."""
        told = Path(f"/proc/{self.pid}/status").read_text()
        return int(re.findall(r"RssAnon:\s+(\d+)", told)[0]) / 1024

    def processor(self) -> float:
        """Its processor seconds."""
        fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@contextmanager
def serving(index: Path, *more: str) -> Iterator[Server]:
    """Start a server, wait until it has opened everything, and end it."""
    command = relsent_ir_command("serve", "--index", index, "--port", "0", *more)
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        assert process.stdout
        server = Server(process.pid, urlsplit(process.stdout.readline().split()[0]).netloc)
        try:
            while server.get("/ready") != 200:
                time.sleep(0.5)
            yield server
        finally:
            process.terminate()
        if process.wait(60) not in (0, -15):
            sys.exit("serve: the server did not end well")


def alone(server: Server, asked: Callable[[], tuple[str, str]]) -> dict[str, float]:
    """Return the server's processor seconds for a request of each kind, one after the other."""
    found: dict[str, list[float]] = {kind: [] for kind in KINDS}
    while any(len(some) < TIMES for some in found.values()):
        kind, address = asked()
        if len(found[kind]) < TIMES:
            before = server.processor()
            server.get(address)
            found[kind].append(server.processor() - before)
    return {kind: float(np.median(some)) for kind, some in found.items()}


def open_loop(server: Server, asked: Callable[[], tuple[str, str]], seconds: float) -> list[Asked]:
    """Ask at fixed times, whoever still waits."""
    begun = time.perf_counter()

    def one(number: int, kind: str, address: str) -> Asked:
        due = begun + number / RATE
        time.sleep(max(0.0, due - time.perf_counter()))
        status = server.get(address)
        return Asked(kind, due, time.perf_counter(), status)

    with ThreadPoolExecutor(READERS) as readers:
        waiting = [readers.submit(one, n, *asked()) for n in range(int(seconds * RATE))]
        return [future.result() for future in waiting]


def closed_loop(
    server: Server, asked: Callable[[], tuple[str, str]], seconds: float
) -> list[Asked]:
    """Ask again as soon as there is an answer."""
    end = time.perf_counter() + seconds / 2
    pages = [[asked() for _ in range(400)] for _ in range(READERS)]

    def reader(own: list[tuple[str, str]]) -> list[Asked]:
        found = []
        for n in count():
            due = time.perf_counter()
            if due >= end:
                return found
            kind, address = own[n % len(own)]
            status = server.get(address)
            found.append(Asked(kind, due, time.perf_counter(), status))
        raise AssertionError

    with ThreadPoolExecutor(READERS) as readers:
        return [one for some in readers.map(reader, pages) for one in some]


def told(found: list[Asked]) -> dict[str, dict[str, float]]:
    """Sum up each kind of request, and all."""
    rows = {}
    for kind in (*KINDS, "all"):
        some = [one for one in found if kind in (one.kind, "all")]
        if some:
            times = np.array([one.done - one.due for one in some])
            rows[kind] = {
                "requests": len(some),
                "errors": sum(one.status != 200 for one in some),
                "p50": float(np.quantile(times, 0.5)),
                "p95": float(np.quantile(times, 0.95)),
                "p99": float(np.quantile(times, 0.99)),
            }
    return rows


def main() -> None:
    """Serve, ask and tell."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--index", type=Path, help="of the abstracts collection")
    parser.add_argument("--model", default="I1.5", help="what finds related sentences")
    parser.add_argument("--cache", type=Path, help="where derived data are")
    parser.add_argument("--seconds", type=float, default=60.0, help="of the open loop")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    result: dict[str, dict[str, object]] = {}
    with TemporaryDirectory() as temporary:
        index = given.index or Path(temporary, "index")
        if given.index is None:
            source = data_file("abstracts/abstracts.jsonl.gz")
            command = relsent_ir_command("index", "--input", source, "--index", index)
            subprocess.run(command, check=True, capture_output=True)
        more = ["--model", given.model, *(["--cache", str(given.cache)] if given.cache else [])]
        pages = requests(index, SEED)
        with serving(index, *more) as server:
            for _ in range(WARM):
                server.get(next(pages)[1])
            single = alone(server, pages.__next__)
            for name, loop in (("open", open_loop), ("closed", closed_loop)):
                memory, seconds, began = server.memory(), server.processor(), time.perf_counter()
                found = loop(server, pages.__next__, given.seconds)
                clock = time.perf_counter() - began
                result[name] = {
                    "kinds": told(found),
                    "per_second": len(found) / clock,
                    "processor_s": (server.processor() - seconds) / max(1, len(found)),
                    "memory_mb": [memory, server.memory()],
                }
    if given.json:
        print(json.dumps({"alone": single, **result}))
        return
    print_table(["", "processor s"], [[kind, f"{took:.3f}"] for kind, took in single.items()])
    for name, of in result.items():
        print(
            f"\n{name} loop: {of['per_second']:.1f} requests/s, {of['processor_s']:.3f} s of "
            f"processor time each, memory {of['memory_mb'][0]:.0f} to {of['memory_mb'][1]:.0f} MB"
        )
        rows = [
            [
                kind,
                str(row["requests"]),
                str(row["errors"]),
                f"{row['p50']:.3f}",
                f"{row['p99']:.3f}",
            ]
            for kind, row in of["kinds"].items()
        ]
        print_table(["", "requests", "errors", "p50 (s)", "p99 (s)"], rows)


if __name__ == "__main__":
    main()
