"""Places of the data, alternating timings and tables for all benchmarks."""

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import NamedTuple

from relsent_ir.cli.output import print_table

__all__ = ["best", "data_file", "medians", "print_table", "relsent_ir_command"]


def data_file(name: str) -> Path:
    """Find a file or folder of the real collections, or end with one line that says what lacks."""
    script = Path(sys.argv[0]).stem
    folder = os.environ.get("RELSENT_DATA")
    if not folder:
        sys.exit(f"{script}: set RELSENT_DATA to the data folder")
    path = Path(folder, name)
    if not path.exists():
        sys.exit(f"{script}: {path} is not there: set RELSENT_DATA to the folder that has {name}")
    return path


def best(job: Callable[[], object], repeats: int = 3) -> float:
    """Return the processor seconds of the fastest of some runs."""
    times = []
    for _ in range(repeats):
        start = time.process_time()
        job()
        times.append(time.process_time() - start)
    return min(times)


class Seconds(NamedTuple):
    """Seconds by the clock, and of all processors with child processes."""

    clock: float
    cpu: float


def medians(
    peers: dict[str, Callable[[], object]],
    rounds: int,
    turn: float = 0.0,
    before: Callable[[], object] = int,
) -> dict[str, Seconds]:
    """Let all peers work by turns, and give each one's median seconds.

    By turns, because what else the machine does slows all of them down for a while.

    Parameters
    ----------
    peers : dict of str to callable
        What to time.
    rounds : int
        How many turns each has.
    turn : float
        A peer repeats its work for so many seconds; the turn's figure is the mean.
    before : callable
        Called before each turn, outside the time.
    """
    turns: dict[str, list[Seconds]] = {name: [] for name in peers}
    for _ in range(rounds):
        for name, run in peers.items():
            before()
            times = 0
            begun = now()
            while not times or now().clock - begun.clock < turn:
                run()
                times += 1
            ended = now()
            turns[name].append(
                Seconds((ended.clock - begun.clock) / times, (ended.cpu - begun.cpu) / times)
            )
    return {name: Seconds(*map(median, zip(*of, strict=True))) for name, of in turns.items()}


def now() -> Seconds:
    """Read both clocks."""
    return Seconds(time.perf_counter(), sum(os.times()[:4]))


def relsent_ir_command(*arguments: object) -> list[str]:
    """Return the command line of a verb, for a process of its own."""
    return [str(Path(sys.executable).with_name("relsent-ir")), *map(str, arguments)]


def memory(name: str) -> float:
    """Read one of Linux's figures for this process, in MB."""
    status = Path("/proc/self/status").read_text()
    return int(status.split(name + ":")[1].split()[0]) / 1024
