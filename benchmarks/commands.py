"""Whole commands beside what one would type otherwise: processor time, clock and memory.

Each command is a process of its own, from its start to its end, its run written:

- *relsent-ir*: as it is, and with ``--engine lucene``; one thread.
- *SearchCollection*: Anserini's, out of Pyserini's jar, on the same index; one thread.
- *LuceneSearcher*, *pyserini.search.lucene*: a process of Python that asks Pyserini's searcher one
  text, and Pyserini's own command; where torch, which Pyserini imports, is installed. Java is
  started by ours, since Pyserini cannot start the one from PyPI.
- *bm25s*: ten lines that load its index, made and saved before with its own tokenizer and
  stemmer, and write a run; by NumPy (Numba compiles at each start, which takes longer).

The topics are those of cystic fibrosis, and 937 titles of the abstracts collection, at k = 1,000.
The commands take turns; the figures are medians over the turns, of processor time also the least
and the most; the peak of memory is resident. Both engines must write the same bytes. The last
column says how many times the processor time of the first command of its table a command takes.

Run ``RELSENT_DATA=<data folder> python -m benchmarks.commands [NAME ...] [--indexes FOLDER]
[--rounds N] [--peers N] [--table TITLE]``; NAME is ``cystic-fibrosis`` or ``abstracts``, and
indexes of these names that are in the folder are used.
"""

import argparse
import gzip
import json
import os
import random
import subprocess
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from importlib.util import find_spec
from multiprocessing import get_context
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import NamedTuple

from benchmarks.common import data_file, print_table, relsent_ir_command
from benchmarks.search import SEED
from benchmarks.startup import HITS, PYSERINI, TEXT
from relsent_ir.lucene.documents import abstract_document
from relsent_ir.lucene.jvm import anserini_jar, find_java
from relsent_ir.records import list_inputs, read_records
from relsent_ir.trec import read_topics

TITLES = 937
QUESTION = "Is sweat chloride raised in infants with cystic fibrosis?"
SOURCES = {"cystic-fibrosis": "cystic-fibrosis", "abstracts": "abstracts/abstracts.jsonl.gz"}
ROUNDS = 3
BATCHES = {"BM25": "bm25", "Rocchio": "rocchio", "RM3": "rm3"}
Commands = dict[str, list[str]]
PYSERINI_COMMAND = """
import runpy
from relsent_ir.lucene.jvm import java
java("java.lang.String")
runpy.run_module("pyserini.search.lucene", run_name="__main__", alter_sys=True)
"""
BM25S = """
import sys
import bm25s, numpy, snowballstemmer
_, folder, topics, output = sys.argv
retriever = bm25s.BM25.load(folder, show_progress=False)
ids = numpy.load(folder + "/ids.npy")
qids, texts = zip(*(line.rstrip("\\n").split("\\t") for line in open(topics)))
stem = snowballstemmer.stemmer("porter").stemWords
queries = bm25s.tokenize(texts, stemmer=stem, show_progress=False)
found, scores = retriever.retrieve(queries, corpus=ids, k=1000, show_progress=False)
with open(output, "w") as run:
    for qid, hits, own in zip(qids, found, scores):
        for rank, (hit, score) in enumerate(zip(hits, own), 1):
            run.write(f"{qid} Q0 {hit} {rank} {score} bm25s\\n")
"""


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


def topics_of(name: str, count: int = TITLES) -> dict[str, str]:
    """Return the topics of a collection; of the abstracts, so many titles."""
    if name == "cystic-fibrosis":
        return read_topics(data_file("cystic-fibrosis/cfquery"))
    with gzip.open(data_file("abstracts/abstracts.jsonl.gz"), "rt", encoding="utf-8") as lines:
        titles = [record["title"] for record in map(json.loads, lines) if record["title"]]
    chosen = random.Random(SEED).sample(titles, count)
    return {str(n): " ".join(title.split()) for n, title in enumerate(chosen, 1)}


def bm25s_index(source: Path, folder: Path) -> None:
    """Save an index of bm25s, made as its users make it."""
    import bm25s
    import numpy as np
    import snowballstemmer

    documents = map(abstract_document, read_records(*list_inputs([source])[0][0]))
    texts = {name: text for name, text, *_ in documents}
    stem = snowballstemmer.stemmer("porter").stemWords
    retriever = bm25s.BM25(k1=0.9, b=0.4)
    tokens = bm25s.tokenize(list(texts.values()), stemmer=stem, show_progress=False)
    retriever.index(tokens, show_progress=False)
    retriever.save(folder)
    np.save(folder / "ids.npy", np.array(list(texts)))


