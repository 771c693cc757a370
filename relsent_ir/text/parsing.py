"""Sentences tagged and chunked, by the tagger and the chunker that come with the package."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from relsent_ir import models
from relsent_ir.text.chunker import Chunker
from relsent_ir.text.tagger import Tagger
from relsent_ir.text.tokens import Span, tokenize, words_of


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
    return Parser(models.default("tagger"), models.default("chunker"))


def fingerprint(parser: Parser) -> str:
    """Sixteen hex digits that tell a tagger and chunker from others."""
    digest = hashlib.sha256()
    for weights in (parser.tagger.weights, parser.chunker.weights):
        for array in weights.arrays().values():
            digest.update(array.tobytes())
    return digest.hexdigest()[:16]
