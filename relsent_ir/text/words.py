"""Words and n-grams for classifying sentences by how they are said, not what they are about."""

import itertools
import re
from typing import Final

_WORD: Final = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*|\d[\d.,]*\d|\d|[%=<>≤≥±]")
NUMBER: Final = "0"
"""What stands for every number."""


def words(text: str) -> list[str]:
    """Split into words in small letters; each number is `NUMBER`; of signs, ``% = < > ≤ ≥ ±``.

    "Mean pH rose by 0.4 (P<.05)." gives mean, ph, rose, by, 0, p, <, 0.
    """
    found: list[str] = _WORD.findall(text.lower())
    return [NUMBER if word[0].isdigit() else word for word in found]


def bigrams(tokens: list[str]) -> list[str]:
    """Join each word to the next by ``_``."""
    return [f"{a}_{b}" for a, b in itertools.pairwise(tokens)]
