"""Hours of ordinary life: updates, searches, matches, pages and kills; nothing is lost or grows.

One process keeps searching an index (BM25, RM3, sentences, related sentences), reranking, and
answering for the page (search, a record, what is related), with an index opened anew each round,
one round in four by four threads. Meanwhile another process applies an update file of revised, new
and deleted records while it searches on; one in three is ended by ``kill -9`` at a random moment
and started again. Every ten updates all moves are tagged again, under the same kills, an agent
asks over stdin, and the next of ten verbs is killed and compared (`benchmarks.kills`). After each
update

- the index holds exactly the records that are live, and each of them is found first by a word of
  its own, in its latest revision;
- threads give what one thread gives; the page shows what is live;
- memory (resident), open files and threads of the searching process are written down. Every
  twenty updates the index is merged, so that its size on the disk is compared too, and its runs are
compared with those of an index that is built from the live records: the same to the byte, moves
too.

Before the first update the process searches for some rounds, until Java uses all of its heap. At
the end medians over the second fifth of the rounds stand beside those over the last: 1, with a line
that says so, if one has grown by more than a tenth (memory: and 16 MB). The records are invented.
Run ``SOAK_S=3600 python -m benchmarks.soak`` (``make soak``).
"""

import asyncio
import json
import os
import random
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from itertools import cycle
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import NamedTuple

from mcp import Client, StdioServerParameters
from starlette.testclient import TestClient

import relsent_ir as rir
from benchmarks.common import print_table, relsent_ir_command
from benchmarks.kills import VERBS, Killed, prepare
from benchmarks.updates import SEED, WORDS, Collection
from relsent_ir.feedback import FeedbackSearcher
from relsent_ir.hits import Run
from relsent_ir.lucene.commits import read_commits
from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.lucene.read.index import Index
from relsent_ir.lucene.read.search import Searcher
from relsent_ir.methods import RM3
from relsent_ir.trec import write_run
from relsent_ir.web import Settings, create_app
from relsent_ir.web.settings import LOCAL

SECONDS = float(os.environ.get("SOAK_S", "3600"))
WARM = 40  # rounds before the first update, in which Java comes to use all of its heap
RECORDS, REVISED, NEW, DELETED = 300, 20, 5, 5
KILLED, THREADED, TAGGED, MERGED = 3, 4, 10, 20  # one in so many updates, rounds, updates, updates


class Held(NamedTuple):
    """MB resident, open files and threads of the process; and MB of the index."""

    memory: float
    files: int
    threads: int
    index: float


def held(folder: Path) -> Held:
    """Look at this process, and at the size of an index without the list of its sources."""
    status = Path("/proc/self/status").read_text(encoding="ascii").split("\n")
    told = dict(line.split(":", 1) for line in status if ":" in line)
    size = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
    commits = read_commits(folder)
    assert commits is not None
    size -= 2 * len(commits.facts.to_json())  # a line an update in both commits, as it should be
    files = len(list(Path("/proc/self/fd").iterdir()))
    return Held(int(told["VmRSS"].split()[0]) / 1024, files, int(told["Threads"]), size / 1e6)


def apply(index: Path, chance: random.Random, kill: bool, *what: str | Path) -> int:
    """Change the index in another process, after a kill at a random moment if so; count kills."""
    command = relsent_ir_command("index", "--index", index, "--moves", *what)
    kills, there = 0, index.exists()
    if kill:
        with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
            time.sleep(chance.uniform(0.3, 2.5))
            if process.poll() is None:
                process.send_signal(signal.SIGKILL)
                kills = 1
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        while process.poll() is None:
            time.sleep(0.1)
            if there:
                with Index(index) as abstracts:
                    Searcher(abstracts).search({"0": WORDS[0]}, 10)
    assert process.returncode == 0, "the update failed"
    return kills


