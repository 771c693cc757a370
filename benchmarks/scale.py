"""Growth of indexing, matching and training on 1 to 20 times the abstracts collection.

`resampled` makes the larger collections. One index grows by `relsent-ir index --append`, without
moves, half of each step's files by one process and half by two; after each step

- the sentence store is added to, and what a Huber model says of each sentence worked out;
- 48 sentences of the abstracts find what is related to them among all: BM25's first 1,000, those
  scored by the model, and the exact match; one thread, the processor's time;
- Huber is trained on 60,000 related pairs for each time the collection is there, up to 5 times.

``python -m benchmarks.scale threads`` is indexing with moves, of the first records of the
abstracts, for each number of processes.

All is done by processes of its own. Seconds of the processor are theirs, with Java's and those of
the processes that they start. Memory is what all of them have beside mapped files and shared pages
(RssAnon), at its largest of a look every 50 ms. Results are a line of JSON in FOLDER/scale.jsonl
for each size; `scale_page.py` makes docs/results/scale.md of them.

Run ``RELSENT_DATA=<data folder> python -m benchmarks.scale grow FOLDER [SIZE ...]``, or ``python -m
benchmarks.scale threads [RECORDS [N ...]]``. ``SCALE_RECORDS=N`` takes the first N abstracts as
the collection that grows, and as much less pairs to train on.
"""

import gzip
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from benchmarks.common import data_file, relsent_ir_command

SIZES = (1, 2, 5, 10, 20)
RECORDS = 8000
SEED = 20240229
QUERIES, K, DEPTHS = 48, 10, (100, 1_000, 10_000)
WHOLE, PAIRS, MOST_TRAINED = 52_336, 60_000, 5
SETTINGS = ["--lambda0", "1e-6", "--content-share", "1"]
ABSTRACTS = "abstracts/abstracts.jsonl.gz"


def threads(records: int = RECORDS, *counts: int) -> None:
    """Print a line for each number of processes."""
    print("threads  records/s  clock s  cpu: own  others'   MB")
    with TemporaryDirectory() as place:
        source = Path(place, "some.jsonl")
        with gzip.open(data_file(ABSTRACTS), "rt") as lines:
            source.write_text("".join(islice(lines, records)))
        for count in counts or (1, 2):
            options = ["--input", source, "--index", f"{place}/{count}", "--threads", count]
            took = measured(relsent_ir_command("index", "--moves", *options))
            print(
                f"{count:7}  {records / took['clock']:9,.0f}  {took['clock']:7.1f}  "
                f"{took['own']:8.1f}  {took['others']:7.1f}  {took['memory']:5,.0f}"
            )


def grow(folder: Path, *sizes: int) -> None:
    """Let a collection grow, and measure it at each size."""
    from benchmarks.resampled import Resampler

    folder.mkdir(parents=True, exist_ok=True)
    index, model = folder / "index", folder / "model"
    some = int(os.environ.get("SCALE_RECORDS", "0"))
    base = data_file(ABSTRACTS)
    if some:
        base = folder / "0.jsonl"
        with gzip.open(data_file(ABSTRACTS), "rt") as lines:
            base.write_text("".join(islice(lines, some)))
    source = Resampler(base)
    pairs = PAIRS * len(source.facts) // WHOLE
    there = 0
    for size in sizes or SIZES:
        result: dict[str, Any] = {"size": size, "records": size * len(source.facts)}
        inputs = []
        for copy in range(there, size):
            inputs.append(folder / f"{copy}.jsonl" if copy else base)
            if copy:
                source.write(copy, inputs[-1])
        half = (len(inputs) + (there == 0)) // 2
        for count, some in ((1, inputs[:half]), (2, inputs[half:])):
            if some:
                options = ["--index", index, "--append", "--threads", count, "--input", *some]
                result[f"index{count}"] = measured(relsent_ir_command("index", *options))
                result[f"index{count}"]["records"] = len(some) * len(source.facts)
        for path in inputs:
            if path.parent == folder:
                path.unlink()
        there = size
        result["bytes"] = {unit: occupied(index / unit) for unit in ("abstracts", "sentences")}
        if size <= MOST_TRAINED:
            output = folder / f"model{size}"
            options = ["--index", index, "--pairs", size * pairs, "--output", output]
            result["train"] = measured(relsent_ir_command("train", "related", *options, *SETTINGS))
            if not model.exists():
                output.rename(model)
        for step in ("store", "match"):
            command = [sys.executable, "-m", "benchmarks.scale", step, index, model]
            result[step] = measured([*map(str, command)])
        result["bytes"]["related"] = occupied(index / "derived")
        with (folder / "scale.jsonl").open("a") as file:
            file.write(json.dumps(result) + "\n")
        print(json.dumps(result), flush=True)


