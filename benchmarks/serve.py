"""The reader's page under load: a server of its own process, asked over the loopback.

Siege: six requests for sentences that relate "the" and "of", and ten at the limits of what an
address may ask, all at once, while another reader searches five times a second.

Closed loop: 16 readers for two minutes, each of whom asks again as soon as there is an answer. Open
loop: four requests a second for ten minutes; the time of a request counts from when it is due,
whether the one before has been answered or not. Both ask for searches of sentences (two fifths), of
abstracts, abstracts, related sentences, themes, questions and names, with words from the titles of
records drawn at random. Parts of a page are asked for as its script does: after a 503 up to three
times again, when the server says.

Mixture: thirty readers for three minutes, who ask for every page equally often; four of them ask
for records of 20,000 letters of one fragment (`tests.cli.test_strange_texts`), with questions and
names that these have; the index has these records, with ids that begin with "strange".
One: a reader of the mixture alone. What the four ask for has rows of its own.

The report has the server's processor time for a request of each kind, the median of ten that are
asked one after the other; of each loop the percentiles of each kind, how often the script tried
again, errors by their lines, processor time a request, and the server's private memory before,
after and at most.

Run ``RELSENT_DATA=<data folder> python -m benchmarks.serve --ranker ranker [--index DIR]
[--only siege|closed|open|mixture|one] [--seconds S]``.
"""

import argparse
import json
import os
import random
import re
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache
from http.client import HTTPConnection
from itertools import count, cycle, islice
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event, Thread
from typing import Any, NamedTuple
from urllib.parse import urlencode, urlsplit

import numpy as np

from benchmarks.common import data_file, print_table, relsent_ir_command
from relsent_ir.lucene.read.index import Index

READERS, RATE = 16, 4.0  # requests a second, in all
WARM, TIMES = 40, 10  # requests before anything is measured; of each kind, one by one
KINDS = {
    "search": 40, "search abstracts": 10, "abstract": 20, "related": 20, "theme": 4, "question": 4,
    "names": 2,
}  # fmt: skip
PROBLEM = r'class="trouble"[^>]*>(.*?)<|did not work</h1>\s*<p>(.*?)<'
CLOCKS = ("p50", "p95", "p99", "max")
TITLES, SEED = 2000, 0
SECONDS = {"closed": 120.0, "open": 600.0, "mixture": 180.0, "one": 60.0}
MIXED, HOSTILE = 30, 4  # readers of the mixture, and those of them who ask for hostile records
AGAIN = 3  # times that the page's script tries again
SIX, BESIDE, QUIET = 6, 5.0, 15.0  # the/of; searches a second beside them; seconds of rest after


class Asked(NamedTuple):
    """A request: what kind, when it was due and answered, and how."""

    kind: str
    due: float
    done: float
    status: int
    told: str = ""
    again: int = 0


@cache
def drawn_titles(index: Path, prefix: str) -> dict[str, str]:
    """Return titles of records drawn at random whose ids begin so, by ids."""
    with Index(index) as opened:
        names = sorted(name for name in opened.ids() if name.startswith(prefix))
        if not names:
            sys.exit(f"serve: {index} has no records {prefix}…: add those of test_strange_texts")
        ids = random.Random(SEED).sample(names, min(TITLES, len(names)))
        return {record.id: record.title for record in opened.records(ids)}


