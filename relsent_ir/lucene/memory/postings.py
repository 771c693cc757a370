"""The postings of an index as arrays, stored beside it and mapped into memory.

They are read once for each field and stored in ``DIR/derived/postings-UNIT/``. As in Lucene's own
counts, deleted documents are included until Lucene merges them away.

Lucene numbers the documents of its segments consecutively. Until it merges the segments read
earlier, their postings stay the same, and the postings of later segments are appended, term by
term; deletions do not change postings. The large arrays are built in files.
"""

import os
import re
from bisect import bisect_left
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import numpy as np

from relsent_ir.errors import UsageError
from relsent_ir.lucene.jvm import exclusive
from relsent_ir.lucene.memory.derived import Derived, OpenIndex
from relsent_ir.models import Stored, pack_strings, unpack_strings
from relsent_ir.text.vocabulary import Vocabulary
from relsent_ir.typing import NDArray, Progress

NAME: Final = "postings"
EDITION: Final = 1
"""Raise this when the same index would give other arrays."""
FIELD: Final = "contents"
LIMIT_VARIABLE: Final = "RELSENT_POSTINGS"
DEFAULT_LIMIT: Final = "2g"
MOST: Final = 2**29 - 1
"""Largest number of postings of a field: Java maps 2 GB at once."""

_ENTRY: Final = 8  # bytes of a posting
_FEW: Final = 1 << 20  # documents whose ids may all be in memory as strings


@dataclass(frozen=True, eq=False)
class Postings:
    """The documents that have each term of a field, and how often.

    Attributes
    ----------
    ids : Vocabulary
        The ids of all documents that are not deleted, in the order of their UTF-8 bytes.
    ranks : ndarray of int32, shape (documents,)
        For each document number of Lucene, the place of its id in `ids`; -1 if it is deleted.
    terms : Vocabulary
        The analysed terms, including those of deleted documents.
    starts : ndarray of int32, shape (terms + 1,)
        Start of the documents of each term in `documents`.
    documents : ndarray of int32, shape (postings,)
        Lucene's document numbers, ascending within each term.
    counts : ndarray of uint16 or int32, shape (postings,)
        How often the term occurs in each of these documents.
    lengths : ndarray of uint8, shape (documents,)
        Lucene's code of each document's length (``SmallFloat.intToByte4``).
    folder : Path
        The folder of the files.
    sizes : dict of str to int
        The size in bytes of each file's array.
    """

    ids: Vocabulary
    ranks: NDArray[np.int32]
    terms: Vocabulary
    starts: NDArray[np.int32]
    documents: NDArray[np.integer]
    counts: NDArray[np.integer]
    lengths: NDArray[np.uint8]
    folder: Path
    sizes: dict[str, int]

    @cached_property
    def names(self) -> NDArray[np.object_]:
        """The ids as an array."""
        return np.array(list(self.ids), dtype=object)

    def named(self, places: NDArray[np.integer]) -> NDArray[np.object_]:
        """Return the ids at some places; for many documents, without an array of all ids."""
        if len(self.ids) <= _FEW:
            return np.asarray(self.names[places])
        return np.array([self.ids[place] for place in places.tolist()], dtype=object)


def open_postings(
    index: OpenIndex, field: str = FIELD, *, progress: Progress | None = None
) -> Postings:
    """Map the postings of a field into memory; read them from the index first if necessary.

    Parameters
    ----------
    index : Index
    field : str
        An indexed field with text.
    progress : callable, optional
        Called while postings are read, with the number read and the total.

    Raises
    ------
    InputError
        If the stored arrays are damaged.
    OutputError
        If the arrays cannot be written.
    """
    derived = _derived(index, field)
    return derived.open(
        lambda: build(index, field, derived.older(), derived.scratch, progress), _made
    )


def has_postings(index: OpenIndex, field: str = FIELD) -> bool:
    """Return whether the postings of a field are already stored."""
    return _derived(index, field).exists()


def fits(index: OpenIndex, field: str = FIELD) -> bool:
    """Return whether a field's postings are below ``RELSENT_POSTINGS``, by default 2g.

    Raises
    ------
    UsageError
        If the limit cannot be read.
    """
    limit = os.environ.get(LIMIT_VARIABLE) or DEFAULT_LIMIT
    match = re.fullmatch(r"(\d+)([mgMG])", limit)
    if not match:
        raise UsageError(f"no size: {limit!r}", where=LIMIT_VARIABLE, fix="write it as 512m or 4g")
    size = int(match[1]) << (30 if match[2] in "gG" else 20)
    postings = count(index, field)
    return postings <= MOST and postings * _ENTRY <= size


