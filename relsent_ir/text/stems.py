"""Stems of English words, by Snowball's Porter 2."""

from functools import lru_cache

from snowballstemmer.english_stemmer import EnglishStemmer

_STEMMER = EnglishStemmer()


@lru_cache(maxsize=100_000)
def stem(word: str) -> str:
    """Give the stem of a word in small letters: activates, activation, activator are all activ."""
    return str(_STEMMER.stemWord(word))
