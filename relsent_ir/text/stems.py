"""Stems of English words, by Snowball's Porter 2."""

import threading
from functools import lru_cache

from snowballstemmer.english_stemmer import EnglishStemmer

_here = threading.local()


@lru_cache(maxsize=100_000)
def stem(word: str) -> str:
    """Give the stem of a word in small letters: activates, activation, activator are all activ."""
    if not hasattr(_here, "stemmer"):
        _here.stemmer = EnglishStemmer()  # it keeps the word that it works on: one for each thread
    return str(_here.stemmer.stemWord(word))
