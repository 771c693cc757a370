"""Moves by a linear-chain conditional random field (CRFsuite), trained with L-BFGS or OWL-QN.

Where the paper has one label a move, each move here has two, for the first sentence of a run of
that move and for the others: so the model sees what opens a section, and that few moves come back.
It learns from each abstract twice, the second time from a random half of its sentences: abstracts
of other kinds are shorter, and their sentences have other neighbours. Of abstracts from several
sources, those of the smaller ones are thinned more often, so that the largest does not drown them.

References
----------
A. Alamri, M. Stevenson. Automatic detection of answers to research questions from Medline
abstracts. BioNLP 2015, 141-146.
K. Hirohata, N. Okazaki, S. Ananiadou, M. Ishizuka. Identifying sections in scientific abstracts
using conditional random fields. IJCNLP 2008.
N. Okazaki. CRFsuite: a fast implementation of conditional random fields. 2007.
"""

import random
import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from relsent_ir.errors import InputError
from relsent_ir.models import Stored
from relsent_ir.moves.crf_file import check
from relsent_ir.moves.features import DEFAULT, GROUPS, abstract_features
from relsent_ir.moves.labelled import Abstract
from relsent_ir.moves.labels import MOVES

MOST = 3
"""How many times as often as those of the largest source abstracts of a small one are thinned."""


@dataclass(frozen=True)
class CRFSettings:
    """The settings of a CRF; the defaults were chosen by cross-validation (docs/moves.md).

    Attributes
    ----------
    groups : tuple of str
        Groups of features (features.py).
    openings : bool
        Two labels a move: its first sentence, and the others.
    thinned : int
        How many times each abstract is learned from once more, with a random half of its sentences;
        those of smaller sources up to `MOST` times as often.
    c1, c2 : float
        Weights of the L1 and L2 penalties.
    least : int
        Training sentences that a feature must be in.
    iterations : int
        At most so many.
    """

    groups: tuple[str, ...] = DEFAULT
    openings: bool = True
    thinned: int = 1
    c1: float = 1.0
    c2: float = 4.0
    least: int = 3
    iterations: int = 70


class CRF:
    """A trained model.

    Parameters
    ----------
    data : bytes
        CRFsuite's own file.
    settings : CRFSettings
    where : Path, optional
        Where `data` come from, for the error.

    Raises
    ------
    InputError
        If `data` are no model of CRFsuite with our labels.
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
            known = set(self._tagger.labels())
            self._tagger.set([{}])
            for label in known:
                self._tagger.marginal(label, 0)  # finds its number by its name
        except (ValueError, RuntimeError) as error:
            raise InputError("these are no weights of a CRF", where=where) from error
        marks = "BI" if settings.openings else " "
        self._labels = {
            move: [mark + move for mark in marks if mark + move in known] for move in MOVES
        }
        if known - {label for labels in self._labels.values() for label in labels}:
            raise InputError("the CRF's labels are not the moves", where=where, fix="train again")

    @classmethod
    def train(cls, abstracts: Sequence[Abstract], settings: CRFSettings | None = None) -> "CRF":
        """Learn from labelled abstracts."""
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
        with self._lock:  # CRFsuite's tagger holds one sequence
            self._tagger.set(features)
            probabilities = [
                {
                    move: sum(self._tagger.marginal(label, i) for label in labels)
                    for move, labels in self._labels.items()
                }
                for i in range(len(sentences))
            ]
        found = []
        for scores in probabilities:
            best = max(scores, key=scores.__getitem__)
            found.append((best, min(1.0, scores[best])))
        return found

    def to_stored(self) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        """Return the facts and the arrays to save."""
        described = {"groups": self.settings.groups, "openings": self.settings.openings}
        return described, {"crf": np.frombuffer(self.data, dtype=np.uint8)}

    @classmethod
    def from_stored(cls, stored: Stored) -> "CRF":
        """Read what `to_stored` gave."""
        groups = tuple(stored.facts["groups"])
        if not set(groups) <= set(GROUPS):
            raise ValueError("unknown groups of features")
        settings = CRFSettings(groups=groups, openings=bool(stored.facts["openings"]))
        return cls(stored.arrays["crf"].tobytes(), settings, stored.path / "crf.npy")


def balance(abstracts: Sequence[Abstract], thinned: int) -> Iterator[Abstract]:
    """Yield thinned abstracts of each source, the more often the smaller it is."""
    sizes = Counter(abstract.source for abstract in abstracts)
    largest = max(sizes.values(), default=0)
    for source, size in sizes.items():
        chosen = [abstract for abstract in abstracts if abstract.source == source]
        yield from thin(chosen, thinned * min(MOST, round(largest / size)))


def thin(abstracts: Sequence[Abstract], times: int) -> Iterator[Abstract]:
    """Yield each abstract `times` times with a random half of its sentences, always the same."""
    rng = random.Random(0)  # noqa: S311 (no secret)
    for _ in range(times):
        for abstract in abstracts:
            kept = [i for i in range(len(abstract.sentences)) if rng.random() < 0.5]
            if kept:
                sentences = tuple(abstract.sentences[i] for i in kept)
                moves = tuple(abstract.moves[i] for i in kept)
                yield replace(abstract, sentences=sentences, moves=moves)


def _labels(moves: Sequence[str], openings: bool) -> list[str]:
    if not openings:
        return [f" {move}" for move in moves]
    return [f"{'I' if i and moves[i - 1] == move else 'B'}{move}" for i, move in enumerate(moves)]
