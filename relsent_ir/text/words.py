"""Words and n-grams of a text, stems by Snowball's Porter 2, and stop lists."""

import itertools
import re
import threading
from functools import cache, lru_cache
from importlib.resources import as_file, files
from pathlib import Path
from typing import Final

from snowballstemmer.english_stemmer import EnglishStemmer

from relsent_ir.files import open_text

_WORD: Final = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*|\d[\d.,]*\d|\d|[%=<>≤≥±]")
NUMBER: Final = "0"
"""The token of every number."""


def words(text: str) -> list[str]:
    """Split into lower-case words; numbers become `NUMBER`; the signs ``% = < > ≤ ≥ ±`` are kept.

    "Mean pH rose by 0.4 (P<.05)." gives mean, ph, rose, by, 0, p, <, 0.
    """
    tokens: list[str] = _WORD.findall(text.lower())
    return [NUMBER if word[0].isdigit() else word for word in tokens]


def bigrams(tokens: list[str]) -> list[str]:
    """Join each word with the next by ``_``."""
    return [f"{a}_{b}" for a, b in itertools.pairwise(tokens)]


_here = threading.local()


@lru_cache(maxsize=100_000)
def stem(word: str) -> str:
    """Return the stem of a lower-case word: activ for activates, activation, activator."""
    if not hasattr(_here, "stemmer"):
        _here.stemmer = EnglishStemmer()  # it stores the current word: one for each thread
    return str(_here.stemmer.stemWord(word))


def read_stopwords(path: str | Path) -> list[str]:
    """Read a stop list: one lower-case word on a line; ``#`` starts a comment line."""
    with open_text(path) as lines:
        words = [line.strip().lower() for line in lines]
    return [word for word in words if word and not word.startswith("#")]


@cache
def default_stopwords() -> tuple[str, ...]:
    """Return scikit-learn's 318 English stop words, sorted."""
    with as_file(files("relsent_ir.text") / "stopwords.txt") as path:
        return tuple(read_stopwords(path))
