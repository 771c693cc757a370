"""Growth of indexing, matching and training on 1 to 20 times the abstracts collection.

`resampled` makes the larger collections. One index grows by `relsent-ir index --append`, without
moves, half of each step's files by one process and half by two; after each step

- the sentence store is extended, and a Huber model's numbers of each sentence are computed;
- the sentences related to 48 of the abstracts are searched among all: BM25's first 1,000, the same
  scored by the model, and the exact match; one thread, processor time;
- Huber is trained on 60,000 related pairs for each copy of the collection, up to 5 copies.

``python -m benchmarks.scale threads`` measures indexing with moves, of the first records of the
abstracts, for each number of processes.

Each step is a process of its own. Processor seconds include Java and all child processes. Memory is
the peak of all of them without mapped files and shared pages (RssAnon), read every 50 ms. Results
are a line of JSON in FOLDER/scale.jsonl for each size; `scale_page.py` makes docs/results/scale.md
from them.

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

from benchmarks.common import data_file, relsent_ir_command, warm

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
    """Build the stores for matching, or extend them; print their sizes."""
    from relsent_ir.lucene.read.index import Index
    from relsent_ir.models import load
    from relsent_ir.related.matching.linear import open_scorer
    from relsent_ir.related.store.sentences import open_store

    trained = load(Path(model), "related")
    with Index(index, "sentences") as opened:
        begun = time.process_time()
        sentence_store = open_store(opened, trained.stopwords)
        stored = time.process_time()
        open_scorer(sentence_store, trained)
        figures = {
            "sentences": len(sentence_store),
            "words": sentence_store.sentences.words.nnz,
            "vocabulary": len(sentence_store.lexicon.words),
            "features": len(sentence_store.lexicon),
            "store_s": stored - begun,
            "numbers_s": time.process_time() - stored,
        }
    print(json.dumps(figures))


def match(index: str, model: str) -> None:
    """Match by BM25 and exactly; print milliseconds of processor time a query, and recall."""
    from relsent_ir.lucene.read.index import Index
    from relsent_ir.lucene.read.search import Searcher
    from relsent_ir.methods import BM25
    from relsent_ir.models import load
    from relsent_ir.related.matching.exact import ExactMatcher
    from relsent_ir.related.matching.linear import best_rows, open_scorer
    from relsent_ir.related.store.sentences import open_store

    trained = load(Path(model), "related")
    with Index(index, "sentences") as opened:
        sentence_store = open_store(opened, trained.stopwords)
        scorer = open_scorer(sentence_store, trained)
        topics = drawn(Path(model).parent / "topics.json", opened, sentence_store)
        owners = [sentence_store.record_of(topic) for topic in topics]
        queries = scorer.queries(list(topics.values()), owners)
        searcher, matcher = Searcher(opened, BM25()), ExactMatcher(scorer)

        def rows(depth: int) -> list[Any]:
            run = searcher.search(topics, depth, threads=1)
            candidates = [sentence_store.rows(list(hits.ids)) for hits in run.values()]
            return [
                r[sentence_store.record[r] != own]
                for r, own in zip(candidates, owners, strict=True)
            ]

        def rerank() -> None:
            for query, candidates in zip(queries, rows(1000), strict=True):
                best_rows(candidates, scorer.scores(query, candidates), K)

        figures = {
            "bm25_ms": milliseconds(lambda: searcher.search(topics, 1000, threads=1)),
            "rerank_ms": milliseconds(rerank),
            "exact_ms": milliseconds(lambda: matcher.best(queries, K)),
            "exact_single_ms": milliseconds(lambda: [matcher.best([q], K) for q in queries]),
        }
        best = [ranked for ranked, _ in matcher.best(queries, K)]
        shares = [
            [np.isin(b, candidates[:depth]).mean() for depth in DEPTHS]
            for b, candidates in zip(best, rows(DEPTHS[-1] + 100), strict=True)
        ]
    figures["recall"] = dict(zip(map(str, DEPTHS), np.mean(shares, axis=0).tolist(), strict=True))
    print(json.dumps(figures))


def drawn(path: Path, index: Any, sentence_store: Any) -> dict[str, str]:
    """Draw sentences of four words or more on the first call; later read the same ones."""
    if not path.exists():
        sizes = np.diff(sentence_store.sentences.words.indptr)
        some = np.random.default_rng(SEED).choice(np.flatnonzero(sizes > 3), QUERIES, replace=False)
        ids = [sentence_store.ids[row] for row in some.tolist()]
        texts = [json.loads(line)["contents"] for line in index.raw(ids)]
        path.write_text(json.dumps(dict(zip(ids, texts, strict=True))))
    return json.loads(path.read_text())


def milliseconds(work: Callable[[], object]) -> float:
    """Return the processor time a query of the second of two runs."""
    return warm(work) / QUERIES * 1000


def measured(command: list[str]) -> dict[str, Any]:
    """Run a command; return its JSON output with its seconds and megabytes."""
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
    figures = json.loads(printed) if printed.startswith("{") else {}
    return {**figures, "clock": clock, "own": own, "others": others, "memory": most / 1024}


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
    step, *arguments = sys.argv[1:] or ["threads"]
    if step == "threads":
        threads(*map(int, arguments))
    elif step == "grow":
        grow(Path(arguments[0]), *map(int, arguments[1:]))
    else:
        {"store": store, "match": match}[step](*arguments)
