"""Indexing with moves by one process and by several: time, processor time, memory.

The first records of the abstracts collection, by `relsent-ir index --threads N` for each N, each in
processes of its own. Seconds of the processor are the command's (with Java, and for N = 1 with all
else) and those of the processes that it started. Memory is what all of them have beside mapped
files and shared pages (RssAnon), at its largest of a look every 50 ms.

Run ``RELSENT_DATA=<data folder> python benchmarks/scale.py [RECORDS [N ...]]``.
"""

import gzip
import os
import subprocess
import sys
import time
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

from common import data_file

RECORDS = 8000
COMMAND = [sys.executable, "-m", "relsent_ir.cli.main", "index", "--moves"]


def main(records: int = RECORDS, *counts: int) -> None:
    """Print a line for each number of processes."""
    print("threads  records/s  clock s  cpu: own  others'   MB")
    with TemporaryDirectory() as place:
        source = Path(place, "some.jsonl")
        with gzip.open(data_file("abstracts/abstracts.jsonl.gz"), "rt") as lines:
            source.write_text("".join(islice(lines, records)))
        for count in counts or (1, 2):
            command = [*COMMAND, "--input", str(source), "--index", f"{place}/{count}"]
            clock, own, others, memory = _measure([*command, "--threads", str(count)])
            print(
                f"{count:7}  {records / clock:9,.0f}  {clock:7.1f}  {own:8.1f}  {others:7.1f}  "
                f"{memory / 1024:5,.0f}"
            )


def _measure(command: list[str]) -> tuple[float, float, float, int]:
    """Run a command: seconds by the clock, of the processor (own, children's), and KB."""
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
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
    return time.perf_counter() - start, own, others, most


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
    main(*map(int, sys.argv[1:]))
