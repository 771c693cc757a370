"""A benchmark from an index to files: topics and qrels of each set, and the summary."""

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final

import numpy as np

from relsent_ir.citation.benchmark import Benchmark, Plan, build_benchmark
from relsent_ir.citation.documents import topic_text
from relsent_ir.citation.graph import CitationGraph
from relsent_ir.errors import OutputError
from relsent_ir.files import atomic_writer
from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.lucene.read.index import Index
from relsent_ir.moves import MOVES
from relsent_ir.records import Record
from relsent_ir.trec.qrels import write_qrels
from relsent_ir.trec.topics import write_topics
from relsent_ir.typing import Progress

_BATCH: Final = 2_000  # records that are read at once
SUMMARY: Final = "summary.json"


def benchmark_index(
    index: Index,
    plan: Plan,
    output: Path,
    *,
    all_moves: bool = False,
    progress: Progress | None = None,
) -> Benchmark:
    """Build a benchmark of an index's records and write it.

    Parameters
    ----------
    index : Index
        The abstracts of a collection.
    plan : Plan
    output : Path
        The folder: ``topics.set1.tsv``, ``qrels.set1.txt``, …, ``summary.json``.
    all_moves : bool
        Topics have a sentence of each argumentative move, as the paper's.
    progress : callable, optional
        Gets the number of records read, and of all.

    Raises
    ------
    MismatchError
        If no record has references, or too few have enough targets.
    OutputError
        If the folder cannot be written, or has sets that this benchmark has not.
    """
    check_folder(output, plan.sets)
    graph = read_graph(index, progress)
    collection = Indexes.of(index) if all_moves else None
    eligible = np.array([_is_topic(record, collection) for record in read_all(index)], dtype=bool)
    made = build_benchmark(graph, plan, eligible)
    made.summary["plan"]["all_moves"] = all_moves
    topics = [name for qrels in made.sets for name in qrels]
    texts = dict(zip(topics, map(topic_text, index.records(topics)), strict=True))
    write_benchmark(output, made, texts)
    return made


def read_graph(index: Index, progress: Progress | None = None) -> CitationGraph:
    """Build the citation graph of an index's records."""
    return CitationGraph.build(map(_citing, read_all(index, progress)))


def read_all(index: Index, progress: Progress | None = None) -> Iterator[Record]:
    """Read all records of an index, in its order."""
    ids = index.ids()
    for start in range(0, len(ids), _BATCH):
        yield from index.records(ids[start : start + _BATCH])
        if progress:
            progress(min(start + _BATCH, len(ids)), len(ids))


def _citing(record: Record) -> Record:
    """Keep what the graph needs: a large collection's texts would fill the memory."""
    return Record(
        record.id,
        references=record.references,
        citations=record.citations,
        printed_in=record.printed_in,
        journal=record.journal,
        authors=record.authors[:1],
    )


def _is_topic(record: Record, collection: Indexes | None) -> bool:
    """Tell whether a record has a text, and a sentence of each move if that is asked for."""
    if collection is None:
        return bool(topic_text(record))
    return {s.move for s in collection.tagged([record])[0] if s.n} == set(MOVES)


def write_benchmark(output: Path, made: Benchmark, texts: Mapping[str, str]) -> None:
    """Write topics and qrels of each set, then the summary."""
    check_folder(output, len(made.sets))
    for number, qrels in enumerate(made.sets, 1):
        write_topics(output / f"topics.set{number}.tsv", {name: texts[name] for name in qrels})
        write_qrels(output / f"qrels.set{number}.txt", qrels)
    with atomic_writer(output / SUMMARY) as file:
        file.write(json.dumps(made.summary, indent=1) + "\n")


def check_folder(output: Path, sets: int) -> None:
    """Refuse a folder that holds more sets: they would be taken for part of this benchmark.

    Raises
    ------
    OutputError
        If it does, or if it is a file.
    """
    if output.exists() and not output.is_dir():
        raise OutputError("this is a file", where=output, fix="name a folder")
    ours = set(_names(range(1, sets + 1)))
    try:
        there = {path.name for path in output.iterdir()} if output.exists() else set()
    except OSError as error:
        raise OutputError(f"cannot be read: {error.strerror}", where=output) from error
    others = sorted(name for name in there if name.startswith(("topics.set", "qrels.set")))
    if stale := [name for name in others if name not in ours]:
        raise OutputError(
            f"the folder holds another benchmark, with {stale[0]}",
            where=output,
            fix="name another folder, or remove it",
        )


def _names(numbers: Iterable[int]) -> Iterator[str]:
    for number in numbers:
        yield f"topics.set{number}.tsv"
        yield f"qrels.set{number}.txt"
