"""Part-of-speech tags (Penn treebank's) of a sentence's tokens, by a CRF over words in a window."""

import re
from collections.abc import Iterable, Sequence
from string import ascii_lowercase, ascii_uppercase, digits
from typing import Any, ClassVar, Final

from numpy.typing import NDArray

from relsent_ir.models import Stored
from relsent_ir.text.chain import ChainWeights, Emissions, Features, decode, split
from relsent_ir.text.chain_training import Stream, learn
from relsent_ir.text.treebank import TreeSentence

_SHAPE: Final = str.maketrans(
    dict.fromkeys(ascii_uppercase, "X")
    | dict.fromkeys(ascii_lowercase, "x")
    | dict.fromkeys(digits, "0")
)
_REPEATED: Final = re.compile(r"(.)\1+")


def _own(word: str) -> list[str]:
    """The features of the token's own word."""
    if not word:
        return []
    lower = word.lower()
    found = [f"w{word}", f"l{lower}", f"h{_shape(word)[:8]}", "*"]
    found += [f"s{lower[-n:]}" for n in range(1, 6) if len(lower) > n]
    found += [f"p{lower[:n]}" for n in range(1, 5) if len(lower) > n]
    if "-" in word[1:-1]:
        found += [f"-{lower.rpartition('-')[2]}", f"-s{lower[-3:]}"]
    if "/" in word[1:-1]:
        found.append("/")
    return found


def _near(word: str) -> list[str]:
    """The features of the word beside the token."""
    lower = word.lower()
    return [f"l{lower}", f"s{lower[-3:]}", f"s{lower[-2:]}", f"h{_shape(word)[:4]}"]


def _far(word: str) -> list[str]:
    lower = word.lower()
    return [f"l{lower}", f"s{lower[-2:]}"]


def _shape(word: str) -> str:
    """Tell capitals, small letters and digits apart; what repeats is written once."""
    return _REPEATED.sub(r"\1", word.translate(_SHAPE))


FEATURES: Final[dict[int, Features]] = {0: _own, -1: _near, 1: _near, -2: _far, 2: _far}


class Tagger:
    """A trained tagger.

    Parameters
    ----------
    weights : ChainWeights
    """

    family: ClassVar[str] = "tagger"
    kind: ClassVar[str] = "tagger"

    def __init__(self, weights: ChainWeights) -> None:
        self.weights = weights
        self._emissions = Emissions(weights, FEATURES)

    def to_stored(self) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        """Give the facts and the arrays to save."""
        return {}, self.weights.arrays()

    @classmethod
    def from_stored(cls, stored: Stored) -> "Tagger":
        """Read what `to_stored` gave."""
        return cls(ChainWeights.from_arrays(stored.arrays))

    @classmethod
    def train(cls, sentences: Iterable[TreeSentence], *, iterations: int = 100) -> "Tagger":
        """Learn from a treebank."""
        known = list(sentences)
        words = [sentence.words for sentence in known]
        tags = [sentence.tags for sentence in known]
        return cls(learn([Stream(words, FEATURES)], tags, c1=0.3, c2=0.01, iterations=iterations))

    def tag(self, sentences: Sequence[Sequence[str]]) -> list[list[str]]:
        """Tag the tokens of sentences; many at once are much faster than one by one."""
        labels = self.weights.labels
        lengths = [len(words) for words in sentences]
        found = decode(self._emissions.scores(sentences), lengths, self.weights.steps)
        return split([labels[i] for i in found.tolist()], lengths)
