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

from benchmarks.common import print_table
from relsent_ir.citation.benchmark import Plan, build_benchmark
from relsent_ir.citation.graph import CitationGraph
from relsent_ir.citation.synthetic import synthetic_references
from reproduce.page import plot

SIZES = (30_000, 100_000, 300_000, 1_000_000)
VARIANTS = ("coupling", "co-citation")


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
