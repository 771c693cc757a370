"""A linear-chain CRF whose features are looked up by word, to label many sentences at once.

CRFsuite learned the weights (``recipes/chain.py``); NumPy decodes here. Each feature depends on one
word, at the token or at an offset from it. So the scores that a word gives to the tokens around it
are a row of a table, filled when the word first occurs; the scores of a sentence are sums of rows,
and Viterbi's algorithm decodes all sentences in parallel.

References
----------
J. Lafferty, A. McCallum, F. Pereira. Conditional random fields. ICML 2001, 282-289.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import islice
from threading import Lock
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from relsent_ir.models import check_arrays, pack_strings, unpack_strings
from relsent_ir.models.folders import check_places, check_starts
from relsent_ir.text.vocabulary import ranges

Features = Callable[[str], Sequence[str]]
"""A function that returns the features of a word at one offset."""


@dataclass(frozen=True)
class ChainWeights:
    """The learned weights.

    Attributes
    ----------
    labels : tuple of str
    steps : ndarray of float32, shape (labels, labels)
        The weight of each transition between labels.
    names : list of str
        The features that have weights, sorted.
    starts : ndarray of int32, shape (features + 1,)
    columns : ndarray of uint8, shape (weights,)
        The labels of each feature, as in a sparse matrix of features × labels.
    values : ndarray of float16, shape (weights,)
    """

    labels: tuple[str, ...]
    steps: NDArray[np.float32]
    names: list[str]
    starts: NDArray[np.int32]
    columns: NDArray[np.uint8]
    values: NDArray[np.float16]

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return the arrays that `from_arrays` reads."""
        return {
            "labels": pack_strings(self.labels),
            "names": pack_strings(self.names),
            "steps": self.steps,
            "starts": self.starts,
            "columns": self.columns,
            "values": self.values,
        }

    @classmethod
    def from_arrays(cls, arrays: dict[str, NDArray[Any]]) -> "ChainWeights":
        """Create the weights from stored arrays, and check them.

        Raises
        ------
        KeyError, ValueError, IndexError, TypeError
            If the arrays are inconsistent.
        """
        weights = cls(
            unpack_strings(arrays["labels"]),
            np.array(arrays["steps"], dtype=np.float32),
            list(unpack_strings(arrays["names"])),
            np.array(arrays["starts"]),
            np.array(arrays["columns"]),
            np.array(arrays["values"]),
        )
        check_arrays(
            arrays,
            {
                "steps": "float labels labels",
                "starts": "int starts",
                "columns": "int size",
                "values": "float size",
            },
            labels=len(weights.labels),
            starts=len(weights.names) + 1,
        )
        check_starts(weights.starts, len(weights.values))
        check_places(weights.columns, len(weights.labels))
        finite = bool(np.isfinite(weights.values).all() and np.isfinite(weights.steps).all())
        if not (weights.names and weights.labels and finite):
            raise ValueError("weights that do not fit together")
        return weights


_FILLED: Final = 1000
"""Number of words whose rows are computed together."""


class Emissions:
    """Compute the scores that a word gives to the labels of nearby tokens; one thread at a time.

    Parameters
    ----------
    weights : ChainWeights
    features : dict of int to Features
        The features for each offset of a word from the token: -1 is the word before the token.
    capacity : int
        Number of words that are cached; if there are more, the cache is cleared.
    """

    def __init__(
        self, weights: ChainWeights, features: dict[int, Features], capacity: int = 10_000
    ) -> None:
        self._features = features
        self._rows: dict[str, int] = {}
        self._numbers = {name: number for number, name in enumerate(weights.names)}
        self._starts = weights.starts.astype(np.intp)
        self._places = _places(weights, list(features))
        self._values = weights.values
        self._table = np.zeros((capacity, len(features), len(weights.labels)), dtype=np.float32)
        self._turn = Lock()
        self.border = max(abs(offset) for offset in features)

    def scores(self, sentences: Sequence[Sequence[str]]) -> NDArray[np.float32]:
        """Score the tokens of all sentences, joined in order; shape (tokens, labels)."""
        border = self.border
        inside = np.ones(border + sum(border + len(words) for words in sentences), dtype=bool)
        at = 0
        for words in sentences:
            inside[at : at + border] = False
            at += border + len(words)
        inside[at : at + border] = False
        places = np.flatnonzero(inside)
        with self._turn:  # the table is changed
            rows = self._lookup(sentences)
            total = np.zeros((len(places), self._table.shape[2]), dtype=np.float32)
            for column, offset in enumerate(self._features):
                total += self._table[rows[places + offset], column]
        return total

    def _lookup(self, sentences: Sequence[Sequence[str]]) -> NDArray[np.intp]:
        """Return the table's row of each word, with the empty word around each sentence."""
        edge = [""] * self.border
        words = list(edge)
        for sentence in sentences:
            words += sentence
            words += edge
        rows = self._rows
        new = set(words).difference(rows)
        if len(rows) + len(new) > len(self._table):
            rows.clear()
            new = set(words)
            if len(new) > len(self._table):
                grown = (len(new), *self._table.shape[1:])
                self._table = np.zeros(grown, dtype=np.float32)
        unfilled, first = list(new), len(rows)
        rows.update((word, first + n) for n, word in enumerate(unfilled))
        for start in range(0, len(unfilled), _FILLED):
            self._fill(first + start, unfilled[start : start + _FILLED])
        return np.fromiter((rows[word] for word in words), dtype=np.intp, count=len(words))

    def _fill(self, first: int, words: Sequence[str]) -> None:
        """Write the rows of words to consecutive places of the table, from `first` on."""
        features: list[int] = []
        counts = []
        for word in words:
            names = {kind: kind(word) for kind in set(self._features.values())}
            before = len(features)
            for offset, kind in self._features.items():
                for feature in names[kind]:
                    number = self._numbers.get(f"{offset}{feature}")
                    if number is not None:
                        features.append(number)
            counts.append(len(features) - before)
        numbers = np.array(features, dtype=np.intp)
        starts = self._starts[numbers]
        sizes = self._starts[numbers + 1] - starts
        parts = ranges(starts, sizes)
        rows = self._table[first : first + len(words)]
        row = np.repeat(np.repeat(np.arange(len(words)), counts), sizes)
        places = row * rows[0].size + self._places[parts]
        rows[:] = np.bincount(places, self._values[parts], rows.size).reshape(rows.shape)