def _derived(index: OpenIndex, field: str) -> Derived:
    return Derived(index, f"{NAME}-{index.unit}", {"field": field}, EDITION)


def _made(stored: Stored) -> Postings:
    arrays = stored.arrays
    made = Postings(
        Vocabulary(arrays["ids"], arrays["id_ends"]),
        arrays["ranks"],
        Vocabulary(arrays["terms"], arrays["term_ends"]),
        arrays["starts"],
        arrays["documents"],
        arrays["counts"],
        arrays["lengths"],
        stored.path,
        {name: array.nbytes for name, array in arrays.items()},
    )
    sizes = len(made.starts) - 1, len(made.counts), len(made.lengths)
    if sizes != (len(made.terms), len(made.documents), len(made.ranks)):
        raise ValueError("its arrays do not fit")
    if made.starts[-1] != len(made.documents):
        raise ValueError("its terms do not fit")
    return made


Allot = Callable[[Any, int], NDArray[Any]]
"""A function that returns an array of a dtype and size."""

NARROW: Final = 2**16
_PIECE: Final = 2_000_000  # postings in memory at the same time


@dataclass(frozen=True, eq=False)
class TermPostings:
    """The postings of some segments, in the form of `Postings`."""

    names: Vocabulary
    starts: NDArray[np.int32]
    documents: NDArray[np.integer]
    counts: NDArray[np.integer]


def count(index: OpenIndex, field: str, first: int = 0) -> int:
    """Count the postings of a field in the segments from number `first` on."""
    return int(index.call("PostingsWalk.size", index.reader, field, first))


def build(
    index: OpenIndex, field: str, older: list[Stored], allot: Allot, progress: Progress | None
) -> dict[str, NDArray[Any]]:
    """Build the arrays of `Postings`.

    Parameters
    ----------
    index : Index
    field : str
    older : list of Stored
        Postings of the same field from earlier contents of the index; those are reused whose
        segments are still the first segments of the index.
    allot : callable
        Returns the arrays that may be large.
    progress : callable, optional
        Called with the number of postings read and the total to read.
    """
    segments = tuple(str(index.call("PostingsWalk.segments", index.reader)).split("\n"))
    done, before = _longest(segments, older)
    terms = _read(index, field, done, allot, progress)
    if before is not None:
        terms = merged(before, terms, allot)
    lengths = index.call("PostingsWalk.lengths", index.reader, field)
    ids, ranks = _ids(index)
    return {
        "segments": pack_strings(segments),
        "ids": ids.text,
        "id_ends": ids.ends.astype(np.int32),
        "ranks": ranks,
        "terms": terms.names.text,
        "term_ends": terms.names.ends.astype(np.int32),
        "starts": terms.starts,
        "documents": terms.documents,
        "counts": terms.counts,
        "lengths": np.frombuffer(lengths.tostring(), np.uint8),
    }


def _longest(segments: tuple[str, ...], older: list[Stored]) -> tuple[int, TermPostings | None]:
    """Choose the older postings with the most segments that are the first of the index."""
    best: tuple[int, TermPostings | None] = 0, None
    for stored in older:
        arrays = stored.arrays
        had = unpack_strings(arrays["segments"]) if "segments" in arrays else ()
        if best[0] < len(had) <= len(segments) and segments[: len(had)] == had:
            names = Vocabulary(arrays["terms"], arrays["term_ends"])
            best = (
                len(had),
                TermPostings(names, arrays["starts"], arrays["documents"], arrays["counts"]),
            )
    return best


def _ids(index: OpenIndex) -> tuple[Vocabulary, NDArray[np.int32]]:
    """Return the ids, and each document's place among them; -1 for a deleted document."""
    live = index.call("PostingsWalk.live", index.reader)
    live = np.frombuffer(live.tostring(), np.bool_)
    ids, by_id = Vocabulary.of_lines(index.id_lines())
    ranks = np.full(len(live), -1, np.int32)
    ranks[np.flatnonzero(live)[by_id]] = np.arange(len(ids), dtype=np.int32)
    return ids, ranks


