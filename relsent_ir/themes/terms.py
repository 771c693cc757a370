"""Terms of a text: words, and phrases of two consecutive words (Shatkay & Wilbur 2000, 2.1).

Everything is in lower case; a token without a letter is no word. A phrase is two words with
nothing between them but space, a hyphen or a slash: "ring-enhanced lesions in the brain" has
"ring enhanced" and "enhanced lesions", and no stop word or full stop is inside a phrase.
"""

import re
from collections.abc import Iterable
from typing import Final

import numpy as np
from numpy.typing import NDArray

_TOKEN: Final = re.compile(r"[^\W_]+(?:'[^\W_]+)*|[^\w\s/‐‑–-]")
NO_WORD: Final = -1


class Words:
    """The words of a collection, numbered in order of first appearance.

    Parameters
    ----------
    stopwords : iterable of str
        No words, and no parts of phrases.
    """

    def __init__(self, stopwords: Iterable[str]) -> None:
        self._numbers = _Numbers(stopwords)

    def numbers(self, texts: Iterable[str]) -> NDArray[np.int64]:
        """Give the word at each place of some texts, `NO_WORD` where phrases end."""
        found: list[int] = []
        for text in texts:
            found += [
                self._numbers[token] for token in _TOKEN.findall(text.lower().replace("’", "'"))
            ]
            found.append(NO_WORD)
        return np.array(found, dtype=np.int64)

    def names(self) -> list[str]:
        """Give the words by their numbers."""
        return [word for word, number in self._numbers.items() if number != NO_WORD]


class _Numbers(dict[str, int]):
    """Gives each new word the next number; stop words and tokens without a letter have none."""

    def __init__(self, stopwords: Iterable[str]) -> None:
        super().__init__(dict.fromkeys(stopwords, NO_WORD))
        self._next = 0

    def __missing__(self, token: str) -> int:
        if any(character.isalpha() for character in token):
            self[token] = self._next
            self._next += 1
        else:
            self[token] = NO_WORD
        return self[token]