def requests(index: Path, seed: int, what: str = "") -> Iterator[tuple[str, str]]:
    """Yield kinds and addresses, for ever: of `KINDS`, or of every "page" or "hostile" page."""
    drawn = random.Random(seed)
    titles = drawn_titles(index, "strange" if what == "hostile" else "")
    ids = list(titles)
    while True:
        name = drawn.choice(ids)
        words = re.findall(r"[A-Za-z]{4,}", titles[name]) or ["mice"]
        few = " ".join(drawn.sample(words, min(len(words), drawn.randint(2, 6))))
        first = f"{name}.0"
        of = {
            "search": "/?" + urlencode({"q": few}),
            "search abstracts": "/?" + urlencode({"q": few, "unit": "abstracts"}),
            "abstract": "/abstract?" + urlencode({"id": name, "q": few}),
            "related": "/related?" + urlencode({"id": f"{name}.1", "near": "true", "part": 1}),
            "theme": "/theme?" + urlencode({"id": name, "part": 1}),
            "question": "/question?" + urlencode({"q": f"Does {' '.join(words[:8])}?"}),
            "names": "/names?" + urlencode({"a": words[0], "b": words[-1]}),
            "facets": "/facets?" + urlencode({"q": few}),
            "basket": "/basket?" + urlencode({"id": name}),
            "similar": "/similar?" + urlencode({"id": name}),
            "themes": "/themes",
            "entity": "/entity?" + urlencode({"name": max(words, key=len)}),
            "why": "/why?" + urlencode({"q": few, "id": first}),
            "why related": "/why/related?" + urlencode({"from": first, "to": f"{name}.1"}),
            "why answer": "/why/answer?" + urlencode({"q": few, "id": first, "slot": "finding"}),
            "why names": "/why/names?" + urlencode({"a": words[0], "b": words[-1], "id": first}),
            "export": "/export/json?" + urlencode({"q": few, "n": 20}),
        }
        shares = dict.fromkeys(of, 1) if what else KINDS
        (kind,) = drawn.choices(list(shares), list(shares.values()))
        yield ("strange " if what == "hostile" else "") + kind, of[kind]


def limits(index: Path) -> list[str]:
    """Return the six addresses of the siege, and ten that ask for the most that one may."""
    with Index(index) as opened:
        ids = sorted(opened.ids())[:200]
        texts = [record.abstract or record.title for record in opened.records(ids)]
        first = max(ids, key=lambda name: len(texts[ids.index(name)]))
    longest = " ".join(texts)[:1000]
    common = ("the of and in to a with for was were patients cells study " * 20)[:1000]
    expanded = "BM25() >> RM3(fb_terms=1000000, fb_docs=1000000)"
    hardest: list[tuple[str, list[tuple[str, object]]]] = [
        ("/", [("q", common), ("page", 100)]),
        ("/", [("q", longest), ("unit", "abstracts"), ("page", 100), ("sort", "date")]),
        ("/", [("q", common), ("unit", "abstracts"), ("method", expanded)]),
        ("/facets", [("q", longest)]),
        ("/export/json", [("q", longest), ("n", 1000)]),
        ("/export/bibtex", [("q", common), ("n", 1000), ("unit", "abstracts")]),
        ("/related", [("id", f"{first}.1"), ("page", 100)]),
        ("/question", [("q", common), ("sentences", 1000), ("first_stage", "medline")]),
        ("/names", [("a", " ".join(["patients"] * 22)), ("b", "patients"), ("page", 100)]),
        ("/basket", [("id", name) for name in ids]),
    ]
    names = "/names?" + urlencode({"a": "the", "b": "of"})
    return [names] * SIX + [f"{path}?{urlencode(parameters)}" for path, parameters in hardest]


