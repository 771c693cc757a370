"""Whole commands of another version and of this one by turns: processor seconds, and same bytes.

Topics are 937 titles of the abstracts, or the first of them; runs are written by one thread. What
each version keeps beside its index must lie beside an index of its own: a turn that is not counted
writes it. Told are the medians of the turns, the least and the most, their ratio, and whether both
print or write the same.

Run ``RELSENT_DATA=<data folder> python -m benchmarks.turns CHECKOUT --index DIR --other DIR
[--turns N] [--only NAME]``: CHECKOUT is a work tree of the other version, whose index of the
abstracts is that of ``--other``.
"""

import argparse
import shutil
import sys
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from benchmarks.commands import BATCHES, QUESTION, TITLES, topics_of
from benchmarks.common import data_file, print_table
from benchmarks.startup import TEXT
from benchmarks.tuning import GRID, HERE, run

FEW, TUNED, RECORD = 64, 100, "26764183"


def commands(index: str, place: Path) -> dict[str, list[str]]:
    """Return the commands by name; those that write a run write the file `output`."""
    of, output = ["--index", index], ["--threads", "1", "--output", f"{place}/output"]
    search, related = (
        [verb, *of, "--topics", f"{place}/{count}.tsv"]
        for verb, count in (("search", TITLES), ("related", FEW))
    )
    few = [*search[:-1], related[-1]]
    lines = {
        "help": ["search", "--help"],
        "one text, BM25": ["search", *of, "--text", TEXT],
        "one text, ranker": ["search", *of, "--ranker", "ranker", "--text", TEXT],
        "one text, related sentences": ["related", *of, "--text", TEXT],
        "one question, answers": ["answer", *of, "--question", QUESTION],
        "one record, similar citations": ["similar", *of, "--pmid", RECORD],
        "one record, themes": ["themes", "record", *of, "--pmid", RECORD],
        "a pair": ["relate", *of, "--entity", "vitamin D", "--entity", "asthma"],
        "an entity": ["entity", *of, "vitamin D"],
        "64, ranker": [*few, "--ranker", "ranker", *output],
        "64, related": [*related, "--hits", "100", *output],
        "64, related, exact": [*related, "--candidates", "exact", "--hits", "100", *output],
        "64, sentences by BM25": [*few, "--unit", "sentences", *output],
        "937, BM25, ten hits": [*search, "--bm25", "--hits", "10", *output],
        "937, --fb-preset medline": [*search, "--fb-preset", "medline", *output],
        "100, tune of RM3": [
            *("tune", "--qrels", f"{place}/qrels", "--grid", *GRID, "--"),
            *("search", *of, "--topics", f"{place}/{TUNED}.tsv", "--rm3", "--threads", "1"),
        ],
        "indexing": [
            *("index", "--input", str(data_file("abstracts/abstracts.jsonl.gz"))),
            *("--index", f"{place}/index"),
        ],
    }
    for title, flag in BATCHES.items():
        for more in ([], ["--engine", "lucene"]):
            name = ", ".join([f"937, {title}", *(["Lucene"] if more else [])])
            lines[name] = [*search, f"--{flag}", *more, *output]
    return lines


def main() -> None:
    """Let the commands of both versions take turns, and print a row for each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checkout", type=Path)
    parser.add_argument("--index", required=True, type=Path)
    parser.add_argument("--other", required=True, type=Path)
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--only", nargs="+")
    chosen = parser.parse_args()
    rows = []
    with TemporaryDirectory() as folder:
        place = Path(folder)
        titles = topics_of("abstracts")
        for count in (TITLES, TUNED, FEW):
            some = list(titles.items())[:count]
            lines = (f"{topic}\t{text}\n" for topic, text in some)
            place.joinpath(f"{count}.tsv").write_text("".join(lines))
        place.joinpath("qrels").write_text("".join(f"{n} 0 {RECORD} 1\n" for n in titles))
        versions = [(chosen.checkout, chosen.other), (HERE, chosen.index)]
        asked = [commands(str(index.absolute()), place) for _, index in versions]
        if unknown := next((name for name in chosen.only or [] if name not in asked[0]), None):
            parser.error(f"no command {unknown!r}; there are: {'; '.join(asked[0])}")
        for name in chosen.only or asked[0]:
            seconds: list[list[float]] = [[], []]
            for turn in range(chosen.turns + 1):
                printed = []
                for own, (checkout, index), of in zip(seconds, versions, asked, strict=True):
                    shutil.rmtree(place / "index", ignore_errors=True)
                    cost, told = run(checkout, of[name])
                    if "--output" in of[name]:
                        told = (place / "output").read_text()
                    printed.append(told.replace(str(index.absolute()), ""))
                    if turn:
                        own.append(cost)
            row = [f"{median(own):.2f} ({min(own):.2f}–{max(own):.2f})" for own in seconds]
            ratio = median(seconds[1]) / median(seconds[0])
            same = "yes" if printed[0] == printed[1] else "no"
            rows.append([name, *row, f"{ratio:.2f}", same])
            print(*rows[-1], sep="\t", file=sys.stderr, flush=True)
    print_table(["", "before: CPU s", "now: CPU s", "times", "same"], rows)


if __name__ == "__main__":
    main()