def pages(index: Path, collection: Collection, chance: random.Random) -> int:
    """Rerank by two formulas, and ask the page; count the pages."""
    names = chance.sample(sorted(collection.live), 3)
    words = {str(n): " ".join(chance.choices(WORDS, k=3)) for n in range(5)}
    opened = rir.open_collection(index)
    run = opened.search(words, 20)
    for reranker in ("I1.5", "O3"):
        again = opened.rerank(run, words, reranker)
        for topic, hits in again.items():
            assert set(hits.ids) == set(run[topic].ids), "reranking loses or adds"
    settings = Settings(ranker="I1.5", hosts=(*LOCAL, "testserver"))
    with TestClient(create_app(opened, settings)) as client:
        for name in names:
            record = client.get("/api/abstract", params={"id": name})
            assert record.status_code == 200, record.text
            assert f"revision{collection.live[name]}." in record.text, "the page is old"
            answer = client.get("/api/search", params={"q": f"record{name}"})
            assert answer.status_code == 200, answer.text
            assert name in answer.text, "the page does not find it"
    return 2 * len(names)


def agents(index: Path, collection: Collection, chance: random.Random) -> int:
    """Ask for records as an agent does, over stdin and stdout; count the answers."""
    names = chance.sample(sorted(collection.live), 3)
    command, *rest = relsent_ir_command("mcp", "--index", index, "--model", "I1.5")

    async def ask() -> None:
        async with Client(StdioServerParameters(command=command, args=rest)) as client:
            for name in names:
                told = await client.call_tool("search", {"q": f"record{name}", "rank": "bm25"})
                assert name in str(told.structured_content), "an agent does not find it"
                told = await client.call_tool("record", {"id": name})
                revision = f"revision{collection.live[name]}."
                assert revision in str(told.structured_content), "an agent reads an old revision"

    asyncio.run(ask())
    return 2 * len(names)


def as_rebuilt(index: Path, collection: Collection) -> None:
    """Compare a merged index with one that is built of what is live."""
    topics = {str(n): " ".join(WORDS[n : n + 3]) for n in range(len(WORDS) - 3)}
    with TemporaryDirectory(dir=collection.folder) as name:
        whole = Path(name, "index")
        build = ("index", "--input", collection.whole(), "--index", whole, "--moves", "--optimize")
        subprocess.run(relsent_ir_command(*build), check=True, stdout=subprocess.DEVNULL)
        found = []
        for folder in (index, whole):
            for unit in ("abstracts", "sentences"):
                with Index(folder, unit) as opened:
                    run = Searcher(opened).search(topics, 1000)
                write_run(collection.folder / "run.txt", run)
                found.append((collection.folder / "run.txt").read_bytes())
            with Indexes(folder) as both:
                found.append(repr(both.moves(sorted(collection.live))).encode())
    assert found[:3] == found[3:], "not as a rebuild"


def ids(run: Run) -> dict[str, list[str]]:
    """Return the ids of a run's hits."""
    return {topic: hits.ids.tolist() for topic, hits in run.items()}


def check(index: Path, collection: Collection, chance: random.Random, threaded: bool) -> int:
    """Search, and compare all that is found with what is live; count the searches."""
    with Index(index) as abstracts, Index(index, "sentences") as sentences:
        assert set(abstracts.ids()) == set(collection.live), "records were lost, or came back"
        owners = {name.rpartition(".")[0] for name in sentences.ids()}
        assert owners == set(collection.live), "sentences without their record"
        some = chance.sample(sorted(collection.live), 20)
        topics = {name: f"record{name}" for name in some}
        by_bm25 = Searcher(abstracts)
        found = by_bm25.search(topics, 10)
        assert all(found[name].ids[0] == name for name in some), "a record is not found"
        for name, line in zip(some, abstracts.raw(some), strict=True):
            revision = f"revision{collection.live[name]}."
            assert revision in json.dumps(json.loads(line)), "an old revision"
        words = {str(n): " ".join(chance.choices(WORDS, k=3)) for n in range(50)}
        expanding = FeedbackSearcher(by_bm25, abstracts, RM3())
        tasks = [
            lambda: ids(by_bm25.search(words, 100)),
            lambda: ids(Searcher(sentences).search(words, 100)),
            lambda: ids(expanding.search(words, 100)),
        ]
        alone = [task() for task in tasks]
        if threaded:
            with ThreadPoolExecutor(4) as pool:
                together = list(pool.map(lambda n: tasks[n % 3](), range(12)))
            assert together == [alone[n % 3] for n in range(12)], "threads find something else"
        with rir.Collection(index) as collection:
            matched = collection.related(words, 10)
        assert {name.rpartition(".")[0] for hits in matched.values() for name in hits.ids} <= owners
    return 20 + 50 * (3 + 12 * threaded) + 50


