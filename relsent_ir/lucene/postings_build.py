"""Building the postings of an index: read from Lucene, or added to those that were read before.

Lucene numbers the documents of its segments one after the other. As long as it has not merged the
segments that were read, their postings are as they were, and those of the segments after them
follow, term by term; what is deleted changes no postings. The large arrays are built in files.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from relsent_ir.lucene.index import Index
from relsent_ir.lucene.jvm import call, exclusive
from relsent_ir.models import Stored, pack_strings, unpack_strings
from relsent_ir.text.vocabulary import Vocabulary
from relsent_ir.typing import Progress

Allot = Callable[[Any, int], NDArray[Any]]
"""Gives an array of a dtype and size."""

NARROW: Final = 2**16
_PIECE: Final = 2_000_000  # postings that are in memory at once


@dataclass(frozen=True, eq=False)
class Terms:
    """The postings of some segments, as `Postings` has them."""

    names: Vocabulary
    starts: NDArray[np.int32]
    documents: NDArray[np.integer]
    counts: NDArray[np.integer]


def size(index: Index, field: str, first: int = 0) -> int:
    """The number of postings of a field in the segments from `first` on."""
    return int(call("PostingsWalk.size", index.reader, field, first, where=index.folder))


def build(
    index: Index, field: str, older: list[Stored], allot: Allot, progress: Progress | None
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
    segments = tuple(
        str(call("PostingsWalk.segments", index.reader, where=index.folder)).split("\n")
    )
    known, before = _longest(segments, older)
    terms = _read(index, field, known, allot, progress)
    if before is not None:
        terms = merged(before, terms, allot)
    lengths = call("PostingsWalk.lengths", index.reader, field, where=index.folder)
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


def _longest(segments: tuple[str, ...], older: list[Stored]) -> tuple[int, Terms | None]:
    """Of older postings, those of the most segments, if these are the index's first."""
    best: tuple[int, Terms | None] = 0, None
    for stored in older:
        arrays = {name: np.asarray(array) for name, array in stored.arrays.items()}
        had = unpack_strings(arrays["segments"]) if "segments" in arrays else ()
        if best[0] < len(had) <= len(segments) and segments[: len(had)] == had:
            names = Vocabulary(arrays["terms"], arrays["term_ends"])
            best = (
                len(had),
                Terms(names, arrays["starts"], arrays["documents"], arrays["counts"]),
            )
    return best


def _ids(index: Index) -> tuple[Vocabulary, NDArray[np.int32]]:
    """The ids, and the place of each document's among them; -1 for a deleted one."""
    live = call("PostingsWalk.live", index.reader, where=index.folder)
    live = np.frombuffer(live.tostring(), np.bool_)
    ids, by_id = Vocabulary.of_lines(index.id_lines())
    ranks = np.full(len(live), -1, np.int32)
    ranks[np.flatnonzero(live)[by_id]] = np.arange(len(ids), dtype=np.int32)
    return ids, ranks


def _read(index: Index, field: str, first: int, allot: Allot, progress: Progress | None) -> Terms:
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
            counts = _wide(counts, allot)
        documents[at : at + len(where)], counts[at : at + len(where)] = where, often
        at += len(where)
        if progress:
            progress(at, total)
    names = Vocabulary(
        np.frombuffer(b"".join(text), np.uint8), np.cumsum(np.concatenate(sizes), dtype=np.int64)
    )
    starts = np.cumsum(np.concatenate(frequencies), dtype=np.int32)
    return Terms(names, starts, documents, counts)


def _pieces(
    index: Index, field: str, first: int
) -> Iterator[tuple[bytes, list[NDArray[np.int32]]]]:
    """Read postings term by term: the terms end to end; sizes, frequencies, documents, counts."""
    with exclusive():
        walk = call("PostingsWalk.open", index.reader, field, first, where=index.folder)
    while True:
        data = call("PostingsWalk.next", walk, _PIECE, where=index.folder).tostring()
        terms, entries = (int(value) for value in np.frombuffer(data, "<i4", 2))
        if not terms:
            return
        parts = np.cumsum([terms, terms, entries, entries])
        numbers = np.frombuffer(data, "<i4", int(parts[-1]), 8)
        yield data[8 + numbers.nbytes :], np.split(numbers, parts[:-1])


def _wide(counts: NDArray[np.integer], allot: Allot) -> NDArray[np.integer]:
    """Give the counts in four bytes each."""
    wide = allot(np.int32, len(counts))
    for start in range(0, len(counts), _PIECE):
        wide[start : start + _PIECE] = counts[start : start + _PIECE]
    return wide


def merged(before: Terms, after: Terms, allot: Allot) -> Terms:
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
    return Terms(Vocabulary(text, ends), starts, documents, counts)


def _place(
    part: Terms, to: NDArray[np.int64], documents: NDArray[Any], counts: NDArray[Any]
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
    """All strings as bytes."""
    text = names.text.tobytes()
    ends = names.ends.tolist()
    return [text[start:end] for start, end in zip([0, *ends], ends, strict=False)]
