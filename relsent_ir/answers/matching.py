"""How much of a question's words each sentence of an abstract has, in four ways, from 0 to 1."""

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cached_property, lru_cache
from math import fsum, log, sqrt
from typing import Final

import numpy as np

from relsent_ir.answers.vectors import WordVectors
from relsent_ir.typing import Floats

GRAM: Final = 4


class Body:
    """The sentences of an abstract, made ready for matching.

    A word weighs its idf times ln(1 + n / (sentences of the abstract that hold it + ½)): the words
    that the whole abstract repeats tell no sentence from the others.

    Parameters
    ----------
    sentences : sequence of list of str
        Each sentence's `terms`.
    vectors : WordVectors
    """

    def __init__(self, sentences: Sequence[Sequence[str]], vectors: WordVectors) -> None:
        self.vectors = vectors
        self.sets = [frozenset(found) for found in sentences]
        self._frequency = Counter(word for found in self.sets for word in found)
        self._words = sorted(self._frequency)
        place = {word: i for i, word in enumerate(self._words)}
        self._held = [np.array([place[w] for w in found], dtype=np.intp) for found in self.sets]
        self._values = vectors.of(self._words)

    def words(self, asked: Sequence[str]) -> Floats:
        """Give the weighted share of the words that a sentence has."""
        known = sorted(set(asked))
        return self._share(known, self._has(known))

    def grams(self, asked: Sequence[str]) -> Floats:
        """Count a word by its share of 4-grams that are in the sentence's words."""
        known = sorted(set(asked))
        of = [grams(word) for word in known]
        shares = [[len(own & held) / len(own) for held in self._grams] for own in of]
        return self._share(known, np.array(shares, dtype=np.float64))

    def meaning(self, asked: Sequence[str]) -> Floats:
        """Count a word by the squared cosine of the sentence's most similar word."""
        known = sorted(set(asked))
        cosines = self.vectors.of(known) @ self._values.T
        best = np.zeros((len(known), len(self.sets)))
        for column, at in zip(best.T, self._held, strict=True):
            column[:] = cosines[:, at].max(axis=1, initial=0.0)
        return self._share(known, np.where(self._has(known), 1.0, best**2))

    def cosine(self, asked: Sequence[str]) -> Floats:
        """Give the cosine of the sets of words, weighted by idf alone."""
        own = frozenset(asked)
        length = self._square(own)
        found = []
        for held, square in zip(self.sets, self._squares, strict=True):
            both = sqrt(length * square)
            found.append(self._square(own & held) / both if both else 0.0)
        return np.array(found, dtype=np.float64)

    @cached_property
    def _squares(self) -> list[float]:
        return [self._square(held) for held in self.sets]

    def _square(self, words: Iterable[str]) -> float:
        return fsum(self.vectors.idf(word) ** 2 for word in words)  # in any order

    @cached_property
    def _grams(self) -> list[frozenset[str]]:
        return [frozenset().union(*map(grams, held)) for held in self.sets]

    def _weight(self, word: str) -> float:
        return self.vectors.idf(word) * log(1 + len(self.sets) / (self._frequency[word] + 0.5))

    def _has(self, words: Sequence[str]) -> Floats:
        """Tell which sentences have each word: 1, else 0."""
        held = [[word in found for found in self.sets] for word in words]
        return np.array(held, dtype=np.float64).reshape(len(words), len(self.sets))

    def _share(self, words: Sequence[str], values: Floats) -> Floats:
        """Give the weighted mean of the words' values; those have shape (words, sentences)."""
        total = np.zeros(len(self.sets))
        weights = 0.0
        for word, row in zip(words, values, strict=True):
            weight = self._weight(word) + 1e-6
            weights += weight
            total += weight * row
        return total / weights if weights else total


@lru_cache(maxsize=65536)
def grams(word: str) -> frozenset[str]:
    """Give a word's runs of four characters, its borders among them."""
    text = f"_{word}_"
    return frozenset(text[i : i + GRAM] for i in range(max(1, len(text) - GRAM + 1)))
