"""CRFsuite's model file, checked before CRFsuite reads it: it goes where the file points, blindly.

References
----------
N. Okazaki. CRFsuite: a fast implementation of conditional random fields. 2007. The layout is that
of its crf1d_model.c and cqdb.c.
"""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from relsent_ir.errors import InputError

Numbers = NDArray[np.int64]

_HEADER = 48  # "lCRF", size, "FOMC", version, three counts, five offsets
_CHUNK = 12  # a name, a size and a count, before features and references
_FEATURE = np.dtype([("type", "<u4"), ("src", "<u4"), ("dst", "<u4"), ("weight", "<f8")])
_TABLES = 256  # of a dictionary of strings
_DICTIONARY = 24 + 8 * _TABLES


def check(data: bytes, where: Path | None = None) -> None:
    """See that every number of the file that leads somewhere leads to what it should.

    Raises
    ------
    InputError
        If one does not, or a weight is not finite.
    """
    try:
        _check(np.frombuffer(data, np.uint8))
    except (ValueError, IndexError) as error:
        raise InputError("these are no weights of a CRF", where=where, fix="train again") from error


def _check(data: NDArray[np.uint8]) -> None:
    _need(len(data) >= _HEADER and bytes(data[:4]) == b"lCRF" and bytes(data[8:12]) == b"FOMC")
    header = _numbers(data, 0, 12)
    size, labels, attributes = (int(header[i]) for i in (1, 5, 6))
    at_features, at_labels, at_attributes, of_labels, of_attributes = map(int, header[7:])
    _need(size == len(data) and labels > 0 and int(header[7:].min()) >= _HEADER)
    features = int(_numbers(data, at_features + 8, 1)[0])  # the header says 0
    _inside(data, at_features + _CHUNK, features * _FEATURE.itemsize)
    table = np.frombuffer(data, _FEATURE, features, at_features + _CHUNK)
    _need(bool((table["dst"] < labels).all() and np.isfinite(table["weight"]).all()))
    _need(bool((table["src"][table["type"] == 1] < labels).all()))
    for start, count in ((of_labels, labels), (of_attributes, attributes)):
        _check_references(data, _numbers(data, start + _CHUNK, count), features)
    named = _check_dictionary(data[at_labels:], labels)
    _need(len(named) >= labels and bool((named[:labels] > 0).all()))
    _check_dictionary(data[at_attributes:], attributes)


def _check_references(data: NDArray[np.uint8], starts: Numbers, features: int) -> None:
    """Check lists of features, each with its length before it; no feature is in two."""
    lengths = _words(data, starts)
    _need(int(lengths.sum()) <= features)
    firsts = np.cumsum(lengths) - lengths
    steps = np.arange(int(lengths.sum())) - np.repeat(firsts, lengths)
    found = _words(data, np.repeat(starts + 4, lengths) + 4 * steps)
    _need(bool((found < features).all()))


def _check_dictionary(data: NDArray[np.uint8], count: int) -> Numbers:
    """Check a hash table of strings with their numbers; return where each number's string is."""
    _inside(data, 0, _DICTIONARY)
    _need(bytes(data[:4]) == b"CQDB")
    header = _numbers(data, 0, 6)
    _need(_DICTIONARY <= int(header[1]) <= len(data) and int(header[3]) == 0x62445371)
    data = data[: int(header[1])]
    places = _numbers(data, int(header[5]), int(header[4])) if header[5] else header[:0]
    entries = [places]
    for start, length in _numbers(data, 24, 2 * _TABLES).reshape(-1, 2):
        _need(bool(start) == bool(length))
        if start:
            offsets = _numbers(data, int(start), 2 * int(length))[1::2]
            _need(bool((offsets == 0).any()))  # where a search ends
            entries.append(offsets)
    found = np.concatenate(entries)
    found = found[found > 0]
    _need(bool((_words(data, found) < max(count, 1)).all()))
    ends = found + 8 + _words(data, found + 4)
    _need(bool(((ends > found + 8) & (ends <= len(data))).all()))
    _need(not data[ends - 1].any())
    return places


def _words(data: NDArray[np.uint8], at: Numbers) -> Numbers:
    """Return the numbers of four bytes at these places."""
    _need(bool(((at >= 0) & (at <= len(data) - 4)).all()))
    parts = data[at[:, None] + np.arange(4)].astype(np.int64)
    return np.asarray(parts @ np.array([1, 1 << 8, 1 << 16, 1 << 24], dtype=np.int64))


def _numbers(data: NDArray[np.uint8], start: int, count: int) -> Numbers:
    _inside(data, start, 4 * count)
    return np.frombuffer(data, "<u4", count, start).astype(np.int64)


def _inside(data: NDArray[np.uint8], start: int, size: int) -> None:
    _need(start >= 0 and start + size <= len(data))


def _need(true: bool) -> None:
    if not true:
        raise ValueError("a number of the file leads nowhere")
