"""A plan of an index: disk, memory and time, from the beginnings of some of its files.

The beginnings are read, split, tagged and indexed here, in a folder that is removed again, and what
they took is multiplied by the bytes of all files over theirs. Kinds of files (a format, packed or
not) are sampled each by itself.
"""

import math
import shutil
import time
import zlib
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, TypeVar

from relsent_ir.errors import InputError
from relsent_ir.files import input_errors, output_errors
from relsent_ir.lucene.analyzers import Analysis
from relsent_ir.lucene.commits import Facts
from relsent_ir.lucene.documents import MoveTagger
from relsent_ir.lucene.jvm import java
from relsent_ir.lucene.read.index import Index
from relsent_ir.lucene.read.search import default_threads
from relsent_ir.lucene.write.batches import Prepared, Preparing
from relsent_ir.lucene.write.writer import CollectionWriter
from relsent_ir.records.chunks import Chunk, read_chunks
from relsent_ir.records.reading import read_entries
from relsent_ir.typing import Progress

FILES: Final = 4
"""Files of a kind that are sampled, evenly spread over all of them."""

BYTES: Final = {True: 2**19, False: 2**21}
"""Bytes that are read of a packed file, and of another: some hundreds of records."""

UNPACKED: Final = 2**26
"""Bytes that a packed beginning may unpack to."""

WRITERS: Final = 2
"""Threads that Lucene writes on: one for each index."""

GZIP: Final = b"\x1f\x8b"
POSTING: Final = 8
"""Bytes of a posting in what `--engine matrix` derives from an index."""

SHARD: Final = 30e9
"""Bytes of a shard in a cluster: 10 to 50 GB are OpenSearch's advice. It takes as much as here."""

MERGING: Final = 2.0
"""Times of its size that an index may have while its segments are merged."""

T = TypeVar("T")


@dataclass(frozen=True)
class IndexPlan:
    """The disk, memory and time that an index will take.

    Attributes
    ----------
    files, bytes : int
        The number and the size of the inputs.
    sampled : int
        Records of the sample.
    records, sentences : int
        That there will be.
    index, postings : int
        Bytes on disk: of the two indexes, and of what searching both in memory derives from them.
    most : int
        Bytes on disk while segments are merged.
    free : int
        Bytes free on the disk.
    memory : int
        Bytes of all processes at most: Java's heap, and each process of Python.
    seconds : dict of str to float
        Processor time by stage.
    clock : float
        Seconds, if nothing else runs: stages work side by side where there are processors for them.
    threads, processors : int
    """

    files: int
    bytes: int
    sampled: int
    records: int
    sentences: int
    index: int
    postings: int
    most: int
    free: int
    memory: int
    seconds: dict[str, float]
    clock: float
    threads: int
    processors: int

    @property
    def fits(self) -> bool:
        """Whether the disk has room."""
        return self.most < self.free

    def __str__(self) -> str:
        lines = {
            "files": f"{self.files:,}, {_size(self.bytes)}",
            "sample": f"{self.sampled:,} records",
            "records": f"{self.records:,}",
            "sentences": f"{self.sentences:,}",
            "disk": f"{_size(self.index)}, up to {_size(self.most)} while segments are merged; "
            f"{_size(self.free)} are free" + ("" if self.fits else ": TOO LITTLE"),
            "  in memory": f"{_size(self.postings)} more, once --engine matrix searches both",
            "  in a cluster": f"{_size(self.index)} for each copy, --shards "
            f"{math.ceil(self.index / SHARD)}",
            "memory": f"up to {_size(self.memory)}",
            "time": f"{_duration(self.clock)} with --threads {self.threads}, of {self.processors} "
            "processors",
        }
        seconds = {f"  {n}": f"{_duration(s)} of one processor" for n, s in self.seconds.items()}
        return "\n".join(f"{name:<16}{value}" for name, value in (lines | seconds).items())


def plan_index(
    inputs: Sequence[tuple[Path, str]],
    folder: Path,
    *,
    tagger: MoveTagger | None = None,
    threads: int = 1,
    progress: Progress | None = None,
) -> IndexPlan:
    """Foresee what `build_index` would take.

    Parameters
    ----------
    inputs : sequence of (path, format)
    folder : Path
        Where the index is to be: its disk is looked at, nothing is written there.
    tagger : MoveTagger, optional
        Gives the sentences their moves.
    threads : int
        Processes that prepare, as for `build_index`.
    progress : callable
        Gets the number of steps done, and of all.

    Raises
    ------
    InputError
        If a file cannot be read, or holds no records.
    OutputError
        If there is no room for the sample.
    """
    processors = default_threads()
    with TemporaryDirectory() as place:
        samples = _samples(inputs, Path(place))
        steps = 4 * len(samples)
        totals: dict[str, float] = {}
        memory = 0
        for number, (files, factor) in enumerate(samples):

            def tick(step: int, number: int = number) -> None:
                if progress:
                    progress(4 * number + step, steps)

            measured = _measure(files, Path(place, f"index{number}"), tagger, tick)
            memory = max(memory, int(measured.pop("memory")))
            for name, value in measured.items():
                scale = 1.0 if name == "sampled" else factor
                totals[name] = totals.get(name, 0.0) + scale * value
    disk = folder
    while not disk.exists():
        disk = disk.parent
    stages = ("reading", "splitting", "tagging", "Lucene")
    seconds = {name: totals[name] for name in stages if name in totals}
    size = int(totals["index"])
    return IndexPlan(
        len(inputs),
        sum(path.stat().st_size for path, _ in inputs),
        int(totals["sampled"]),
        round(totals["records"]),
        round(totals["sentences"]),
        size,
        round(totals["postings"] * POSTING),
        int(size * MERGING),
        shutil.disk_usage(disk).free,
        int(java("java.lang.Runtime").getRuntime().maxMemory())
        + memory * (1 if threads == 1 else threads + 2),
        seconds,
        _clock(seconds, threads, processors),
        threads,
        processors,
    )


