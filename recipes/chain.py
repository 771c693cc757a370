"""The weights of a linear-chain CRF (`relsent_ir.text.chain`), learned by CRFsuite."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import numpy as np

from relsent_ir.text.chain import ChainWeights, Features
from relsent_ir.text.parsing import Parser

_NEVER: Final = -1e4
"""The weight of a step between labels that training never saw, where such steps are barred."""


@dataclass(frozen=True)
class Stream:
    """A view of the tokens in training.

    Attributes
    ----------
    sentences : sequence of sequences of str
        The tokens, as words or as anything else that a string can be.
    features : dict of int to Features
        By the offset from a token of the words that it looks at.
    """

    sentences: Sequence[Sequence[str]]
    features: dict[int, Features]


def learn(
    streams: Sequence[Stream],
    labels: Sequence[Sequence[str]],
    *,
    c1: float,
    c2: float,
    iterations: int,
    bar_unseen: bool = False,
) -> ChainWeights:
    """Train by CRFsuite's L-BFGS.

    Parameters
    ----------
    streams : sequence of Stream
        The same tokens in each; no two may have a feature of one name at one offset.
    labels : sequence of sequences of str
        One for each token.
    c1, c2 : float
        Weights of the L1 and L2 penalties.
    iterations : int
        At most so many.
    bar_unseen : bool
        Bar steps between labels that the sentences do not have, as from O to I-NP.
    """
    import pycrfsuite

    views = [_Named(stream) for stream in streams]
    trainer = pycrfsuite.Trainer("lbfgs", verbose=False)
    trainer.set_params({"c1": c1, "c2": c2, "max_iterations": iterations})
    for n, tags in enumerate(labels):
        features = zip(*(stream.items(n) for stream in views), strict=True)
        trainer.append([list(chain.from_iterable(parts)) for parts in features], list(tags))
    with TemporaryDirectory() as folder:
        path = Path(folder, "crf")
        trainer.train(str(path))
        tagger = pycrfsuite.Tagger()
        tagger.open(str(path))
        info = tagger.info()
    return _weights(info.transitions, info.state_features, bar_unseen)


class _Named:
    """A stream's features with their offsets, as CRFsuite takes them."""

    def __init__(self, stream: Stream) -> None:
        self._stream = stream
        self._border = max(abs(offset) for offset in stream.features)
        self._known: dict[tuple[int, str], list[str]] = {}

    def items(self, n: int) -> list[list[str]]:
        """Return the features of each token of a sentence."""
        words = self._stream.sentences[n]
        edge = [""] * self._border
        padded = [*edge, *words, *edge]
        return [
            [name for o in self._stream.features for name in self._of(o, padded[i + o])]
            for i in range(self._border, self._border + len(words))
        ]

    def _of(self, offset: int, word: str) -> list[str]:
        features = self._known.get((offset, word))
        if features is None:
            names = self._stream.features[offset](word)
            features = self._known[offset, word] = [f"{offset}{name}" for name in names]
        return features


def _weights(
    transitions: dict[tuple[str, str], float],
    features: dict[tuple[str, str], float],
    bar_unseen: bool,
) -> ChainWeights:
    """Put CRFsuite's weights into arrays."""
    labels = tuple(sorted({label for _, label in features} | set(chain(*transitions))))
    number = {label: i for i, label in enumerate(labels)}
    steps = np.full((len(labels), len(labels)), _NEVER if bar_unseen else 0.0, dtype=np.float32)
    for (before, after), value in transitions.items():
        steps[number[before], number[after]] = value
    weighed = sorted((name, number[label], value) for (name, label), value in features.items())
    names = sorted({name for name, _, _ in weighed})
    row = {name: i for i, name in enumerate(names)}
    counts = np.bincount([row[name] for name, _, _ in weighed], minlength=len(names))
    starts = np.concatenate([[0], np.cumsum(counts)]).astype(np.int32)
    columns = np.array([column for _, column, _ in weighed], dtype=np.uint8)
    values = np.array([value for _, _, value in weighed], dtype=np.float16)
    return ChainWeights(labels, steps, names, starts, columns, values)


def fingerprint(parser: Parser) -> str:
    """Return sixteen hex digits that identify a tagger and chunker."""
    digest = hashlib.sha256()
    for weights in (parser.tagger.weights, parser.chunker.weights):
        for array in weights.arrays().values():
            digest.update(array.tobytes())
    return digest.hexdigest()[:16]
