"""Cold start: a whole process each time, from the command to its end.

- ``relsent-ir --help``, beside Python doing nothing.
- One search of the abstracts collection, ten hits with their texts, in the abstract and in the
  sentence index, beside a process that asks Pyserini's LuceneSearcher the same. Where Java's
  runtime is the one from PyPI, which lacks a module that Pyserini asks for, Pyserini cannot start
  it; so it gets ours, started, which takes nothing from its time but that.
- With ``--index`` and ``--model``, an index and models that are there already: the sentences that
  are related to one, with their texts, beside the same search of LuceneSearcher's.

The processes take turns; the figures are medians.

Run ``RELSENT_DATA=<data folder> python -m benchmarks.startup [--index DIR] [--model MODEL]...``.
"""

import argparse
import os
import subprocess
import sys
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.common import data_file, medians, print_table, relsent_ir_command

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


def search(index: Path, unit: str) -> tuple[list[str], list[str]]:
    """Return our command and LuceneSearcher's."""
    ours = relsent_ir_command("search", "--index", index, "--unit", unit, "--text", TEXT)
    return ours, [*(sys.executable, "-c", PYSERINI), *(str(index / unit), TEXT, str(HITS))]


def main() -> None:
    """Build the index if none is named, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--index", type=Path, help="of the abstracts collection")
    parser.add_argument("--model", action="append", default=[], help="trained, or a formula's name")
    asked = parser.parse_args()
    with TemporaryDirectory() as temporary:
        index = asked.index or Path(temporary, "index")
        if asked.index is None:
            source = data_file("abstracts/abstracts.jsonl.gz")
            run(relsent_ir_command("index", "--input", source, "--index", index))
        nothing = "python -c pass", [sys.executable, "-c", "pass"]
        compared = [(("relsent-ir --help", relsent_ir_command("--help")), nothing)]
        for unit in ("abstracts", "sentences"):
            ours, theirs = search(index, unit)
            compared.append(((f"search, {unit}", ours), (f"LuceneSearcher, {unit}", theirs)))
        for model in asked.model:
            related = relsent_ir_command("related", "--index", index, "--model", model)
            ours = [*related, "--text", TEXT]
            compared.append(((f"related, {Path(model).name}", ours), compared[2][1]))
        commands = {name: command for peers in compared for name, command in peers}
        peers = {name: partial(run, command) for name, command in commands.items()}
        medians(peers, 1)  # until the files are in the system's cache
        seconds = medians(peers, ROUNDS)
    rows = []
    for (ours, _), (theirs, _) in compared:
        ratio = seconds[theirs].clock / seconds[ours].clock
        for name, shown in ((ours, ""), (theirs, f"{ratio:.2f}")):
            rows.append([name, f"{seconds[name].clock:.2f}", f"{seconds[name].cpu:.2f}", shown])
    print_table(["", "s", "CPU s", "relsent-ir is x times as fast"], rows)
    print()


if __name__ == "__main__":
    main()