def _clock(seconds: dict[str, float], threads: int, processors: int) -> float:
    """Compute the time of stages that work side by side, each item through all of them."""
    reading, lucene = seconds["reading"], seconds["Lucene"] / WRITERS
    rest = sum(seconds.values()) - reading - seconds["Lucene"]
    lines = [reading + rest] if threads == 1 else [reading, rest / threads]
    return max(*lines, lucene, sum(seconds.values()) / processors)


def _samples(
    inputs: Sequence[tuple[Path, str]], place: Path
) -> list[tuple[list[tuple[Path, str]], float]]:
    """Return the beginnings of files of each kind, and the factor from them to all bytes."""
    kinds: dict[tuple[str, bool], list[Path]] = {}
    for path, form in inputs:
        with input_errors(path), path.open("rb") as file:
            packed = file.read(2) == GZIP
        kinds.setdefault((form, packed), []).append(path)
    samples = []
    for (form, packed), paths in kinds.items():
        count = min(FILES, len(paths))
        chosen = [paths[i * len(paths) // count] for i in range(count)]
        cut = [_beginning(path, form, BYTES[packed], place) for path in chosen]
        factor = sum(path.stat().st_size for path in paths) / sum(size for _, size in cut)
        samples.append(([(beginning, form) for beginning, _ in cut], factor))
    return samples


def _beginning(path: Path, form: str, size: int, place: Path) -> tuple[Path, int]:
    """Write a file's first bytes to a file, unpacked; return the file itself if it is short.

    They are so many that there is a record in them.
    """
    while path.stat().st_size > size:
        part = place / f"{len(list(place.iterdir()))}"
        with input_errors(path), path.open("rb") as file:
            head = file.read(size)
            if head.startswith(GZIP):
                head = zlib.decompressobj(zlib.MAX_WBITS | 16).decompress(head, UNPACKED)
        with output_errors(part):
            part.write_bytes(head)
        with suppress(InputError):
            next(read_entries(part, form, on_skip=lambda _: None))
            return part, size
        size *= 8
    return path, path.stat().st_size


def _measure(
    files: list[tuple[Path, str]],
    folder: Path,
    tagger: MoveTagger | None,
    tick: Callable[[int], None],
) -> dict[str, float]:
    paths = [path for path, _ in files]
    chunks, reading = _timed(lambda: _read(files))
    memory = _resident()
    tick(1)
    parts, splitting = _timed(lambda: list(map(Preparing(None, paths), chunks)))
    measured = {"reading": reading, "splitting": splitting}
    if tagger:
        parts, both = _timed(lambda: list(map(Preparing(tagger, paths), chunks)))
        measured["tagging"] = max(0.0, both - splitting)
        memory = max(memory, _resident())
    tick(2)
    _write(folder / "first", parts, tagger)  # Java compiles while it works
    tick(3)
    _, measured["Lucene"] = _timed(lambda: _write(folder / "again", parts, tagger))
    tick(4)
    index = folder / "again"
    records = sum(part.records for part in parts)
    measured |= {
        "sampled": records,
        "records": records,
        "sentences": sum(part.sentences for part in parts),
        "index": sum(path.stat().st_size for path in index.rglob("*") if path.is_file()),
        "postings": 0,
        "memory": memory,
    }
    for unit in ("abstracts", "sentences"):
        with Index(index, unit) as opened:
            measured["postings"] += opened.statistics()["postings"]
    return measured


def _read(files: Sequence[tuple[Path, str]]) -> list[Chunk]:
    """Read beginnings: they end where they were cut, in an error."""
    chunks: list[Chunk] = []
    for file in files:
        with suppress(InputError):
            chunks.extend(read_chunks([file]))
    if not any(chunk.entries for chunk in chunks):
        next(read_chunks(files))  # which raises the error
    return chunks


def _write(folder: Path, parts: Sequence[Prepared], tagger: MoveTagger | None) -> None:
    facts = Facts(Analysis.choose(), moves=tagger.name if tagger else "")
    with CollectionWriter(folder, facts, None, tagger) as writer:
        for part in parts:
            for unit, batch in part.batches:
                writer.send(unit, batch)
        writer.commit(facts)


def _timed(work: Callable[[], T]) -> tuple[T, float]:
    """Do something; give the seconds of the processor as well, Java's too."""
    start = time.process_time()
    result = work()
    return result, time.process_time() - start


def _resident() -> int:
    """Bytes that this process has had at most: before Java starts, those of Python."""
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def _size(number: float) -> str:
    return f"{number / 1e9:,.1f} GB" if number >= 1e9 else f"{number / 1e6:,.1f} MB"


def _duration(seconds: float) -> str:
    if seconds >= 3600:
        return f"{seconds / 3600:,.1f} hours"
    return f"{seconds / 60:.1f} minutes" if seconds >= 60 else f"{seconds:.1f} s"
