"""Many threads of one process on Java: no crash, and the results of one thread."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

Run = Callable[..., "CompletedProcess[str]"]

WORK = """
import json, sys, threading, time
from concurrent.futures import ThreadPoolExecutor

from relsent_ir.lucene.analyzers import Analysis
from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.lucene.read.filters import Filters
from relsent_ir.lucene.read.index import Index
from relsent_ir.lucene.read.search import Searcher
from relsent_ir.methods import BM25, QueryLikelihood

FOLDER, TEXTS = sys.argv[1], ("airway infection", "asthma in children", "sputum; lung", "the cells")
THREADS = 16

def hits(run):
    return {qid: [found.ids.tolist(), found.scores.tolist()] for qid, found in run.items()}

def search(n, unit):
    settings = ({}, {"model": QueryLikelihood(100.0 * (n + 1))}, {"fields": {"contents": 1.0 + n}},
                {"model": BM25(0.2 * (n + 1), 0.1 * n)},
                {"filters": Filters(years=(1970 + n, None))})
    with Index(FOLDER, unit) as index:
        searcher = Searcher(index, **settings[n % len(settings)])
        topics = dict(zip("abcd", TEXTS)) | {"w": {"airway": 1.0 + n, "lung": 0.5}}
        found = hits(searcher.search(topics, 3 + n, threads=1 + n % 2))
        first = found["a"][0][:2]
        return found, [searcher.explain(TEXTS[0], name) for name in first], index.raw(first)

def read(n, unit):
    with Index(FOLDER, unit) as index:
        ids = index.ids()[n : n + 5]
        vectors = index.vectors(ids)
        return (ids, index.documents(ids).tolist(), index.raw(ids), vectors.terms,
                vectors.counts.toarray().tolist(), index.frequencies(vectors.terms).tolist(),
                index.statistics(), len(index), index.content, index.mean_length)

def analyse(n, unit):
    stemmer = ("porter", "s", "none", "krovetz")[n % 4]
    return Analysis(stemmer, ("the", "of")).terms(TEXTS[n % 4] + " of the infected airways")

def share(n, unit):
    ids = SHARED.index(unit).ids()[n : n + 3]
    return [[s.text for s in part] for part in SHARED.parts(ids).values()], hits(
        SHARED_SEARCHER[0].search({"x": TEXTS[n % 4]}, 5))

def moves(n, unit):
    records = SHARED.records(SHARED.abstracts.ids()[n : n + 2])
    return [[(s.id, s.move, s.score) for s in part] for part in SHARED.tagged(records)]

TASKS = [(work, n, unit) for work in (search, read, analyse, share, moves)
         for n in range(5) for unit in ("abstracts", "sentences")]
SHARED, SHARED_SEARCHER = Indexes(FOLDER), []

def answer(number):
    work, n, unit = TASKS[number % len(TASKS)]
    return json.dumps(work(n, unit))
"""

ONE = (
    WORK
    + """
SHARED_SEARCHER.append(Searcher(SHARED.abstracts))
print(json.dumps([answer(number) for number in range(len(TASKS))]))
"""
)

FIRST = (
    WORK
    + """
with open(sys.argv[2]) as file:
    expected = json.load(file)
together = threading.Barrier(THREADS)
wrong = []

def begin(number):
    together.wait()
    if answer(number) != expected[number]:
        wrong.append(number)

TASKS = [task for task in TASKS if task[0] in (search, read, analyse)]
expected = expected[: len(TASKS)]
offset = int(sys.argv[3])
if offset % 2:
    from pathlib import Path
    from relsent_ir.lucene.read.search import warm_up
    warm_up(Path(FOLDER))
with ThreadPoolExecutor(THREADS) as pool:
    list(pool.map(begin, [(7 * i + offset) % len(TASKS) for i in range(THREADS)]))
print("wrong:", wrong)
"""
)

MIXED = (
    WORK
    + """
with open(sys.argv[2]) as file:
    expected = json.load(file)
SHARED_SEARCHER.append(Searcher(SHARED.abstracts))
until = time.monotonic() + float(sys.argv[3])
wrong, done = [], []

def go(number):
    step = 0
    while time.monotonic() < until:
        SHARED._cache.tagged = {}
        at = (7 * number + step) % len(TASKS)
        if answer(at) != expected[at]:
            wrong.append(TASKS[at][0].__name__)
        step += 1
    done.append(step)

with ThreadPoolExecutor(THREADS) as pool:
    list(pool.map(go, range(THREADS)))
print("wrong:", wrong)
print(sum(done), file=sys.stderr)
"""
)

MANY = """
import sys, threading
from relsent_ir.lucene.read.index import Index
from relsent_ir.lucene.jvm import exclusive, java

index = Index(sys.argv[1])

def alive():
    with exclusive():
        return int(java("java.lang.Thread").activeCount())

before = alive()
for _ in range(int(sys.argv[2])):
    thread = threading.Thread(target=index.documents, args=(["1"],))
    thread.start()
    thread.join()