def _read(
    index: OpenIndex, field: str, first: int, allot: Allot, progress: Progress | None
) -> TermPostings:
    """Read the postings of the segments from number `first` on."""
    total = count(index, field, first)
    documents, counts = allot(np.int32, total), allot(np.uint16, total)
    text, sizes, frequencies = [], [np.empty(0, np.int32)], [np.zeros(1, np.int32)]
    at = 0
    for some, (long, many, where, often) in _pieces(index, field, first):
        text.append(some)
        sizes.append(long)
        frequencies.append(many)
        if counts.dtype == np.uint16 and often.max() >= NARROW:
            narrow, counts = counts, allot(np.int32, total)
            for start in range(0, total, _PIECE):
                counts[start : start + _PIECE] = narrow[start : start + _PIECE]
        documents[at : at + len(where)], counts[at : at + len(where)] = where, often
        at += len(where)
        if progress:
            progress(at, total)
    names = Vocabulary(
        np.frombuffer(b"".join(text), np.uint8), np.cumsum(np.concatenate(sizes), dtype=np.int64)
    )
    starts = np.cumsum(np.concatenate(frequencies), dtype=np.int32)
    return TermPostings(names, starts, documents, counts)


def _pieces(
    index: OpenIndex, field: str, first: int
) -> Iterator[tuple[bytes, list[NDArray[np.int32]]]]:
    """Read postings in pieces: terms joined into bytes; sizes, frequencies, documents, counts."""
    with exclusive():
        walk = index.call("PostingsWalk.open", index.reader, field, first)
    while True:
        data = index.call("PostingsWalk.next", walk, _PIECE).tostring()
        terms, entries = (int(value) for value in np.frombuffer(data, "<i4", 2))
        if not terms:
            return
        parts = np.cumsum([terms, terms, entries, entries])
        numbers = np.frombuffer(data, "<i4", int(parts[-1]), 8)
        yield data[8 + numbers.nbytes :], np.split(numbers, parts[:-1])


def merged(before: TermPostings, after: TermPostings, allot: Allot) -> TermPostings:
    """Join postings term by term; the later documents follow the earlier ones."""
    old, names = _raw(before.names), _raw(after.names)
    places = before.names.locate(after.names)
    new = np.flatnonzero(places < 0)
    at = np.array([bisect_left(old, names[i]) for i in new.tolist()], dtype=np.int64)
    # New positions: an old term is shifted by the number of new terms before it.
    old_to = np.arange(len(old)) + np.searchsorted(at, np.arange(len(old)), side="right")
    new_to = np.empty(len(names), np.int64)
    new_to[new] = at + np.arange(len(new))
    new_to[places >= 0] = old_to[places[places >= 0]]

    union: list[bytes] = [b""] * (len(old) + len(new))
    for numbers, some in ((old_to, old), (new_to, names)):
        for number, name in zip(numbers.tolist(), some, strict=True):
            union[number] = name
    had = np.zeros(len(union), np.int64)
    had[old_to] = np.diff(before.starts)
    frequencies = had.copy()
    frequencies[new_to] += np.diff(after.starts)
    starts = np.concatenate([[0], np.cumsum(frequencies)]).astype(np.int32)

    documents = allot(np.int32, int(starts[-1]))
    kind = np.result_type(before.counts, after.counts)  # uint16, unless one of them is int32
    counts = allot(kind, len(documents))
    for part, to in ((before, starts[old_to]), (after, starts[new_to] + had[new_to])):
        _place(part, to.astype(np.int64), documents, counts)
    ends = np.cumsum([len(name) for name in union], dtype=np.int64)
    text = np.frombuffer(b"".join(union), np.uint8)
    return TermPostings(Vocabulary(text, ends), starts, documents, counts)


def _place(
    part: TermPostings, to: NDArray[np.int64], documents: NDArray[Any], counts: NDArray[Any]
) -> None:
    """Copy the postings of each term to its new start, some terms at a time."""
    first, terms = 0, len(part.starts) - 1
    while first < terms:
        begin = int(part.starts[first])
        last = int(np.searchsorted(part.starts, begin + _PIECE, side="right")) - 1
        last = min(max(last, first + 1), terms)
        end = int(part.starts[last])
        sizes = np.diff(part.starts[first : last + 1])
        moved = np.repeat(to[first:last] - part.starts[first:last], sizes) + np.arange(begin, end)
        documents[moved] = part.documents[begin:end]
        counts[moved] = part.counts[begin:end]
        first = last


def _raw(names: Vocabulary) -> list[bytes]:
    """Return all strings as bytes."""
    text = names.text.tobytes()
    ends = names.ends.tolist()
    return [text[start:end] for start, end in zip([0, *ends], ends, strict=False)]
