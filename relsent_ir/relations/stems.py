"""Words as features: cut to a stem, and names all alike."""

import re
from functools import lru_cache
from typing import Final

from relsent_ir.text.words import stem as snowball

NAME: Final = "NAME"
"""Stands for every word that looks like the name of a gene, cell line or compound."""

NUMBER: Final = "0"
"""Stands for every number."""

_NAME: Final = re.compile(r"\d|[a-z][A-Z]|[A-Z]{2}")


@lru_cache(maxsize=100_000)
def stem(word: str) -> str:
    """Give a word's stem; of a compound with hyphens, that of its last part if it is no name."""
    last = word.rpartition("-")[2] or word
    if not any(map(str.isalpha, word)):
        return NUMBER if any(map(str.isdigit, word)) else word
    if is_name(last):
        return NAME
    return snowball(last.lower())


@lru_cache(maxsize=100_000)
def is_name(word: str) -> bool:
    """Tell whether a word looks like a name: with a digit, or capitals after its first letter."""
    return bool(_NAME.search(word)) and any(map(str.isalpha, word))
