"""Moves by a linear-chain conditional random field (CRFsuite), trained with L-BFGS or OWL-QN.

The paper has one label for each move. Here each move has two labels, for the first sentence of its
run and for the others, so that the model learns how sections begin and that moves seldom return. It
is trained on each abstract twice, the second time on a random half of its sentences, since
abstracts of other kinds are shorter and their sentences have other neighbours. If there are several
sources, the smaller ones get more such halves, so that the largest does not dominate.

CRFsuite follows the offsets in a model file without checks; therefore they are checked first.

References
----------
A. Alamri, M. Stevenson. Automatic detection of answers to research questions from Medline
abstracts. BioNLP 2015, 141-146.
K. Hirohata, N. Okazaki, S. Ananiadou, M. Ishizuka. Identifying sections in scientific abstracts
using conditional random fields. IJCNLP 2008.
N. Okazaki. CRFsuite: a fast implementation of conditional random fields. 2007. The layout of model
files is that of its crf1d_model.c and cqdb.c.
"""

import random
import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from relsent_ir.errors import InputError
from relsent_ir.models import Stored
from relsent_ir.moves.features import DEFAULT, GROUPS, PAPER, abstract_features
from relsent_ir.moves.labelled import Abstract
from relsent_ir.moves.labels import MOVES

Numbers = NDArray[np.int64]

_HEADER = 48  # "lCRF", size, "FOMC", version, three counts, five offsets
_CHUNK = 12  # a name, a size and a count, before features and references
_FEATURE = np.dtype([("type", "<u4"), ("src", "<u4"), ("dst", "<u4"), ("weight", "<f8")])
_TABLES = 256  # hash tables of a dictionary of strings
_DICTIONARY = 24 + 8 * _TABLES


def check(data: bytes, where: Path | None = None) -> None:
    """Check that every offset and number of a model file refers to an entry of its kind.

    Raises
    ------
    InputError
        If one does not, or a weight is not finite.
    """
    file = np.frombuffer(data, np.uint8)
    try:
        _need(len(file) >= _HEADER and bytes(file[:4]) == b"lCRF" and bytes(file[8:12]) == b"FOMC")
        header = _numbers(file, 0, 12)
        size, labels, attributes = (int(header[i]) for i in (1, 5, 6))
        at_features, at_labels, at_attributes, of_labels, of_attributes = map(int, header[7:])
        _need(size == len(file) and labels > 0 and int(header[7:].min()) >= _HEADER)
        features = int(_numbers(file, at_features + 8, 1)[0])  # the header has 0
        _inside(file, at_features + _CHUNK, features * _FEATURE.itemsize)
        table = np.frombuffer(file, _FEATURE, features, at_features + _CHUNK)
        _need(bool((table["dst"] < labels).all() and np.isfinite(table["weight"]).all()))
        _need(bool((table["src"][table["type"] == 1] < labels).all()))
        for start, count in ((of_labels, labels), (of_attributes, attributes)):
            _check_references(file, _numbers(file, start + _CHUNK, count), features)
        places = _check_dictionary(file[at_labels:], labels)
        _need(len(places) >= labels and bool((places[:labels] > 0).all()))
        _check_dictionary(file[at_attributes:], attributes)
    except (ValueError, IndexError) as error:
        raise InputError("these are no weights of a CRF", where=where, fix="train again") from error


def _check_references(data: NDArray[np.uint8], starts: Numbers, features: int) -> None:
    """Check lists of features, each preceded by its length; no feature may be in two lists."""
    lengths = _words(data, starts)
    _need(int(lengths.sum()) <= features)
    firsts = np.cumsum(lengths) - lengths
    steps = np.arange(int(lengths.sum())) - np.repeat(firsts, lengths)
    numbers = _words(data, np.repeat(starts + 4, lengths) + 4 * steps)
    _need(bool((numbers < features).all()))


def _check_dictionary(data: NDArray[np.uint8], count: int) -> Numbers:
    """Check a hash table of strings with their numbers; return the place of each string."""
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
            _need(bool((offsets == 0).any()))  # where a lookup ends
            entries.append(offsets)
    strings = np.concatenate(entries)
    strings = strings[strings > 0]
    _need(bool((_words(data, strings) < max(count, 1)).all()))
    ends = strings + 8 + _words(data, strings + 4)
    _need(bool(((ends > strings + 8) & (ends <= len(data))).all()))
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


MOST = 3
"""Largest number of copies of a small source's abstracts, relative to the largest source."""


@dataclass(frozen=True)
class CRFSettings:
    """The settings of a CRF; the defaults were chosen by cross-validation (docs/moves.md).

    Attributes
    ----------
    groups : tuple of str
        Groups of features (see features.py).
    openings : bool
        Whether each move has two labels: for its first sentence, and for the others.
    thinned : int
        Number of additional copies of each abstract, with a random half of its sentences; up to
        `MOST` times as many for smaller sources.
    c1, c2 : float
        Weights of the L1 and L2 penalties.
    least : int
        Least number of training sentences with a feature.
    iterations : int
        Limit on iterations.
    """

    groups: tuple[str, ...] = DEFAULT
    openings: bool = True
    thinned: int = 1
    c1: float = 1.0
    c2: float = 4.0
    least: int = 3
    iterations: int = 70