def grown(history: list[Held], merged: list[float]) -> list[str]:
    """Print what was held early and late, and name what has grown."""
    fifth = max(1, len(history) // 5)
    parts = history[fifth : 2 * fifth] or history, history[-fifth:]
    early, late = (Held(*map(median, zip(*part, strict=True))) for part in parts)
    sizes = merged[1] if len(merged) > 1 else merged[0], merged[-1]
    rows = [
        ["resident, MB", f"{early.memory:.0f}", f"{late.memory:.0f}"],
        ["open files", f"{early.files:.0f}", f"{late.files:.0f}"],
        ["threads", f"{early.threads:.0f}", f"{late.threads:.0f}"],
        ["merged index, MB", f"{sizes[0]:.2f}", f"{sizes[1]:.2f}"],
    ]
    print_table(["held", "second fifth", "last fifth"], rows)
    limits = {
        "memory": late.memory <= 1.1 * early.memory + 16,
        "open files": late.files <= 1.1 * early.files,
        "threads": late.threads <= 1.1 * early.threads,
        "the index": sizes[1] <= 1.1 * sizes[0],
    }
    return [name for name, flat in limits.items() if not flat]


def main() -> int:
    """Live until the time is over; 1 if something grew."""
    os.environ.setdefault("RELSENT_HEAP", "64m")
    chance = random.Random(SEED)
    with TemporaryDirectory() as name:
        folder = Path(name)
        index = folder / "index"
        collection = Collection(folder)
        apply(index, chance, False, "--input", collection.update(0, RECORDS, 0))
        for turn in range(WARM):
            check(index, collection, chance, threaded=turn % THREADED == 0)
            pages(index, collection, chance)
        history: list[Held] = []
        template = folder / "template"
        prepare(template)
        verbs = cycle([Killed(template, folder / "killed", verb) for verb in VERBS])
        merged: list[float] = []
        until, kills, searches, answers, asked = time.monotonic() + SECONDS, 0, 0, 0, 0
        while time.monotonic() < until or not merged:
            turn = len(history)
            update = collection.update(REVISED, NEW, DELETED)
            kill = turn % KILLED == 0
            kills += apply(index, chance, kill, "--input", update, "--append")
            if turn % TAGGED == 0:
                kills += apply(index, chance, not kill)
                asked += agents(index, collection, chance)
                difference = next(verbs).again(chance.random())
                assert not difference, difference
                kills += 1
            if turn % MERGED == 0:
                merge = ("index", "--input", update, "--index", index)
                merge += ("--append", "--moves", "--optimize")
                subprocess.run(relsent_ir_command(*merge), check=True, stdout=subprocess.DEVNULL)
                as_rebuilt(index, collection)
            searches += check(index, collection, chance, threaded=turn % THREADED == 0)
            answers += pages(index, collection, chance)
            update.unlink()
            history.append(held(index))
            if turn % MERGED == 0:
                merged.append(history[-1].index)
        print(
            f"{len(history):,} updates, {kills} kills, {searches:,} searches, {answers:,} pages, "
            f"{asked} answers to agents, {len(merged)} rebuilds: all as they must be"
        )
        found = grown(history, merged)
    if found:
        print(f"grown: {', '.join(found)}")
    return min(1, len(found))


if __name__ == "__main__":
    sys.exit(main())
