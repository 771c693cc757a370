"""Tagging and chunking sentences: a tagger, a chunker, and the packaged ones.

Both are linear-chain CRFs over a window of tokens. `Tagger` assigns the parts of speech of the Penn
treebank; `Chunker` finds the base noun phrases of a tagged sentence. A base noun phrase is one that
contains no other: "the tumor necrosis factor receptor".
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache, reduce
from operator import add
from string import ascii_lowercase, ascii_uppercase, digits
from typing import Any, ClassVar, Final, Self

from numpy.typing import NDArray

from relsent_ir import models
from relsent_ir.models import Stored
from relsent_ir.text.chain import ChainWeights, Emissions, Features, decode, split
from relsent_ir.text.tokens import Span, is_readable, tokenize

_SHAPE: Final = str.maketrans(
    dict.fromkeys(ascii_uppercase, "X")
    | dict.fromkeys(ascii_lowercase, "x")
    | dict.fromkeys(digits, "0")
)
_REPEATED: Final = re.compile(r"(.)\1+")


def _own(word: str) -> list[str]:
    """Return features of the word at the token."""
    if not word:
        return []
    lower = word.lower()
    features = [f"w{word}", f"l{lower}", f"h{_shape(word)[:8]}", "*"]
    features += [f"s{lower[-n:]}" for n in range(1, 6) if len(lower) > n]
    features += [f"p{lower[:n]}" for n in range(1, 5) if len(lower) > n]
    if "-" in word[1:-1]:
        features += [f"-{lower.rpartition('-')[2]}", f"-s{lower[-3:]}"]
    if "/" in word[1:-1]:
        features.append("/")
    return features


def _near(word: str) -> list[str]:
    """Return features of a word next to the token."""
    lower = word.lower()
    return [f"l{lower}", f"s{lower[-3:]}", f"s{lower[-2:]}", f"h{_shape(word)[:4]}"]


def _far(word: str) -> list[str]:
    lower = word.lower()
    return [f"l{lower}", f"s{lower[-2:]}"]


def _shape(word: str) -> str:
    """Reduce a word to classes of characters (capital, small, digit), without repetition."""
    return _REPEATED.sub(r"\1", word.translate(_SHAPE))


FEATURES: Final[dict[int, Features]] = {0: _own, -1: _near, 1: _near, -2: _far, 2: _far}


class _Labeller:
    """A trained chain; the token's string in each stream has its own features."""

    features: ClassVar[tuple[dict[int, Features], ...]]

    def __init__(self, weights: ChainWeights) -> None:
        self.weights = weights
        self._emissions = [Emissions(weights, features) for features in self.features]

    def to_stored(self) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        """Return the facts and arrays to store."""
        return {}, self.weights.arrays()

    @classmethod
    def from_stored(cls, stored: Stored) -> Self:
        """Read the output of `to_stored`."""
        return cls(ChainWeights.from_arrays(stored.arrays))

    def _label(self, *streams: Sequence[Sequence[str]]) -> list[list[str]]:
        scores = reduce(add, (e.scores(s) for e, s in zip(self._emissions, streams, strict=True)))
        lengths = [len(sentence) for sentence in streams[0]]
        labels = decode(scores, lengths, self.weights.steps)
        return split([self.weights.labels[i] for i in labels.tolist()], lengths)


class Tagger(_Labeller):
    """Assign parts of speech with a trained chain."""

    family: ClassVar[str] = "tagger"
    kind: ClassVar[str] = "tagger"
    features = (FEATURES,)

    def tag(self, sentences: Sequence[Sequence[str]]) -> list[list[str]]:
        """Tag the tokens of sentences; many at once are much faster than one at a time."""
        return self._label(sentences)


def _word(token: str) -> list[str]:
    """Return the features of a token's word and of its tag."""
    word, _, tag = token.rpartition("\t")
    return [f"w{word}", f"w{word} {tag}", f"s{word[-3:]} {tag}", f"t{tag}"]


def _beside(token: str) -> list[str]:
    word, _, tag = token.rpartition("\t")
    return [f"w{word}", f"t{tag}"]


def _tags(trigram: str) -> list[str]:
    """Return the features of a tag and its two neighbours."""
    before, tag, after = trigram.split(" ") if trigram else ("", "", "")
    return [f"c{trigram}", f"b{before} {tag}", f"a{tag} {after}"]


_WORDS: Final[dict[int, Features]] = {-1: _beside, 0: _word, 1: _beside}
_TAGS: Final[dict[int, Features]] = {-1: _tags, 0: _tags, 1: _tags}


class Chunker(_Labeller):
    """Find base noun phrases with a trained chain."""

    family: ClassVar[str] = "chunker"
    kind: ClassVar[str] = "chunker"
    features = (_WORDS, _TAGS)

    def chunk(
        self, sentences: Sequence[Sequence[str]], tags: Sequence[Sequence[str]]
    ) -> list[list[str]]:
        """Label each token of tagged sentences B-NP, I-NP or O."""
        return self._label(*tag_streams(sentences, tags))


def tag_streams(
    sentences: Sequence[Sequence[str]], tags: Sequence[Sequence[str]]
) -> tuple[list[list[str]], list[list[str]]]:
    """Write each token as its word and tag, and as its tag with the neighbouring tags."""
    words, trigrams = [], []
    for sentence, kinds in zip(sentences, tags, strict=True):
        words.append([f"{word.lower()}\t{tag}" for word, tag in zip(sentence, kinds, strict=True)])
        beside = zip(["^", *kinds], kinds, [*kinds[1:], "$"], strict=False)
        trigrams.append([f"{before} {tag} {after}" for before, tag, after in beside])
    return words, trigrams


@dataclass(frozen=True, slots=True)
class Parsed:
    """The tokens of a sentence, with tags and chunks.

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
    """Apply a tagger, then a chunker."""

    tagger: Tagger
    chunker: Chunker

    def parse(self, texts: Sequence[str]) -> list[Parsed]:
        """Tag and chunk sentences; hundreds at once are much faster than one at a time.

        A sentence that is too long (`is_readable`) gets no tokens.
        """
        spans = [tokenize(text) if is_readable(text) else [] for text in texts]
        words = [
            [text[start:end] for start, end in offsets]
            for text, offsets in zip(texts, spans, strict=True)
        ]
        tags = self.tagger.tag(words)
        chunks = self.chunker.chunk(words, tags)
        return [Parsed(*parts) for parts in zip(spans, words, tags, chunks, strict=True)]


@dataclass(frozen=True)
class Remembering(Parser):
    """A parser that caches its results, for texts that come repeatedly."""

    _known: dict[str, Parsed] = field(default_factory=dict)

    def parse(self, texts: Sequence[str]) -> list[Parsed]:
        """Tag and chunk the sentences that are not cached."""
        new = [text for text in dict.fromkeys(texts) if text not in self._known]
        self._known.update(zip(new, super().parse(new), strict=True))
        return [self._known[text] for text in texts]


@cache
def default_parser() -> Parser:
    """Return the packaged tagger and chunker, which are read once."""
    return Parser(models.default("tagger"), models.default("chunker"))