def store(index: str, model: str) -> None:
    """Build what matching reads, or add to it; print what is stored."""
    from relsent_ir.lucene.read.index import Index
    from relsent_ir.models import load
    from relsent_ir.related.matching.exact import open_scorer
    from relsent_ir.related.store import open_store

    trained = load(Path(model), "related")
    with Index(index, "sentences") as opened:
        begun = time.process_time()
        made = open_store(opened, trained.stopwords)
        stored = time.process_time()
        open_scorer(made, trained)
        told = {
            "sentences": len(made),
            "words": made.sentences.words.nnz,
            "vocabulary": len(made.lexicon.words),
            "features": len(made.lexicon),
            "store_s": stored - begun,
            "numbers_s": time.process_time() - stored,
        }
    print(json.dumps(told))


def match(index: str, model: str) -> None:
    """Match by BM25 and exactly; print the processor's milliseconds a query, and what is found."""
    from relsent_ir.lucene.read.index import Index
    from relsent_ir.lucene.read.search import Searcher
    from relsent_ir.methods import BM25
    from relsent_ir.models import load
    from relsent_ir.related.matching.exact import best_rows, open_scorer
    from relsent_ir.related.store import open_store

    trained = load(Path(model), "related")
    with Index(index, "sentences") as opened:
        made = open_store(opened, trained.stopwords)
        scorer = open_scorer(made, trained)
        topics = drawn(Path(model).parent / "topics.json", opened, made)
        owners = [made.record_of(topic) for topic in topics]
        queries = scorer.queries(list(topics.values()), owners)
        searcher = Searcher(opened, BM25())

        def rows(depth: int) -> list[Any]:
            run = searcher.search(topics, depth, threads=1)
            found = [made.rows(list(hits.ids)) for hits in run.values()]
            return [r[made.record[r] != own] for r, own in zip(found, owners, strict=True)]

        def rerank() -> None:
            for query, candidates in zip(queries, rows(1000), strict=True):
                best_rows(candidates, scorer.scores(query, candidates), K)

        told = {
            "bm25_ms": milliseconds(lambda: searcher.search(topics, 1000, threads=1)),
            "rerank_ms": milliseconds(rerank),
            "exact_ms": milliseconds(lambda: scorer.best(queries, K)),
            "exact_single_ms": milliseconds(lambda: [scorer.best([q], K) for q in queries]),
        }
        best = [found for found, _ in scorer.best(queries, K)]
        shares = [
            [np.isin(b, candidates[:depth]).mean() for depth in DEPTHS]
            for b, candidates in zip(best, rows(DEPTHS[-1] + 100), strict=True)
        ]
    told["recall"] = dict(zip(map(str, DEPTHS), np.mean(shares, axis=0).tolist(), strict=True))
    print(json.dumps(told))


def drawn(path: Path, index: Any, made: Any) -> dict[str, str]:
    """Draw sentences of four words or more, the first time; later read the same ones."""
    if not path.exists():
        sizes = np.diff(made.sentences.words.indptr)
        some = np.random.default_rng(SEED).choice(np.flatnonzero(sizes > 3), QUERIES, replace=False)
        ids = [made.ids[row] for row in some.tolist()]
        texts = [json.loads(line)["contents"] for line in index.raw(ids)]
        path.write_text(json.dumps(dict(zip(ids, texts, strict=True))))
    return json.loads(path.read_text())


def milliseconds(work: Callable[[], object]) -> float:
    """Return the processor's time of the second of two runs, a query."""
    work()
    begun = time.process_time()
    work()
    return (time.process_time() - begun) / QUERIES * 1000


def measured(command: list[str]) -> dict[str, Any]:
    """Run a command; what it prints as JSON, with its seconds and its megabytes."""
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    most = 0
    own = others = 0.0
    tick = os.sysconf("SC_CLK_TCK")
    while process.poll() is None:
        family = [process.pid, *_children(process.pid)]
        most = max(most, sum(map(_anonymous, family)))
        used = [_processor(pid) / tick for pid in family]
        own, others = max(own, used[0]), max(others, sum(used[1:]))
        time.sleep(0.05)
    if process.returncode:
        raise SystemExit(f"{command} ended with {process.returncode}")
    clock = time.perf_counter() - start
    printed = process.stdout.read()
    told = json.loads(printed) if printed.startswith("{") else {}
    return {**told, "clock": clock, "own": own, "others": others, "memory": most / 1024}


def occupied(folder: Path) -> int:
    """Return the bytes of all files in a folder."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def _children(pid: int) -> list[int]:
    lists = Path(f"/proc/{pid}/task").glob("*/children")
    return [int(child) for path in lists for child in _read(path).split()]


def _anonymous(pid: int) -> int:
    lines = _read(Path(f"/proc/{pid}/status")).splitlines()
    return next((int(line.split()[1]) for line in lines if line.startswith("RssAnon")), 0)


def _processor(pid: int) -> int:
    fields = _read(Path(f"/proc/{pid}/stat")).rpartition(")")[2].split()
    return int(fields[11]) + int(fields[12]) if fields else 0


def _read(path: Path) -> str:
    try:
        return path.read_text()
    except OSError:  # it has ended
        return ""


if __name__ == "__main__":
    what, *given = sys.argv[1:] or ["threads"]
    if what == "threads":
        threads(*map(int, given))
    elif what == "grow":
        grow(Path(given[0]), *map(int, given[1:]))
    else:
        {"store": store, "match": match}[what](*given)