print(alive() - before)
"""

CLOSING = """
import random, sys, threading, time, traceback
from collections import Counter

from relsent_ir.errors import RelsentError
from relsent_ir.feedback import Engine
from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.lucene.read.search import Searcher
from relsent_ir.methods import RM3, Rocchio, Smart

FOLDER, SECONDS = sys.argv[1], float(sys.argv[2])
TOPICS = {"a": "airway infection", "b": {"infect": 1.0, "": 2.0}, "c": ""}
until = time.monotonic() + SECONDS
outcomes = Counter()
shared = [Indexes(FOLDER)]

WORK = (
    lambda c: Searcher(c.abstracts).search(TOPICS, 5),
    lambda c: c.records(c.abstracts.ids()[:5]),
    lambda c: c.abstracts.vectors(c.abstracts.ids()[:5]),
    lambda c: Engine(c).searcher(feedback=RM3()).search({"a": TOPICS["a"]}, 5),
    lambda c: Engine(c, "sentences").searcher(feedback=Rocchio()).search({"a": TOPICS["a"]}, 5),
    lambda c: Engine(c, engine="matrix").searcher().search(dict.fromkeys("abcdefg", "lung"), 5),
    lambda c: Engine(c).searcher(smart=Smart("ltc.atn")).search(TOPICS, 5),
    lambda c: c.tagged(c.records(c.abstracts.ids()[:3])),
    lambda c: c.read([c.sentences.ids()[0], c.abstracts.ids()[1]]),
    lambda c: Searcher(c.sentences).explain("infection", c.sentences.ids()[1]),
    lambda c: (c.abstracts.statistics(), c.abstracts.segments(), c.abstracts.values("journal")),
)

def go(number):
    rng = random.Random(number)
    while time.monotonic() < until:
        collection = shared[0]
        if rng.random() < 0.05:
            shared[0] = Indexes(FOLDER)
            collection.close()
            continue
        try:
            rng.choice(WORK)(collection)
        except RelsentError as error:
            outcomes["closed" if " closed" in str(error) else str(error)] += 1
        except Exception as error:
            outcomes[type(error).__name__] += 1
            traceback.print_exc()
        else:
            outcomes["done"] += 1

threads = [threading.Thread(target=go, args=(number,)) for number in range(16)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(sorted(outcomes))
print(outcomes, file=sys.stderr)
"""


@pytest.fixture(scope="module")
def expected(sample_index: Path, run_python: Run, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The answers of one thread, in a file."""
    ran = run_python(ONE, sample_index)
    assert ran.returncode == 0, ran.stderr
    path = tmp_path_factory.mktemp("threads") / "expected.json"
    path.write_text(ran.stdout)
    assert len(json.loads(ran.stdout)) == 50
    return path


@pytest.mark.slow
@pytest.mark.parametrize("number", range(4))
def test_first_use_by_many_threads(sample_index, run_python, expected, number):
    """Java starts, and looks up its classes, under sixteen threads at once."""
    ran = run_python(FIRST, sample_index, expected, number)
    assert (ran.stdout, ran.stderr, ran.returncode) == ("wrong: []\n", "", 0)


@pytest.mark.slow
def test_mixed_work_of_many_threads(sample_index: Path, run_python: Run, expected: Path) -> None:
    """Sixteen threads, with indexes and searchers of their own, agree with one: half a minute."""
    ran = run_python(MIXED, sample_index, expected, 30)
    assert (ran.stdout, ran.returncode) == ("wrong: []\n", 0), ran.stderr
    assert int(ran.stderr) > 100


def test_two_threads_agree(sample_index: Path, run_python: Run, expected: Path) -> None:
    """The same, shortly."""
    ran = run_python(MIXED.replace("THREADS = 16", "THREADS = 3"), sample_index, expected, 2)
    assert (ran.stdout, ran.returncode) == ("wrong: []\n", 0), ran.stderr


@pytest.mark.slow
def test_closing(sample_index: Path, run_python: Run, tmp_path: Path) -> None:
    """Sixteen threads, one of which now and then closes what the others use: one kind of error."""
    folder = shutil.copytree(sample_index, tmp_path / "index")
    ran = run_python(CLOSING, folder, 60)
    assert (ran.stdout, ran.returncode) == ("['closed', 'done']\n", 0), ran.stderr


def test_finished_threads_leave_nothing(sample_index: Path, run_python: Run) -> None:
    """Java lets go of each thread that ends."""
    ran = run_python(MANY, sample_index, 200)
    assert (ran.stdout, ran.stderr) == ("0\n", "")


def test_close_in_a_forked_child(sample_index: Path, run_python: Run) -> None:
    """A child that lets go of its parent's index ends."""
    code = """
import os, sys
from relsent_ir.lucene.read.collection import Indexes

collection = Indexes(sys.argv[1])
collection.abstracts
child = os.fork()
if child == 0:
    collection.close()
    os._exit(7)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), len(collection.abstracts.ids()) > 0)
"""
    assert run_python(code, sample_index).stdout == "7 True\n"
