"""Stock sentences: registrations of trials, funding, copyright, lists of authors.

They resemble each other in every abstract, and say nothing of its subject. There are two tests:
weights of words, learned from the text of structured abstracts under *Trial registration*,
*Funding* and the like against all their other text (``tools/stock_sentences.py`` writes them); and
a count, since a list of authors has names and hardly a word between them.
"""

import re
from functools import cache
from importlib.resources import files
from typing import Final

_TOKEN: Final = re.compile(r"[^\W_]+")
_DIGITS: Final = re.compile(r"\d+")
_NAMES: Final = 0.7  # of the tokens of a list of authors, at least
_LEAST: Final = 6  # tokens of one, at least
BIAS: Final = "(bias)"


def features(text: str) -> set[str]:
    """Return the words of a sentence, its numbers as 0."""
    return {_DIGITS.sub("0", token) for token in _TOKEN.findall(text.lower())}


@cache
def weights() -> dict[str, float]:
    """Return the learned weight of each word, and of all sentences (`BIAS`)."""
    text = files("relsent_ir.related").joinpath("stock.tsv").read_text(encoding="utf-8")
    rows = (line.split("\t") for line in text.splitlines() if not line.startswith("#"))
    return {word: float(weight) for word, weight in rows}


def is_stock(text: str) -> bool:
    """Return whether a sentence is stock."""
    weight = weights()
    score = weight[BIAS] + sum(weight.get(word, 0.0) for word in features(text))
    return score > 0.0 or is_list_of_names(text)


def is_list_of_names(text: str) -> bool:
    """Return whether most tokens are capitalised words or single letters."""
    tokens = [token for token in _TOKEN.findall(text) if not token.isnumeric()]
    names = sum(token[0].isupper() and (len(token) == 1 or token[1:].islower()) for token in tokens)
    return len(tokens) >= _LEAST and names >= _NAMES * len(tokens)
