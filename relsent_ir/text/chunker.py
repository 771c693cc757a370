"""Base noun phrases of a tagged sentence, by a CRF over tags and words in a window.

A base noun phrase is one that holds no other: "the tumor necrosis factor receptor".
"""

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar, Final

from numpy.typing import NDArray

from relsent_ir.models import Stored
from relsent_ir.text.chain import ChainWeights, Emissions, Features, decode, split
from relsent_ir.text.chain_training import Stream, learn
from relsent_ir.text.treebank import TreeSentence


def _word(token: str) -> list[str]:
    """The features of a token's word and tag."""
    word, _, tag = token.rpartition("\t")
    return [f"w{word}", f"w{word} {tag}", f"s{word[-3:]} {tag}", f"t{tag}"]


def _beside(token: str) -> list[str]:
    word, _, tag = token.rpartition("\t")
    return [f"w{word}", f"t{tag}"]


def _tags(trigram: str) -> list[str]:
    """The features of a tag and the tags beside it."""
    before, tag, after = trigram.split(" ") if trigram else ("", "", "")
    return [f"c{trigram}", f"b{before} {tag}", f"a{tag} {after}"]


_WORDS: Final[dict[int, Features]] = {-1: _beside, 0: _word, 1: _beside}
_TAGS: Final[dict[int, Features]] = {-1: _tags, 0: _tags, 1: _tags}


class Chunker:
    """A trained chunker.

    Parameters
    ----------
    weights : ChainWeights
    """

    family: ClassVar[str] = "chunker"
    kind: ClassVar[str] = "chunker"

    def __init__(self, weights: ChainWeights) -> None:
        self.weights = weights
        self._words = Emissions(weights, _WORDS)
        self._tags = Emissions(weights, _TAGS)

    def to_stored(self) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        """Give the facts and the arrays to save."""
        return {}, self.weights.arrays()

    @classmethod
    def from_stored(cls, stored: Stored) -> "Chunker":
        """Read what `to_stored` gave."""
        return cls(ChainWeights.from_arrays(stored.arrays))

    @classmethod
    def train(cls, sentences: Iterable[TreeSentence], *, iterations: int = 100) -> "Chunker":
        """Learn from a treebank, with its own tags."""
        known = list(sentences)
        words, tags = _streams([s.words for s in known], [s.tags for s in known])
        chunks = [sentence.chunks for sentence in known]
        streams = [Stream(words, _WORDS), Stream(tags, _TAGS)]
        weights = learn(streams, chunks, c1=0.3, c2=0.01, iterations=iterations, bar_unseen=True)
        return cls(weights)

    def chunk(
        self, sentences: Sequence[Sequence[str]], tags: Sequence[Sequence[str]]
    ) -> list[list[str]]:
        """Give each token of tagged sentences B-NP, I-NP or O."""
        words, trigrams = _streams(sentences, tags)
        scores = self._words.scores(words) + self._tags.scores(trigrams)
        lengths = [len(sentence) for sentence in words]
        found = decode(scores, lengths, self.weights.steps)
        return split([self.weights.labels[i] for i in found.tolist()], lengths)


def _streams(
    sentences: Sequence[Sequence[str]], tags: Sequence[Sequence[str]]
) -> tuple[list[list[str]], list[list[str]]]:
    """Write each token as its word and tag, and as its tag between its neighbours'."""
    words, trigrams = [], []
    for sentence, known in zip(sentences, tags, strict=True):
        words.append([f"{word.lower()}\t{tag}" for word, tag in zip(sentence, known, strict=True)])
        beside = zip(["^", *known], known, [*known[1:], "$"], strict=False)
        trigrams.append([f"{before} {tag} {after}" for before, tag, after in beside])
    return words, trigrams
