"""Themes: seconds, iterations and memory against the number of records.

The matrix is that of the abstracts collection, and of its first 4,000 to 32,000 records (32,000 is
the paper's size), each with its own frequencies; 20 random kernels each, one thread, seconds of the
processor. "Published" runs until the log-likelihood converges, "ours" is the default without
Rocchio's scores; with them it is timed apart, on the whole collection.

Run ``RELSENT_DATA=<data folder> python -m benchmarks.themes [SVG]``: the plot goes to SVG.
"""

import resource
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path
from statistics import mean, median
from tempfile import TemporaryDirectory, gettempdir

import numpy as np

from benchmarks.common import data_file, print_table
from relsent_ir.lucene.memory.derived import Spool
from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.lucene.write.indexing import build_index
from relsent_ir.records import list_inputs, read_records
from relsent_ir.text.words import default_stopwords
from relsent_ir.themes import (
    IMPROVED,
    IMPROVED_FIELDS,
    Terms,
    Theme,
    ThemeFinder,
    ThemeSettings,
    ThemeTopic,
)
from relsent_ir.themes.em import find_theme
from relsent_ir.themes.matrix import Piece, PresenceMatrix, Selection, gather_matrix
from reproduce.page import plot

SIZES = (4_000, 8_000, 16_000, 32_000, None)
KERNELS = 20
OURS = replace(IMPROVED, similarity=0)


def seconds(job: Callable[[], Theme]) -> tuple[float, Theme]:
    """Time one theme."""
    begun = time.process_time()
    theme = job()
    return time.process_time() - begun, theme


def matrices(files: list[tuple[Path, str]]) -> list[tuple[PresenceMatrix, float]]:
    """Build the matrix of each size; with the seconds that it took."""
    found = []
    for size in SIZES:
        begun = time.process_time()
        records = sorted(islice(read_records(*files[0]), size), key=lambda record: record.id)
        texts = ([r.title, *(s.text for s in r.sections)] for r in records)
        pieces = [Piece.of(texts, default_stopwords())]
        ids, spool = [r.id for r in records], partial(Spool, Path(gettempdir()))
        matrix = gather_matrix(ids, pieces, Selection(), None, spool, lambda t, n: np.empty(n, t))
        found.append((matrix, time.process_time() - begun))
    return found


def main() -> None:
    """Print the tables, and draw the plot."""
    files, _ = list_inputs([data_file("abstracts/abstracts.jsonl.gz")])
    rows, points = [], []
    for matrix, built in matrices(files):
        usable = np.flatnonzero(matrix.lengths)
        kernels = np.random.default_rng(0).choice(usable, KERNELS, replace=False)
        row = [f"{len(matrix.ids):,}", f"{len(matrix.terms):,}", f"{built:.1f}"]
        point = [float(len(matrix.ids))]
        matrix.by_term  # noqa: B018 - made on first use, once for all kernels
        for settings in (ThemeSettings(), OURS):
            timed = [
                seconds(lambda k=k, s=settings, m=matrix: find_theme(m, np.array([k]), s))
                for k in kernels
            ]
            iterations = [len(theme.sizes) for _, theme in timed]
            times = [t for t, _ in timed]
            row += [f"{mean(times):.2f}", f"{median(times):.2f}", f"{mean(iterations):.0f}"]
            row.append(f"{1000 * sum(times) / sum(iterations):.1f}")
            point += [mean(times), sum(times) / sum(iterations)]
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        arrays = [
            array
            for way in (matrix.presence, matrix.by_term)
            for array in (way.data, way.indices, way.indptr)
        ]
        rows.append([*row, f"{sum(array.nbytes for array in arrays) / 1e6:.0f}", f"{peak:.0f}"])
        points.append(point)
    each = ("s", "median", "iterations", "ms each")
    header = [
        "records",
        "terms",
        "s to build",
        *(f"{n}: {x}" for n in ("published", "ours") for x in each),
    ]
    print_table([*header, "MB matrix", "MB peak"], rows)
    if len(sys.argv) > 1:
        draw(Path(sys.argv[1]), points)
    search(files)


def draw(path: Path, points: list[list[float]]) -> None:
    """Plot the seconds of a kernel against the records."""
    plots: dict[str, bytes] = {}
    with plot(plots, "themes-cost", "records", "processor seconds a kernel") as axes:
        for name, column in (("published", 1), ("ours", 3)):
            axes.plot([p[0] for p in points], [p[column] for p in points], "o-", label=name)
        axes.set(xlim=(0, None), ylim=(0, None))
    path.write_bytes(plots["themes-cost"])


def search(files: list[tuple[Path, str]]) -> None:
    """Time all of ours on an index, Rocchio's scores included, on one thread and on two."""
    with TemporaryDirectory() as place:
        build_index(files, Path(place, "index"))
        with Indexes(Path(place, "index")) as collection:
            finder = ThemeFinder(collection, IMPROVED, Terms(IMPROVED_FIELDS))
            ids = [
                finder.matrix.ids[row]
                for row in np.random.default_rng(0).choice(len(finder.index), 40)
            ]
            topics = {name: ThemeTopic((name,)) for name in ids}
            finder.run(dict(islice(topics.items(), 2)))
            for threads in (1, 2):
                begun = time.perf_counter(), time.process_time()
                finder.run(topics, threads=threads)
                clock, cpu = time.perf_counter() - begun[0], time.process_time() - begun[1]
                print(
                    f"ours with Rocchio's scores, {len(finder.index):,} records, "
                    f"{threads} threads: "
                    f"{clock / len(topics):.2f} s a kernel, {cpu / len(topics):.2f} s of processors"
                )


if __name__ == "__main__":
    main()