FEATURES: Final = {
    "ours": CRFSettings(),
    "alamri-stevenson": CRFSettings(groups=PAPER, openings=False, thinned=0),
}
"""Settings of the features' authors; the paper has one label for each move, and no copies."""


class CRF:
    """A trained model.

    Parameters
    ----------
    data : bytes
        The model file of CRFsuite.
    settings : CRFSettings
    where : Path, optional
        The origin of `data`, for error messages.

    Raises
    ------
    InputError
        If `data` is not a CRFsuite model with our labels.
    """

    family: ClassVar[str] = "moves"
    kind: ClassVar[str] = "moves-crf"

    def __init__(self, data: bytes, settings: CRFSettings, where: Path | None = None) -> None:
        import pycrfsuite

        check(data, where)
        self.data = data
        self.settings = settings
        self._lock = threading.Lock()
        self._tagger: Any = pycrfsuite.Tagger()
        try:
            self._tagger.open_inmemory(data)
            names = set(self._tagger.labels())
            self._tagger.set([{}])
            for label in names:
                self._tagger.marginal(label, 0)  # it looks up the label in the file
        except (ValueError, RuntimeError) as error:
            raise InputError("these are no weights of a CRF", where=where) from error
        marks = "BI" if settings.openings else " "
        self._labels = {
            move: [mark + move for mark in marks if mark + move in names] for move in MOVES
        }
        if names - {label for labels in self._labels.values() for label in labels}:
            raise InputError("the CRF's labels are not the moves", where=where, fix="train again")

    @classmethod
    def train(cls, abstracts: Sequence[Abstract], settings: CRFSettings | None = None) -> "CRF":
        """Train a model on labelled abstracts."""
        import pycrfsuite

        settings = settings or CRFSettings()
        trainer = pycrfsuite.Trainer("lbfgs", verbose=False)
        trainer.set_params(
            {
                "c1": settings.c1,
                "c2": settings.c2,
                "feature.minfreq": settings.least,
                "max_iterations": settings.iterations,
            }
        )
        for abstract in (*abstracts, *balance(abstracts, settings.thinned)):
            features = abstract_features(abstract.title, abstract.sentences, settings.groups)
            trainer.append(features, _labels(abstract.moves, settings.openings))
        with TemporaryDirectory() as folder:
            path = Path(folder) / "crf"
            trainer.train(str(path))
            return cls(path.read_bytes(), settings)

    def predict(self, title: str, sentences: Sequence[str]) -> list[tuple[str, float]]:
        """Return each sentence's most probable move, with its marginal probability as score."""
        if not sentences:
            return []
        features = abstract_features(title, sentences, self.settings.groups)
        with self._lock:  # the tagger of CRFsuite holds one sequence at a time
            self._tagger.set(features)
            probabilities = [
                {
                    move: sum(self._tagger.marginal(label, i) for label in labels)
                    for move, labels in self._labels.items()
                }
                for i in range(len(sentences))
            ]
        best = [max(scores.items(), key=lambda item: item[1]) for scores in probabilities]
        return [(move, min(1.0, score)) for move, score in best]

    def to_stored(self) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        """Return the facts and the arrays to save."""
        facts = {"groups": self.settings.groups, "openings": self.settings.openings}
        return facts, {"crf": np.frombuffer(self.data, dtype=np.uint8)}

    @classmethod
    def from_stored(cls, stored: Stored) -> "CRF":
        """Read a stored model."""
        groups = tuple(stored.facts["groups"])
        if not set(groups) <= set(GROUPS):
            raise ValueError("unknown groups of features")
        settings = CRFSettings(groups=groups, openings=bool(stored.facts["openings"]))
        return cls(stored.arrays["crf"].tobytes(), settings, stored.path / "crf.npy")


def balance(abstracts: Sequence[Abstract], thinned: int) -> Iterator[Abstract]:
    """Yield abstracts with random halves of their sentences; the halves are reproducible.

    The abstracts of each source are yielded `thinned` times, and up to `MOST` times as often if the
    source is smaller than the largest.
    """
    sizes = Counter(abstract.source for abstract in abstracts)
    for source, size in sizes.items():
        chosen = [abstract for abstract in abstracts if abstract.source == source]
        rng = random.Random(0)  # noqa: S311 (no secret)
        for abstract in chosen * (thinned * min(MOST, round(max(sizes.values()) / size))):
            half = [i for i in range(len(abstract.sentences)) if rng.random() < 0.5]
            if half:
                sentences = tuple(abstract.sentences[i] for i in half)
                moves = tuple(abstract.moves[i] for i in half)
                yield replace(abstract, sentences=sentences, moves=moves)


def _labels(moves: Sequence[str], openings: bool) -> list[str]:
    if not openings:
        return [f" {move}" for move in moves]
    return [f"{'I' if i and moves[i - 1] == move else 'B'}{move}" for i, move in enumerate(moves)]