def _places(weights: ChainWeights, offsets: list[int]) -> NDArray[np.intp]:
    """Return the position of each weight in a word's row of offsets × labels."""
    size = len(weights.labels)
    offset_of = [int(name[: 2 if name[0] == "-" else 1]) for name in weights.names]
    first = [offsets.index(offset) * size if offset in offsets else 0 for offset in offset_of]
    return np.repeat(
        np.array(first, dtype=np.intp), np.diff(weights.starts)
    ) + weights.columns.astype(np.intp)


def decode(
    scores: NDArray[np.float32], lengths: Sequence[int], steps: NDArray[np.float32], beam: int = 8
) -> NDArray[np.intp]:
    """Find the best labels of sentences with Viterbi's algorithm, all sentences in parallel.

    Parameters
    ----------
    scores : ndarray of float32, shape (tokens, labels)
        The scores of all sentences, joined in order.
    lengths : sequence of int
        Number of tokens of each sentence.
    steps : ndarray of float32, shape (labels, labels)
        The score of each transition between labels.
    beam : int
        Number of highest scores of a token that are considered.

    Returns
    -------
    ndarray of int, shape (tokens,)
    """
    beams = np.broadcast_to(np.arange(scores.shape[1]), scores.shape)
    if scores.shape[1] > beam:  # keep the highest, in the order of the labels
        beams = np.sort(np.argpartition(-scores, beam - 1, axis=1)[:, :beam], axis=1)
    values = np.take_along_axis(scores, beams, axis=1)
    sizes = np.asarray(lengths, dtype=np.intp)
    order = np.argsort(-sizes, kind="stable")[: int((sizes > 0).sum())]
    starts = (np.cumsum(sizes) - sizes)[order]
    sizes = sizes[order]
    best = np.empty(len(scores), dtype=np.intp)
    if not len(sizes):
        return best
    longer = np.searchsorted(-sizes, -np.arange(sizes[0]))  # number of sentences with a token t
    at = [starts[:n] + t for t, n in enumerate(longer)]
    later = np.concatenate(at[1:] or [starts[:0]])
    moves = steps[beams[later - 1, None, :], beams[later, :, None]]
    reached = values[later]
    total = values[starts]
    came: list[NDArray[np.intp]] = []
    done = 0
    for n in longer[1:].tolist():
        paths = total[:n, None, :] + moves[done : done + n]
        came.append(paths.argmax(axis=2))
        total[:n] = paths.max(axis=2) + reached[done : done + n]
        done += n
    place = total.argmax(axis=1)
    for t in range(int(sizes[0]) - 1, -1, -1):
        n = longer[t]
        best[at[t]] = place[:n]
        if t:
            place[:n] = came[t - 1][np.arange(n), place[:n]]
    return beams[np.arange(len(scores)), best]


def split(labels: Sequence[str], lengths: Sequence[int]) -> list[list[str]]:
    """Split the joined labels of sentences into a list for each sentence."""
    rest = iter(labels)
    return [list(islice(rest, length)) for length in lengths]