def one_query(index: Path) -> dict[str, Commands]:
    """Return what answers one text."""
    ours = relsent_ir_command("search", "--index", index, "--text", TEXT)
    with_text = {
        "related sentences": ["related", "--text", TEXT],
        "answers": ["answer", "--question", QUESTION],
        "references": ["cite", "--text", TEXT],
        "theme": ["themes", "--text", TEXT, "--from-hits", "3"],
        "relation": ["relate", "--entity", "cystic fibrosis", "--entity", "sweat"],
        "entity": ["entity", "cystic fibrosis"],
    }
    theirs = [sys.executable, "-c", PYSERINI, str(index / "abstracts"), TEXT, str(HITS)]
    searchers = {"LuceneSearcher": theirs} if find_spec("torch") else {}
    return {
        "--help": {"relsent-ir": relsent_ir_command("--help")},
        "one text, BM25": {"relsent-ir": ours, **searchers},
        "one text, ranker": {"relsent-ir": [*ours, "--ranker", "ranker"]},
        **{
            f"one text, {name}": {"relsent-ir": relsent_ir_command(*verb, "--index", index)}
            for name, verb in with_text.items()
        },
    }


def many_queries(index: Path, topics: Path, runs: Path, saved: Path) -> dict[str, Commands]:
    """Return what answers topics, and writes a run of it in a folder.

    Parameters
    ----------
    index, topics, runs : Path
    saved : Path
        An index of bm25s, if there is one.
    """
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
    if find_spec("torch"):
        tables["topics, BM25"]["pyserini.search.lucene"] = [
            *(sys.executable, "-c", PYSERINI_COMMAND, "--index", str(index / "abstracts")),
            *("--topics", str(topics), "--hits", "1000", "--threads", "1", "--bm25"),
            *("--output", str(runs / "bm25-pyserini")),
        ]
    if saved.exists():
        tables["topics, BM25"]["bm25s"] = [
            *(sys.executable, "-c", BM25S, str(saved), str(topics), str(runs / "bm25s"))
        ]
    return tables


def measure(title: str, commands: Commands, rounds: int, peers: int) -> None:
    """Let commands take turns, and print a table; what is not ours may have less of them."""
    turns: dict[str, list[Cost]] = {}
    for turn in range(rounds):
        for name, command in commands.items():
            if turn < peers or name.startswith("relsent-ir"):
                turns.setdefault(name, []).append(cost_of(command))
    rows = []
    first = 0.0
    for name, costs in turns.items():
        cpu, clock, memory = zip(*costs, strict=True)
        first = first or median(cpu)
        figures = f"{median(cpu):.2f}", f"{min(cpu):.2f}–{max(cpu):.2f}", f"{median(clock):.2f}"
        rows.append([name, *figures, f"{median(memory):.0f}", f"{median(cpu) / first:.2f}"])
    print_table([title, "CPU s", "from–to", "s", "MB", "times"], rows)
    print(flush=True)


def main() -> None:
    """Index what is not there, and print a table for each collection."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("name", nargs="*", choices=list(SOURCES), default=list(SOURCES))
    parser.add_argument("--indexes", type=Path, help="a folder of indexes")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--peers", type=int, default=ROUNDS, help="rounds of what is not ours")
    parser.add_argument("--table", default="", help="only tables with this in their title")
    arguments = parser.parse_args()
    for name in arguments.name:
        with TemporaryDirectory() as temporary:
            index = Path(arguments.indexes or temporary, name)
            if not index.exists():
                build = relsent_ir_command(
                    "index", "--input", data_file(SOURCES[name]), "--index", index
                )
                subprocess.run(build, check=True, capture_output=True)
            saved = Path(temporary, "bm25s-index")
            if name == "abstracts" and find_spec("bm25s") and arguments.table in "topics, BM25":
                # elsewhere: a process's peak of memory counts from its parent's
                with ProcessPoolExecutor(1, get_context("spawn")) as process:
                    process.submit(bm25s_index, data_file(SOURCES[name]), saved).result()
            topics = Path(temporary, "topics.tsv")
            texts = topics_of(name)
            topics.write_text("".join(f"{topic}\t{text}\n" for topic, text in texts.items()))
            tables = one_query(index) | many_queries(index, topics, Path(temporary), saved)
            print(f"{name}, {len(texts)} topics")
            for title, commands in tables.items():
                if arguments.table in title:
                    measure(title, commands, arguments.rounds, arguments.peers)
            for run in Path(temporary).glob("*-lucene"):
                other = run.with_name(run.name.removesuffix("-lucene"))
                assert run.read_bytes() == other.read_bytes(), other.name


if __name__ == "__main__":
    main()
