"""The citation benchmark's cost: seconds and memory against the number of references.

Each size and variant runs in a process of its own, so that its peak memory is its own. The graph is
invented (a third of the references lie inside the collection, some works are cited very often).
Time is the processor's, from lists of keys to the sets of topics with their targets.

Run ``python -m benchmarks.citations [SVG]``; with a path, the plot is written there.
"""

import json
import resource
import subprocess
import sys
import time
from pathlib import Path
from typing import Final

import numpy as np

from benchmarks.common import print_table
from relsent_ir.citation.graph import CitationGraph
from reproduce.coupling import Plan, build_benchmark
from reproduce.page import plot

SIZES = (30_000, 100_000, 300_000, 1_000_000)
VARIANTS = ("coupling", "co-citation")
MEAN_REFERENCES: Final = 30
SPREAD: Final = 1.5
"""Standard deviation of the logarithm of how often works are cited."""


def synthetic_references(references: int, seed: int = 0) -> tuple[list[str], list[list[str]]]:
    """Invent records and their references: a third inside the collection, some works cited a lot.

    Parameters
    ----------
    references : int
        In all, duplicates included.
    seed : int

    Returns
    -------
    ids : list of str, length n
    references : list of list of str, length n
    """
    chance = np.random.default_rng(seed)
    n = max(2, references // MEAN_REFERENCES)
    lengths = np.bincount(chance.integers(0, n, references), minlength=n)
    works = n + references // 6
    popularity = np.cumsum(chance.lognormal(0.0, SPREAD, works))
    inside = chance.random(references) < 1 / 3
    drawn = np.searchsorted(popularity, chance.random(references) * popularity[-1])
    cited = np.where(inside, drawn % n, drawn)
    names = [f"{work:08d}" for work in range(works)]
    ends = np.cumsum(lengths)
    flat = [names[work] for work in cited.tolist()]
    lists = [
        flat[end - size : end] for end, size in zip(ends.tolist(), lengths.tolist(), strict=True)
    ]
    return names[:n], lists


def one(size: int, variant: str) -> dict[str, float]:
    """Build one benchmark; seconds of the processor, and megabytes at the peak."""
    ids, references = synthetic_references(size)
    begun = time.process_time()
    graph = CitationGraph.from_keys(ids, references)
    built = time.process_time()
    made = build_benchmark(graph, Plan(variant=variant, min_shared=2))
    return {
        "graph": built - begun,
        "sets": time.process_time() - built,
        "megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        "pairs": made.summary["pairs_that_share"],
    }


def main() -> None:
    """Print the table; draw the plot."""
    found = {}
    for variant in VARIANTS:
        for size in SIZES:
            command = [sys.executable, "-m", "benchmarks.citations", str(size), variant]
            done = subprocess.run(command, capture_output=True, text=True, check=True)
            found[variant, size] = json.loads(done.stdout)
    print_table(
        ["", "references", "graph s", "sets s", "pairs that share", "peak MB"],
        [
            [
                variant,
                f"{size:,}",
                f"{row['graph']:.1f}",
                f"{row['sets']:.1f}",
                f"{row['pairs']:,}",
                f"{row['megabytes']:.0f}",
            ]
            for (variant, size), row in found.items()
        ],
    )
    if len(sys.argv) > 1:
        plots: dict[str, bytes] = {}
        with plot(plots, "citation-cost", "references", "seconds of the processor") as axes:
            for variant in VARIANTS:
                seconds = [
                    found[variant, size]["graph"] + found[variant, size]["sets"] for size in SIZES
                ]
                axes.plot(SIZES, seconds, marker="o", label=variant)
            axes.set(xscale="log", yscale="log")
        Path(sys.argv[1]).write_bytes(plots["citation-cost"])


if __name__ == "__main__":
    if len(sys.argv) > 2:
        print(json.dumps(one(int(sys.argv[1]), sys.argv[2])))
    else:
        main()
