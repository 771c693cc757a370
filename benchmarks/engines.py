"""Runs of both engines, compared byte by byte: ``--engine matrix`` must write what Lucene does.

Over both units of an index: BM25 in three settings, query likelihood, RM3, Rocchio as Anserini and
as we have it, terms from moves, fields, filters, each by `relsent-ir search` with the
topics of a file, first by Lucene and then in memory. Of an index without moves, what needs them is
left out. Processor seconds are of the whole search and of writing its run.

Run ``python -m benchmarks.engines INDEX TOPICS``, with a collection's indexes and a file of topics.
"""

import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.common import print_table
from relsent_ir.cli.verbs.search import command
from relsent_ir.lucene.read.index import Index

PLAIN = [
    "",
    "--k1 1.2 --b 0.75",
    "--k1 2 --b 0",
    "--qld",
    "--rm3",
    "--rm3 --fb-terms 50 --fb-docs 20 --original-query-weight 0.3",
    "--rocchio",
    "--rocchio --rocchio-use-negative",
    "--fb-preset medline",
    "--rocchio --fb-weighting ltn --fb-doc-weights rank --fb-terms 60",
    "--year 1975:2010",
]
ABSTRACTS = ["--fields title=2.5 abstract=1 mesh=0.4", "--fields title=1 abstract=1 --qld"]
FED_BY_MOVES = ["--rm3 --argumentative CONCLUSION,TITLE"]
SENTENCES = ["--moves RESULTS,CONCLUSION", "--max-passage"]


def main(folder: str, topics: str) -> None:
    """Print a row for each setting, and end with 1 if a run differs."""
    with Index(folder) as index:
        moves = bool(index.facts.moves)
    settings = {
        "abstracts": PLAIN + ABSTRACTS + FED_BY_MOVES * moves,
        "sentences": PLAIN + SENTENCES[not moves :],
    }
    rows, same = [], 0
    with TemporaryDirectory() as place:
        for unit, some in settings.items():
            arguments = ["--index", folder, "--topics", topics, "--unit", unit, "--threads", "1"]
            for setting in some:
                written, seconds = [], []
                for engine in ("lucene", "matrix"):
                    start = time.process_time()
                    flags = [*arguments, *setting.split(), "--engine", engine, "--output"]
                    with command.request("search", [*flags, str(Path(place, engine))]) as request:
                        request.execute()
                    seconds.append(time.process_time() - start)
                    written.append(Path(place, engine).read_bytes())
                equal = written[0] == written[1]
                same += equal
                lines = written[0].count(b"\n")
                answer = "same" if equal else "DIFFERENT"
                row = [unit, setting or "BM25", f"{lines:,}", answer]
                rows.append([*row, *(f"{s:.1f}" for s in seconds)])
    print_table(["", "setting", "lines", "bytes", "Lucene: CPU s", "matrix: CPU s"], rows)
    print(f"{same} of {len(rows)} runs are the same to the byte")
    sys.exit(same < len(rows))


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("engines: python -m benchmarks.engines INDEX TOPICS")
    main(*sys.argv[1:])
