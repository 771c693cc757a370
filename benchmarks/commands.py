"""Whole commands beside what one would type otherwise: processor time, clock and memory.

Each command is a process of its own, from its start to its end, its run written:

- *relsent-ir*: as it is, and with ``--engine lucene``; one thread.
- *SearchCollection*: Anserini's, out of Pyserini's jar, on the same index; one thread.
- *LuceneSearcher*: a process of Python that asks Pyserini's searcher one text, where torch, which
  Pyserini imports, is installed.

The topics are those of cystic fibrosis, and 937 titles of the abstracts collection, at k = 1,000.
The commands take turns, after one that is not measured if there are several; the figures are
medians over the turns, the peak of memory is resident. Both engines must write the same bytes. The
last column says how many times the processor time of the first command of its table a command
takes.

Run ``RELSENT_DATA=<data folder> python -m benchmarks.commands [--indexes FOLDER] [--rounds N]``;
the indexes ``cystic-fibrosis`` and ``abstracts`` that are in the folder are used.
"""

import argparse
import gzip
import json
import os
import random
import subprocess
import sys
import time
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import NamedTuple

from benchmarks.common import data_file, print_table, relsent_ir_command
from benchmarks.search import SEED
from benchmarks.startup import HITS, PYSERINI, TEXT
from relsent_ir.lucene.jvm import anserini_jar, find_java
from relsent_ir.trec import read_topics

TITLES = 937
ROUNDS = 3
BATCHES = {"BM25": "bm25", "Rocchio": "rocchio", "RM3": "rm3"}
Commands = dict[str, list[str]]


class Cost(NamedTuple):
    """Processor seconds, seconds by the clock, and the peak of memory in MB, of a process."""

    cpu: float
    clock: float
    memory: float


def cost_of(command: list[str]) -> Cost:
    """Run a process to its end."""
    environment = os.environ | {"OPENAI_API_KEY": "dummy"}  # else Pyserini cannot be imported
    begun = time.perf_counter()
    with subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment
    ) as process:
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"commands: exit code {process.returncode} of {' '.join(command)}")
    clock = time.perf_counter() - begun
    return Cost(used.ru_utime + used.ru_stime, clock, used.ru_maxrss / 1024)


def topics_of(name: str) -> dict[str, str]:
    """Return the topics of a collection."""
    if name == "cystic-fibrosis":
        return read_topics(data_file("cystic-fibrosis/cfquery"))
    with gzip.open(data_file("abstracts/abstracts.jsonl.gz"), "rt", encoding="utf-8") as lines:
        titles = [record["title"] for record in map(json.loads, lines) if record["title"]]
    chosen = random.Random(SEED).sample(titles, TITLES)
    return {str(n): " ".join(title.split()) for n, title in enumerate(chosen, 1)}


def one_query(index: Path) -> dict[str, Commands]:
    """Return what answers one text."""
    ours = relsent_ir_command("search", "--index", index, "--text", TEXT)
    related = relsent_ir_command("related", "--index", index, "--text", TEXT)
    theirs = [sys.executable, "-c", PYSERINI, str(index / "abstracts"), TEXT, str(HITS)]
    searchers = {"LuceneSearcher": theirs} if find_spec("torch") else {}
    return {
        "--help": {"relsent-ir": relsent_ir_command("--help")},
        "one text, BM25": {"relsent-ir": ours, **searchers},
        "one text, ranker": {"relsent-ir": [*ours, "--ranker", "ranker"]},
        "one text, related sentences": {"relsent-ir": related},
    }


def many_queries(index: Path, topics: Path, runs: Path) -> dict[str, Commands]:
    """Return what answers topics, and writes a run of it in a folder."""
    ours = relsent_ir_command("search", "--index", index, "--topics", topics, "--threads", 1)
    java = [str(find_java().home / "bin" / "java"), "-cp", str(anserini_jar())]
    theirs = ["io.anserini.search.SearchCollection", "-index", str(index / "abstracts")]
    theirs += ["-topics", str(topics), "-topicReader", "TsvString", "-hits", "1000"]
    tables: dict[str, Commands] = {}
    for name, flag in BATCHES.items():
        expansion = [] if flag == "bm25" else [f"-{flag}"]
        tables[f"topics, {name}"] = {
            "relsent-ir": [*ours, f"--{flag}", "--output", str(runs / flag)],
            "relsent-ir, Lucene": [
                *(*ours, f"--{flag}", "--engine", "lucene"),
                *("--output", str(runs / f"{flag}-lucene")),
            ],
            "SearchCollection": [
                *(*java, *theirs, "-bm25", *expansion, "-threads", "1"),
                *("-output", str(runs / f"{flag}-anserini")),
            ],
        }
    return tables


def measure(tables: dict[str, Commands], rounds: int) -> list[list[str]]:
    """Let the commands of each table take turns, and return the rows."""
    rows = []
    for title, commands in tables.items():
        turns = [
            {name: cost_of(command) for name, command in commands.items()}
            for _ in range(rounds + (rounds > 1))
        ][-rounds:]
        costs = {
            name: Cost(*(median(turn[name][part] for turn in turns) for part in range(3)))
            for name in commands
        }
        first = next(iter(costs.values())).cpu
        for name, cost in costs.items():
            figures = f"{cost.cpu:.2f}", f"{cost.clock:.2f}", f"{cost.memory:.0f}"
            rows.append([title, name, *figures, f"{cost.cpu / first:.2f}"])
    return rows


def main() -> None:
    """Index what is not there, and print a table for each collection."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--indexes", type=Path, help="a folder of indexes")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    arguments = parser.parse_args()
    for name, source in {
        "cystic-fibrosis": "cystic-fibrosis",
        "abstracts": "abstracts/abstracts.jsonl.gz",
    }.items():
        with TemporaryDirectory() as temporary:
            index = Path(arguments.indexes or temporary, name)
            if not index.exists():
                build = relsent_ir_command("index", "--input", data_file(source), "--index", index)
                subprocess.run(build, check=True, capture_output=True)
            topics = Path(temporary, "topics.tsv")
            texts = topics_of(name)
            topics.write_text("".join(f"{topic}\t{text}\n" for topic, text in texts.items()))
            rows = measure(
                one_query(index) | many_queries(index, topics, Path(temporary)), arguments.rounds
            )
            for flag in BATCHES.values():
                runs = [Path(temporary, run).read_bytes() for run in (flag, f"{flag}-lucene")]
                assert runs[0] == runs[1], flag
        print(f"{name}, {len(texts)} topics")
        print_table(["", "", "CPU s", "s", "MB", "times"], rows)
        print()


if __name__ == "__main__":
    main()
