"""Taggers and chunkers on disk, and the ones that come with the package; no pickle."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from relsent_ir.errors import MismatchError
from relsent_ir.models import load_folder, save_folder
from relsent_ir.text.chain import ChainWeights
from relsent_ir.text.chunker import Chunker
from relsent_ir.text.tagger import Tagger
from relsent_ir.text.tokens import Span, tokenize, words_of

DEFAULT: Final = Path(__file__).parent / "default"
"""The folder of the models that come with the package: ``tagger`` and ``chunker``."""


@dataclass(frozen=True, slots=True)
class Parsed:
    """A sentence's tokens.

    Attributes
    ----------
    spans : list of (int, int)
        Character offsets [start, end).
    words, tags, chunks : list of str
        One for each token: its string, its Penn treebank tag, and B-NP, I-NP or O.
    """

    spans: list[Span]
    words: list[str]
    tags: list[str]
    chunks: list[str]


@dataclass(frozen=True)
class Parser:
    """A tagger and a chunker that follow each other.

    Attributes
    ----------
    tagger : Tagger
    chunker : Chunker
    """

    tagger: Tagger
    chunker: Chunker

    def parse(self, texts: Sequence[str]) -> list[Parsed]:
        """Tag and chunk sentences; hundreds at once are much faster than one by one."""
        spans = [tokenize(text) for text in texts]
        words = [words_of(text, found) for text, found in zip(texts, spans, strict=True)]
        tags = self.tagger.tag(words)
        chunks = self.chunker.chunk(words, tags)
        return [Parsed(*parts) for parts in zip(spans, words, tags, chunks, strict=True)]


@cache
def default_parser() -> Parser:
    """The tagger and the chunker that come with the package, read once."""
    return Parser(load_tagger(DEFAULT / "tagger"), load_chunker(DEFAULT / "chunker"))


def save_parts(path: str | Path, model: Tagger | Chunker, facts: Mapping[str, Any]) -> None:
    """Write a tagger or a chunker, with the facts of how it was made.

    Raises
    ------
    OutputError
        If the folder cannot be written.
    """
    kind = "tagger" if isinstance(model, Tagger) else "chunker"
    save_folder(path, kind, facts, model.weights.arrays())


def load_tagger(path: str | Path) -> Tagger:
    """Read a tagger.

    Raises
    ------
    InputError
        If there is no model, or it is damaged.
    MismatchError
        If it is a model of something else.
    """
    return Tagger(_weights(path, "tagger"))


def load_chunker(path: str | Path) -> Chunker:
    """Read a chunker; errors as of `load_tagger`."""
    return Chunker(_weights(path, "chunker"))


def fingerprint(parser: Parser) -> str:
    """Sixteen hex digits that tell a tagger and chunker from others."""
    digest = hashlib.sha256()
    for weights in (parser.tagger.weights, parser.chunker.weights):
        for array in weights.arrays().values():
            digest.update(array.tobytes())
    return digest.hexdigest()[:16]


def _weights(path: str | Path, kind: str) -> ChainWeights:
    stored = load_folder(path)
    if stored.kind != kind:
        raise MismatchError(
            f"a model of kind {stored.kind}, not a {kind}",
            where=path,
            fix=f"relsent-ir train {kind}",
        )
    return ChainWeights.from_arrays(stored.arrays, stored.path)
