"""Files of records, a piece at a time: read here or by another process, worked on by several.

One process reads, in file order; others do the work; its results come back in that order. So what
is made of them is the same, however many processes there are.
"""

import pickle
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Final, NamedTuple, TypeVar

from relsent_ir.errors import InputError
from relsent_ir.executor import Processes, streamed
from relsent_ir.records.reading import Works, read_entries
from relsent_ir.records.record import Deletion, Record

Entry = Record | Deletion | InputError
Files = Sequence[tuple[Path, str]]
"""Paths and formats."""

R = TypeVar("R")

CHUNK: Final = 64
"""Entries that are worked on together: to tag them takes about a twentieth of a second."""

CHARACTERS: Final = 2**18
"""Characters of titles and abstracts that end a chunk before it has so many entries."""


class Chunk(NamedTuple):
    """Some entries of a file, and whether they are the last of the file."""

    file: int
    number: int
    last: bool
    entries: Sequence[Entry]


class Packed(NamedTuple):
    """A chunk whose entries are pickled, so that a process that passes it on leaves them packed."""

    file: int
    number: int
    last: bool
    packed: bytes

    @property
    def entries(self) -> Sequence[Entry]:
        """The entries of the chunk."""
        entries: Sequence[Entry] = pickle.loads(self.packed)  # noqa: S301 (of our own processes)
        return entries


def each_chunk(
    make: Callable[[], Callable[[Chunk | Packed], R]],
    files: Files,
    threads: int = 1,
    *,
    strict: bool = True,
    works: Works | None = None,
) -> Generator[R, None, None]:
    """Apply a function to each chunk of the files; yield the results in the chunks' order.

    Parameters
    ----------
    make : callable
        Returns the function; called once in each process.
    files : sequence of (path, format)
    threads : int
        Number of processes that work, this one included; if several, one more process reads.
    strict : bool
    works : dict, optional
        See `read_chunks`.

    Raises
    ------
    InputError
        If `strict` and a file cannot be read to its end; what could be read is yielded before.
    MissingError
        If other processes die repeatedly.
    UsageError
        If `make` cannot be pickled.
    """
    if threads == 1:
        yield from map(make(), read_chunks(files, strict=strict, works=works))
        return
    with (
        closing(streamed(partial(_packed_chunks, files, strict, works))) as chunks,
        Processes(threads) as executor,
    ):
        yield from executor.map(make, chunks)


def read_chunks(
    files: Files,
    after: tuple[int, int] = (0, -1),
    *,
    strict: bool = True,
    works: Works | None = None,
) -> Iterator[Chunk]:
    """Read files in chunks; the last chunk of each file is marked.

    If works of several files share an id, the first keeps it; see `relsent_ir.records.reading`.

    Parameters
    ----------
    files : sequence of (path, format)
    after : tuple of int
        The place of a file and of its chunk after which reading starts.
    strict : bool
        Raise the error of a file that cannot be read to its end; otherwise it becomes an entry.
    works : dict, optional
        Works that are already known, by their ids.
    """
    first, before = after
    works = {name: dict(known) for name, known in (works or {}).items()}
    for file, (path, form) in islice(enumerate(files), first, None):
        for number, (last, entries) in enumerate(_chunks(path, form, works, strict)):
            if file > first or number > before:
                yield Chunk(file, number, last, entries)


def _chunks(
    path: Path, form: str, works: Works, strict: bool
) -> Iterator[tuple[bool, list[Entry]]]:
    entries: list[Entry] = []
    characters = 0
    for entry in _entries(path, form, works, strict, entries.append):
        entries.append(entry)
        if isinstance(entry, Record):
            characters += len(entry.title) + sum(len(part.text) for part in entry.sections)
        if len(entries) >= CHUNK or characters >= CHARACTERS:
            yield False, entries[:]
            entries.clear()  # the same list, to which `on_skip` adds
            characters = 0
    yield True, entries


def _entries(
    path: Path, form: str, works: Works, strict: bool, on_skip: Callable[[InputError], None]
) -> Iterator[Record | Deletion]:
    try:
        yield from read_entries(path, form, on_skip=on_skip, works=works)
    except InputError as error:
        if strict:
            raise
        on_skip(error)


def _packed_chunks(
    files: Files, strict: bool, works: Works | None, last: Packed | None
) -> Iterator[Packed]:
    after = (last.file, last.number) if last else (0, -1)
    for chunk in read_chunks(files, after, strict=strict, works=works):
        yield Packed(chunk.file, chunk.number, chunk.last, pickle.dumps(chunk.entries))
