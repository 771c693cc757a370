"""The postings of an index as arrays beside it, mapped into memory.

They are read once for each field, and kept in ``DIR/derived/postings-UNIT/``.
What Lucene counts is counted here: deleted documents are in them until Lucene merges them away.

Lucene numbers the documents of its segments one after the other. As long as it has not merged the
segments that were read, their postings are as they were, and those of the segments after them
follow, term by term; what is deleted changes no postings. The large arrays are built in files.
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
"""Raise it whenever the same index would give other arrays."""
FIELD: Final = "contents"
LIMIT_VARIABLE: Final = "RELSENT_POSTINGS"
DEFAULT_LIMIT: Final = "2g"
MOST: Final = 2**29 - 1
"""Postings of a field: Java maps 2 GB at once."""

_ENTRY: Final = 8  # bytes
_FEW: Final = 1 << 20  # documents whose ids may all be in memory, as strings


@dataclass(frozen=True, eq=False)
class Postings:
    """Which documents have each term of a field, and how often.

    Attributes
    ----------
    ids : Vocabulary
        Of all documents that are not deleted, in the order of their UTF-8 bytes.
    ranks : ndarray of int32, shape (documents,)
        By Lucene's number of a document, its id's place in `ids`; -1 for a deleted one.
    terms : Vocabulary
        The analysed terms, those of deleted documents too.
    starts : ndarray of int32, shape (terms + 1,)
        Where each term's documents begin in `documents`.
    documents : ndarray of int32, shape (postings,)
        Lucene's numbers, ascending within each term.
    counts : ndarray of uint16 or int32, shape (postings,)
        How often each has the term.
    lengths : ndarray of uint8, shape (documents,)
        Lucene's code of each document's length (``SmallFloat.intToByte4``).
    folder : Path
        Where the files are.
    sizes : dict of str to int
        By the name of a file, the bytes of its array.
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
        names = np.empty(len(self.ids), dtype=object)
        names[:] = list(self.ids)
        return names

    def named(self, places: NDArray[np.integer]) -> NDArray[np.object_]:
        """Return some ids; of many documents, without an array of all."""
        names = np.empty(len(places), dtype=object)
        if len(self.ids) <= _FEW:
            names[:] = self.names[places]
            return names
        names[:] = [self.ids[place] for place in places.tolist()]
        return names


def open_postings(
    index: OpenIndex, field: str = FIELD, *, progress: Progress | None = None
) -> Postings:
    """Map the postings of a field into memory; read them from the index first if need be.

    Parameters
    ----------
    index : Index
    field : str
        An indexed field with text.
    progress : callable, optional
        Gets the number of postings read, and of all, while they are.

    Raises
    ------
    InputError
        If what is stored is damaged.
    OutputError
        If it cannot be written.
    """
    derived = _derived(index, field)

    def make() -> dict[str, NDArray[Any]]:
        return build(index, field, derived.older(), derived.scratch, progress)

    return derived.open(make, _made)


def has_postings(index: OpenIndex, field: str = FIELD) -> bool:
    """Tell whether they are there already."""
    return _derived(index, field).exists()


def fits(index: OpenIndex, field: str = FIELD) -> bool:
    """Tell whether a field's postings are below the limit: ``RELSENT_POSTINGS``, by default 2g.

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
    postings = int(index.call("PostingsWalk.size", index.reader, field, 0))
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
"""Gives an array of a dtype and size."""

NARROW: Final = 2**16
_PIECE: Final = 2_000_000  # postings that are in memory at once


@dataclass(frozen=True, eq=False)
class TermPostings:
    """The postings of some segments, as `Postings` has them."""

    names: Vocabulary
    starts: NDArray[np.int32]
    documents: NDArray[np.integer]
    counts: NDArray[np.integer]


def size(index: OpenIndex, field: str, first: int = 0) -> int:
    """Count the postings of a field in the segments from `first` on."""
    return int(index.call("PostingsWalk.size", index.reader, field, first))


def build(
    index: OpenIndex, field: str, older: list[Stored], allot: Allot, progress: Progress | None
) -> dict[str, NDArray[Any]]:
    """Make the arrays of `Postings`.

    Parameters
    ----------
    index : Index
    field : str
    older : list of Stored
        Postings of the same field, of what the index held before: those are taken whose segments
        are the first of the index.
    allot : callable
        Gives the arrays that may be large.
    progress : callable, optional
        Gets the number of postings read, and of all that have to be.
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
    """Choose the older postings of the most segments, if these are the index's first."""
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
    """Return the ids, and the place of each document's among them; -1 for a deleted one."""
    live = index.call("PostingsWalk.live", index.reader)
    live = np.frombuffer(live.tostring(), np.bool_)
    ids, by_id = Vocabulary.of_lines(index.id_lines())
    ranks = np.full(len(live), -1, np.int32)
    ranks[np.flatnonzero(live)[by_id]] = np.arange(len(ids), dtype=np.int32)
    return ids, ranks


def _read(
    index: OpenIndex, field: str, first: int, allot: Allot, progress: Progress | None
) -> TermPostings:
    """Read the postings of the segments from `first` on."""
    total = size(index, field, first)
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
    """Read postings term by term: the terms end to end; sizes, frequencies, documents, counts."""
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
    """Join postings, term by term: those of the later documents come after the others."""
    old, names = _raw(before.names), _raw(after.names)
    places = before.names.locate(after.names)
    new = np.flatnonzero(places < 0)
    at = np.array([bisect_left(old, names[i]) for i in new.tolist()], dtype=np.int64)
    # Where the terms of each go: an old one is moved by the new ones that come before it.
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
    kind = np.result_type(before.counts, after.counts)  # two bytes, unless one has four
    counts = allot(kind, len(documents))
    for part, to in ((before, starts[old_to]), (after, starts[new_to] + had[new_to])):
        _place(part, to.astype(np.int64), documents, counts)
    ends = np.cumsum([len(name) for name in union], dtype=np.int64)
    text = np.frombuffer(b"".join(union), np.uint8)
    return TermPostings(Vocabulary(text, ends), starts, documents, counts)


def _place(
    part: TermPostings, to: NDArray[np.int64], documents: NDArray[Any], counts: NDArray[Any]
) -> None:
    """Copy the postings of each term to where they begin, some terms at a time."""
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
