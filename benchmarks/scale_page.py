"""docs/results/scale.md and its plots, of what `scale.py grow` wrote.

An exponent is the slope of the logarithms, by least squares over all sizes. Run ``python -m
benchmarks.scale_page FOLDER/scale.jsonl THREADS [TARGET]``, the second a file of what `scale.py
threads` printed, the last a folder, docs/results if it is not given.
"""

import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from reproduce.page import plot, table

MEDLINE = 38e6  # records
PROCESSORS = 16
PAPER = "37 million sentences, 64 processors: 4.7 days; a query 10.7 minutes"
GB = 1e9

Result = dict[str, Any]

FITTED: dict[str, tuple[str, Callable[[Result], float | None]]] = {
    "bytes of both Lucene indexes": (
        "GB",
        lambda r: (r["bytes"]["abstracts"] + r["bytes"]["sentences"]) / GB,
    ),
    "bytes of the sentence store": ("GB", lambda r: r["bytes"]["related"] / GB),
    "words (vocabulary)": ("millions", lambda r: r["store"]["vocabulary"] / 1e6),
    "BM25, first 1,000": ("ms a query", lambda r: r["match"]["bm25_ms"]),
    "BM25, first 1,000, scored": ("ms a query", lambda r: r["match"]["rerank_ms"]),
    "exact match": ("ms a query", lambda r: r["match"]["exact_ms"]),
    "training of Huber": ("s", lambda r: r["train"]["own"] if "train" in r else None),
    "peak memory, indexing": ("GB", lambda r: indexing(r, "memory") / 1024),
    "peak memory, store": ("GB", lambda r: r["store"]["memory"] / 1024),
    "peak memory, matching": ("GB", lambda r: r["match"]["memory"] / 1024),
}


def indexing(result: Result, name: str) -> float:
    """Return the largest of what indexing took."""
    return max(result[key][name] for key in ("index1", "index2") if key in result)


def rate(result: Result, key: str, name: str) -> str:
    """Return records a second by the clock or of the processor, where so many processes read."""
    if key not in result:
        return "–"
    took = result[key]["own"] + result[key]["others"] if name == "cpu" else result[key][name]
    return f"{result[key]['records'] / took:,.0f}"


def fit(sizes: Sequence[float], values: Sequence[float | None]) -> tuple[float, float]:
    """Return factor and exponent of a power of the records."""
    known = [(s, v) for s, v in zip(sizes, values, strict=True) if v]
    x, y = np.log(np.array(known, dtype=float)).T
    slope, at = np.polyfit(x, y, 1)
    return float(np.exp(at)), float(slope)


def measured(results: Sequence[Result]) -> str:
    """Make the table of what was measured."""
    rows = []
    for r in results:
        match, store = r["match"], r["store"]
        rows.append(
            [
                f"{r['size']}",
                f"{r['records']:,}",
                f"{store['sentences']:,}",
                rate(r, "index1", "clock"),
                rate(r, "index2", "clock"),
                rate(r, "index1" if "index1" in r else "index2", "cpu"),
                f"{match['bm25_ms']:.1f}",
                f"{match['rerank_ms']:.1f}",
                f"{match['exact_ms']:.1f}",
                f"{match['exact_ms'] / match['rerank_ms']:.2f}",
                *(f"{match['recall'][depth]:.3f}" for depth in ("100", "1000", "10000")),
                f"{r['train']['own']:.0f}" if "train" in r else "–",
                f"{max(indexing(r, 'memory'), store['memory'], match['memory']) / 1024:.2f}",
            ]
        )
    head = ["x", "records", "sentences", "records/s, 1", "2", "a CPU s", "BM25 ms", "scored ms"]
    head += ["exact ms", "exact / scored", "recall 100", "1,000", "10,000", "training s", "GB"]
    return table(head, rows)


def fitted(results: Sequence[Result]) -> str:
    """Make the table of exponents, and of what they foresee for all of MEDLINE."""
    sizes = [r["records"] for r in results]
    rows = []
    for name, (unit, of) in FITTED.items():
        factor, slope = fit(sizes, [of(r) for r in results])
        largest = max(v for v in map(of, results) if v)
        rows.append(
            [name, unit, f"{largest:.3g}", f"{slope:.2f}", f"{factor * MEDLINE**slope:.3g}"]
        )
    return table(["", "unit", "largest measured", "exponent", "38 million records"], rows)


def projected(results: Sequence[Result]) -> str:
    """Make the table of all of MEDLINE on many processors."""
    sizes = [r["records"] for r in results]

    def whole(of: Callable[[Result], float | None]) -> float:
        factor, slope = fit(sizes, [of(r) for r in results])
        return factor * MEDLINE**slope

    last = results[-1]
    key = "index1" if "index1" in last else "index2"
    cpu = (last[key]["own"] + last[key]["others"]) / last[key]["records"] * MEDLINE
    numbers = last["store"]["own"] / max(1, last["records"] - results[-2]["records"]) * MEDLINE
    searched = max(whole(FITTED[name][1]) for name in FITTED if name.startswith("BM25"))
    rows = [
        ["indexing without moves, shards", f"{cpu / 3600:.1f}", f"{cpu / PROCESSORS / 3600:.1f} h"],
        ["sentence store", f"{numbers / 3600:.1f}", f"{numbers / PROCESSORS / 3600:.1f} h"],
        [
            "a query, exact",
            f"{whole(FITTED['exact match'][1]) / 3.6e6:.2g}",
            f"{whole(FITTED['exact match'][1]) / PROCESSORS:.0f} ms in shards",
        ],
        ["a query, BM25 and scoring", f"{searched / 3.6e6:.2g}", f"{searched:.0f} ms on one"],
    ]
    return table(["all of MEDLINE", "processor hours", f"{PROCESSORS} processors"], rows)


def main(source: Path, threads: Path, target: Path) -> None:
    """Write the page and its plots."""
    results = [json.loads(line) for line in source.read_text().splitlines()]
    plots: dict[str, bytes] = {}
    sizes = [r["records"] for r in results]
    with plot(plots, "scale-latency", "records", "ms a query, one processor") as axes:
        for name in ("BM25, first 1,000", "BM25, first 1,000, scored", "exact match"):
            values = [FITTED[name][1](r) for r in results]
            slope = fit(sizes, values)[1]
            axes.loglog(sizes, values, marker="o", label=f"{name} (exponent {slope:.2f})")
    with plot(plots, "scale-memory", "records", "GB") as axes:
        for name in ("peak memory, indexing", "peak memory, store", "peak memory, matching"):
            axes.loglog(sizes, [FITTED[name][1](r) for r in results], marker="o", label=name)
    template = Path(__file__).with_name("scale.md").read_text(encoding="utf-8")
    page = template.format(
        measured=measured(results),
        fitted=fitted(results),
        projected=projected(results),
        threads=threads.read_text().strip(),
        paper=PAPER,
        records=results[0]["records"],
        largest=results[-1]["records"],
        sentences=results[-1]["store"]["sentences"],
    )
    target.mkdir(parents=True, exist_ok=True)
    (target / "scale.md").write_text(page, encoding="utf-8")
    for name, data in plots.items():
        (target / f"{name}.svg").write_bytes(data)


if __name__ == "__main__":
    given = [Path(path) for path in sys.argv[1:]]
    main(given[0], given[1], given[2] if len(given) > 2 else Path("docs/results"))
