"""Two threads beside one, as whole commands: the clock, processor time, and their factor.

- *search*: 937 titles in batches, BM25, k = 1,000.
- *related, exact*: the sentences that are most related to each of 100 titles.
- *rerank*: BM25's hits of 60 titles, by the packaged ranker.
- *search --ranker*: 128 titles.

By turns, medians. What is before the first topic (Java's start, imports) is in it, and cannot be
shared: so the factor of work is printed too, of seconds above those of one topic alone. All runs
of a command must be the same to the byte. Only an idle machine with two processors tells anything.

Run ``RELSENT_DATA=<data folder> python -m benchmarks.threads --index DIR [--rounds N] [--times N]
[--only NAME]``; the index is of the abstracts, and what stands beside it is written by a turn
before the first. ``--times`` takes as many times the topics. Runs go to ``TMPDIR``: on a slow disk
it is the disk that is measured.
"""

import argparse
from collections.abc import Callable
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from benchmarks.commands import TITLES, cost_of, topics_of
from benchmarks.common import print_table, relsent_ir_command
from relsent_ir.files import sha256

THREADS = (1, 2)
SIZES = {"search": TITLES, "related, exact": 100, "rerank": 60, "search --ranker": 128}
Make = Callable[[Path, Path, int], list[str]]


def commands(index: Path, run: Path) -> dict[str, Make]:
    """Return what makes the command line of topics, output and threads, by its name."""

    def line(*arguments: object) -> Make:
        return lambda topics, output, threads: relsent_ir_command(
            *(arguments[0], "--index", index, "--topics", topics, *arguments[1:]),
            *("--threads", threads, "--output", output),
        )

    return {
        "search": line("search", "--bm25"),
        "related, exact": line("related", "--candidates", "exact", "--hits", 100),
        "rerank": line("rerank", "--run", run, "--model", "ranker"),
        "search --ranker": line("search", "--ranker", "ranker"),
    }


def main() -> None:
    """Let commands take turns, and print a row for each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--index", required=True, type=Path)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--times", type=int, default=1)
    parser.add_argument("--only", choices=SIZES)
    chosen = parser.parse_args()
    rows = []
    with TemporaryDirectory() as temporary:
        folder = Path(temporary)
        for name in [chosen.only] if chosen.only else SIZES:
            files, size = {}, SIZES[name] * chosen.times
            texts = topics_of("abstracts", max(TITLES, size))
            for count in (1, size):
                files[count] = folder / f"topics-{count}.tsv"
                some = list(texts.items())[:count]
                files[count].write_text("".join(f"{topic}\t{text}\n" for topic, text in some))
                run = folder / f"bm25-{count}"
                search = relsent_ir_command("search", "--index", chosen.index, "--bm25")
                cost_of([*search, "--topics", str(files[count]), "--output", str(run)])
            clocks: dict[tuple[int, int], list[float]] = {}
            cpu: dict[int, list[float]] = {threads: [] for threads in THREADS}
            for turn in range(chosen.rounds + 1):
                outputs = set()
                for count, topics in files.items():
                    make = commands(chosen.index, folder / f"bm25-{count}")[name]
                    for threads in THREADS:
                        output = folder / "output"
                        cost = cost_of(make(topics, output, threads))
                        if turn:  # the first one warms
                            clocks.setdefault((count, threads), []).append(cost.clock)
                        if turn and count == size:
                            cpu[threads].append(cost.cpu)
                        if count == size:
                            outputs.add(sha256(output))
                assert len(outputs) == 1, name
            one, two = (median(clocks[size, threads]) for threads in THREADS)
            alone = [median(clocks[1, threads]) for threads in THREADS]
            work = (one - alone[0]) / (two - alone[1])
            costs = [f"{median(cpu[threads]):.2f}" for threads in THREADS]
            row = [name, str(size), f"{one:.2f}", f"{two:.2f}", f"{one / two:.2f}", f"{work:.2f}"]
            rows.append([*row, *costs])
    head = ["", "topics", "1: s", "2: s", "factor", "of work", "1: CPU s", "2: CPU s"]
    print_table(head, rows)


if __name__ == "__main__":
    main()