class Server(NamedTuple):
    """A server's process, and where it listens."""

    pid: int
    host: str

    def get(self, address: str) -> int:
        """Ask for a page, whole; gives its status, 0 if the connection failed."""
        return self.ask(address)[0]

    def ask(self, address: str) -> tuple[int, str, int]:
        """Ask for a page, whole; gives its status, what an error says, and how often again."""
        for again in count():
            connection = HTTPConnection(self.host, timeout=60)
            try:
                connection.request("GET", address)
                answer = connection.getresponse()
                text = answer.read().decode()
            except OSError as error:
                return 0, str(error), again
            finally:
                connection.close()
            if answer.status != 503 or "part=1" not in address or again == AGAIN:
                break
            time.sleep(float(answer.headers["Retry-After"]))
        if answer.status == 200:
            return 200, "", again
        shown = re.findall(PROBLEM, text, re.DOTALL)
        said = " ".join("".join(found).strip() for found in shown[:1]) or text[:80]
        return answer.status, said, again

    def memory(self) -> float:
        """Return the process's private memory, in MB."""
        told = Path(f"/proc/{self.pid}/status").read_text()
        return int(re.findall(r"RssAnon:\s+(\d+)", told)[0]) / 1024

    @contextmanager
    def watched(self) -> Iterator[list[float]]:
        """Give its memory, looked at ten times a second while the block runs."""
        seen, ended = [self.memory()], Event()

        def watch() -> None:
            while not ended.wait(0.1):
                seen.append(self.memory())

        watching = Thread(target=watch)
        watching.start()
        try:
            yield seen
        finally:
            ended.set()
            watching.join()

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


def siege(server: Server, asked: Callable[[], tuple[str, str]], index: Path) -> list[Asked]:
    """Ask for the most at once, and search beside it until all of that is answered."""
    hardest = limits(index)
    drawn = (asked() for _ in count())
    words = list(islice((address for kind, address in drawn if kind == "search"), 200))

    def hard(address: str) -> Asked:
        due = time.perf_counter()
        answer = server.ask(address)
        return Asked(address.partition("?")[0], due, time.perf_counter(), *answer)

    found = []
    with ThreadPoolExecutor(len(hardest)) as besiegers:
        waiting = [besiegers.submit(hard, address) for address in hardest]
        for address in cycle(words):
            due = time.perf_counter()
            answer = server.ask(address)
            found.append(Asked("search", due, time.perf_counter(), *answer))
            if all(future.done() for future in waiting):
                break
            time.sleep(max(0.0, due + 1 / BESIDE - time.perf_counter()))
        return found + [future.result() for future in waiting]


def open_loop(server: Server, asked: Callable[[], tuple[str, str]], seconds: float) -> list[Asked]:
    """Ask at fixed times, whoever still waits."""
    begun = time.perf_counter()

    def one(number: int, kind: str, address: str) -> Asked:
        due = begun + number / RATE
        time.sleep(max(0.0, due - time.perf_counter()))
        answer = server.ask(address)
        return Asked(kind, due, time.perf_counter(), *answer)

    with ThreadPoolExecutor(READERS) as readers:
        waiting = [readers.submit(one, n, *asked()) for n in range(int(seconds * RATE))]
        return [future.result() for future in waiting]


def closed_loop(
    server: Server, readers: list[Callable[[], tuple[str, str]]], seconds: float
) -> list[Asked]:
    """Ask again as soon as there is an answer."""
    end = time.perf_counter() + seconds
    pages = [[asked() for _ in range(400)] for asked in readers]

    def reader(own: list[tuple[str, str]]) -> list[Asked]:
        found = []
        for n in count():
            due = time.perf_counter()
            if due >= end:
                return found
            kind, address = own[n % len(own)]
            answer = server.ask(address)
            found.append(Asked(kind, due, time.perf_counter(), *answer))
        raise AssertionError

    with ThreadPoolExecutor(len(pages)) as threads:
        return [one for some in threads.map(reader, pages) for one in some]


def mixture(server: Server, index: Path, seconds: float, first: int = 0) -> list[Asked]:
    """Let readers ask for every page, those up to `HOSTILE` for hostile records."""
    kinds = ["hostile" if n < HOSTILE else "page" for n in range(first, MIXED)]
    readers = [requests(index, n, kind).__next__ for n, kind in enumerate(kinds)]
    return closed_loop(server, readers, seconds)


