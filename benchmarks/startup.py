"""Cold start: a whole process each time, from the command to its end.

- ``relsent-ir --help``, beside Python doing nothing.
- One search of the abstracts collection, ten hits with their texts, in the abstract and in the
  sentence index, beside a process that asks Pyserini's LuceneSearcher the same. Where Java's
  runtime is the one from PyPI, which lacks a module that Pyserini asks for, Pyserini cannot start
  it; so it gets ours, started, which takes nothing from its time but that.

The processes take turns; the figures are medians.

Run ``RELSENT_DATA=<data folder> python benchmarks/startup.py``.
"""

import os
import subprocess
import sys
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from common import data_file, medians, print_table, relsent_ir_command

ROUNDS = 5
TEXT = "sweat chloride in infants with cystic fibrosis"
HITS = 10

PYSERINI = """
import sys
from relsent_ir.lucene.jvm import java
java("java.lang.String")
from pyserini.search.lucene import LuceneSearcher
searcher = LuceneSearcher(sys.argv[1])
for hit in searcher.search(sys.argv[2], int(sys.argv[3])):
    print(hit.docid, hit.score, hit.lucene_document.get("raw")[:100])
"""


def run(command: list[str]) -> None:
    """Run a process to its end."""
    environment = os.environ | {"OPENAI_API_KEY": "dummy"}  # else Pyserini cannot be imported
    subprocess.run(command, check=True, capture_output=True, env=environment)


def main() -> None:
    """Build the index, and print the table."""
    source = data_file("abstracts/abstracts.jsonl.gz")
    with TemporaryDirectory() as temporary:
        index = Path(temporary, "index")
        run(relsent_ir_command("index", "--input", source, "--index", index))
        commands = {
            "relsent-ir --help": relsent_ir_command("--help"),
            "python -c pass": [sys.executable, "-c", "pass"],
        }
        for unit in ("abstracts", "sentences"):
            commands[f"relsent-ir search, {unit}"] = relsent_ir_command(
                "search", "--index", index, "--unit", unit, "--text", TEXT
            )
            commands[f"LuceneSearcher, {unit}"] = [
                *(sys.executable, "-c", PYSERINI),
                *(str(index / unit), TEXT, str(HITS)),
            ]
        peers = {name: partial(run, command) for name, command in commands.items()}
        medians(peers, 1)  # until the files are in the system's cache
        seconds = medians(peers, ROUNDS)
    rows = []
    for ours, theirs in zip(list(seconds)[::2], list(seconds)[1::2], strict=True):
        ratio = seconds[theirs].clock / seconds[ours].clock
        for name, shown in ((ours, ""), (theirs, f"{ratio:.2f}")):
            rows.append([name, f"{seconds[name].clock:.2f}", f"{seconds[name].cpu:.2f}", shown])
    print_table(["", "s", "CPU s", "relsent-ir is x times as fast"], rows)
    print()


if __name__ == "__main__":
    main()
