"""Predict disk, memory and time of an index from the beginnings of some of its files.

The beginnings are read, split, tagged and indexed in a temporary folder, and their costs are scaled
by the ratio of all bytes to theirs. Each kind of file (a format, packed or not) is sampled
separately.
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
"""Number of sampled files of a kind, spread evenly over all of them."""

BYTES: Final = {True: 2**19, False: 2**21}
"""Bytes read of a packed file, and of another file: some hundreds of records."""

UNPACKED: Final = 2**26
"""Limit on the unpacked bytes of a packed beginning."""

WRITERS: Final = 2
"""Number of Lucene's writing threads: one for each index."""

GZIP: Final = b"\x1f\x8b"
POSTING: Final = 8
"""Bytes of a posting in the data that `--engine matrix` derives from an index."""

SHARD: Final = 30e9
"""Bytes of a shard in a cluster, where OpenSearch advises 10 to 50 GB. It takes as much as here."""

MERGING: Final = 2.0
"""Factor by which an index can grow while its segments are merged."""

T = TypeVar("T")


@dataclass(frozen=True)
class IndexPlan:
    """The disk, memory and time that an index needs.

    Attributes
    ----------
    files, bytes : int
        The number and total size of the inputs.
    sampled : int
        Number of sampled records.
    records, sentences : int
        Expected numbers of records and sentences.
    index, postings : int
        Bytes on disk of the two indexes, and of the postings derived to search both in memory.
    most : int
        Largest number of bytes on disk, while segments are merged.
    free : int
        Free bytes on the disk.
    memory : int
        Largest memory of all processes, in bytes: Java's heap and each Python process.
    seconds : dict of str to float
        Processor time in seconds, by stage.
    clock : float
        Seconds on an idle machine: stages run in parallel if there are processors for them.
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
        """Whether the disk has enough free space."""
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
    """Predict the disk, memory and time of `build_index`.

    Parameters
    ----------
    inputs : sequence of (path, format)
    folder : Path
        The folder of the future index: its disk is examined, but nothing is written.
    tagger : MoveTagger, optional
        Labels the sentences with moves.
    threads : int
        Number of processes that prepare documents, as for `build_index`.
    progress : callable
        Called with the number of steps done and the total.

    Raises
    ------
    InputError
        If a file cannot be read, or holds no records.
    OutputError
        If the disk has no space for the sample.
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
    """Compute the duration of stages that run in parallel while each item passes through all."""
    reading, lucene = seconds["reading"], seconds["Lucene"] / WRITERS
    rest = sum(seconds.values()) - reading - seconds["Lucene"]
    lines = [reading + rest] if threads == 1 else [reading, rest / threads]
    return max(*lines, lucene, sum(seconds.values()) / processors)


def _samples(
    inputs: Sequence[tuple[Path, str]], place: Path
) -> list[tuple[list[tuple[Path, str]], float]]:
    """Return beginnings of files of each kind, and the factor by which to scale to all bytes."""
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
    """Write a file's first bytes, unpacked, to a file; return a short file itself.

    Enough bytes are written to hold a whole record.
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
    _write(folder / "first", parts, tagger)  # a first run, so that Java can compile
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
    """Read beginnings; each ends with an error where it was cut."""
    chunks: list[Chunk] = []
    for file in files:
        with suppress(InputError):
            chunks.extend(read_chunks([file]))
    if not any(chunk.entries for chunk in chunks):
        next(read_chunks(files))  # raises the error
    return chunks


def _write(folder: Path, parts: Sequence[Prepared], tagger: MoveTagger | None) -> None:
    facts = Facts(Analysis.choose(), moves=tagger.name if tagger else "")
    with CollectionWriter(folder, facts, None, tagger) as writer:
        for part in parts:
            for unit, batch in part.batches:
                writer.send(unit, batch)
        writer.commit(facts)


def _timed(work: Callable[[], T]) -> tuple[T, float]:
    """Run a function; return its result and the processor time taken, including Java's."""
    start = time.process_time()
    result = work()
    return result, time.process_time() - start


def _resident() -> int:
    """Return the peak memory of this process, which before Java starts is Python's."""
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def _size(number: float) -> str:
    return f"{number / 1e9:,.1f} GB" if number >= 1e9 else f"{number / 1e6:,.1f} MB"


def _duration(seconds: float) -> str:
    if seconds >= 3600:
        return f"{seconds / 3600:,.1f} hours"
    return f"{seconds / 60:.1f} minutes" if seconds >= 60 else f"{seconds:.1f} s"