def told(found: list[Asked]) -> dict[str, dict[str, float]]:
    """Sum up each kind of request, and all."""
    rows = {}
    for kind in (*dict.fromkeys((*KINDS, *(one.kind for one in found))), "all"):
        some = [one for one in found if kind in (one.kind, "all")]
        if some:
            times = np.array([one.done - one.due for one in some])
            rows[kind] = {
                "requests": len(some),
                "again": sum(one.again for one in some),
                "errors": sum(one.status != 200 for one in some),
                "p50": float(np.quantile(times, 0.5)),
                "p95": float(np.quantile(times, 0.95)),
                "p99": float(np.quantile(times, 0.99)),
                "max": float(times.max()),
            }
    return rows


def main() -> None:
    """Serve, ask and tell."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--index", type=Path, help="of the abstracts collection")
    parser.add_argument("--model", help="what finds related sentences")
    parser.add_argument("--ranker", help="what orders hits")
    parser.add_argument("--cache", type=Path, help="where derived data are")
    parser.add_argument("--seconds", type=float, help="of each loop")
    parser.add_argument(
        "--only", choices=["siege", "open", "closed", "mixture", "one"], action="append"
    )
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    seconds = {name: given.seconds or default for name, default in SECONDS.items()}
    result: dict[str, dict[str, Any]] = {}
    with TemporaryDirectory() as temporary:
        index = given.index or Path(temporary, "index")
        if given.index is None:
            source = data_file("abstracts/abstracts.jsonl.gz")
            command = relsent_ir_command("index", "--input", source, "--index", index)
            subprocess.run(command, check=True, capture_output=True)
        chosen = {"--model": given.model, "--ranker": given.ranker, "--cache": given.cache}
        more = [str(word) for flag, one in chosen.items() if one for word in (flag, one)]
        pages = requests(index, SEED)
        with serving(index, *more) as server:
            for _ in range(WARM):
                server.get(next(pages)[1])
            single = {} if given.only else alone(server, pages.__next__)
            loops: dict[str, Callable[[], list[Asked]]] = {
                "siege": lambda: siege(server, pages.__next__, index),
                "closed": lambda: closed_loop(
                    server, [pages.__next__] * READERS, seconds["closed"]
                ),
                "open": lambda: open_loop(server, pages.__next__, seconds["open"]),
                "mixture": lambda: mixture(server, index, seconds["mixture"]),
                "one": lambda: mixture(server, index, seconds["one"], MIXED - 1),
            }
            for name in given.only or loops:
                used, began = server.processor(), time.perf_counter()
                with server.watched() as memory:
                    found = loops[name]()
                clock, used = time.perf_counter() - began, server.processor() - used
                time.sleep(QUIET)
                result[name] = {
                    "kinds": told(found),
                    "errors": Counter(f"{o.kind}: {o.status} {o.told}" for o in found if o.told),
                    "per_second": len(found) / clock,
                    "processor_s": used / max(1, len(found)),
                    "memory_mb": [memory[0], server.memory()],
                    "most_mb": max(memory),
                }
    if given.json:
        print(json.dumps({"alone": single, **result}))
        return
    print_table(["", "processor s"], [[kind, f"{took:.3f}"] for kind, took in single.items()])
    for name, of in result.items():
        print(
            f"\n{name}: {of['per_second']:.1f} requests/s, {of['processor_s']:.3f} s of "
            f"processor time each, memory {of['memory_mb'][0]:.0f} to {of['memory_mb'][1]:.0f} MB, "
            f"at most {of['most_mb']:.0f} MB"
        )
        rows = [
            [
                *(kind, str(row["requests"]), str(row["again"]), str(row["errors"])),
                *(f"{row[clock]:.3f}" for clock in CLOCKS),
            ]
            for kind, row in of["kinds"].items()
        ]
        print_table(
            ["", "requests", "again", "errors", *(f"{clock} (s)" for clock in CLOCKS)], rows
        )
        for line, number in of["errors"].items():
            print(f"{number} x {line}")


if __name__ == "__main__":
    main()
