"""Terms that tell people what a theme is about: much more frequent on it, and of different parts.

Ours, in the place of the paper's rule (reading.py), by which dozens of terms tie at p = 1 and a
phrase is listed beside its words. A term's records on theme count by their probability; how much
more often it is in them than elsewhere is its lift. Terms are taken one by one: each time that
which says most (ln lift) of the records that the terms before it say least of.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from relsent_ir.themes.em import Theme
from relsent_ir.themes.matrix import PresenceMatrix
from relsent_ir.themes.reading import Term
from relsent_ir.typing import Floats

LEAST: Final = 1.5
"""Records on theme, as expected, that a term must be in, where the theme has so many."""

PART: Final = 0.6
"""Share of a word's records on theme that a phrase must be in to stand for it."""

_KEPT: Final = 0.5  # what is left of a record's weight with each term that it has
_ON: Final = 0.01  # records that are less probably on theme do not count
_CANDIDATES: Final = 300


def label_theme(matrix: PresenceMatrix, theme: Theme, count: int = 10) -> list[Term]:
    """Choose the terms that tell what a theme is about.

    Parameters
    ----------
    matrix : PresenceMatrix
    theme : Theme
    count : int
        At most so many.

    Returns
    -------
    list of Term
        In the order in which they were chosen. No two share a word: of a phrase and its words the
        phrase stands for them if it is in nearly all of their records.
    """
    rows = np.flatnonzero(theme.on >= _ON)
    weights = theme.on[rows]
    support = matrix.sums(rows, weights)
    db = matrix.frequencies / len(matrix.ids)
    least = min(LEAST, float(weights.sum()) / 2)
    with np.errstate(divide="ignore", invalid="ignore"):
        lift = support / weights.sum() / db
    candidates = np.flatnonzero((support >= least) & (lift > 1))
    value = support[candidates] * np.log(lift[candidates])
    best = np.argsort(-value, kind="stable")[:_CANDIDATES]
    columns, gain = candidates[best], np.log(lift[candidates[best]])
    inside = matrix.presence[rows][:, columns].toarray()
    chosen = _cover(
        [matrix.terms[column] for column in columns.tolist()], inside, weights, gain, count
    )
    model = theme.model
    arrays = (model.p, model.q, model.lam, model.db, support, lift)
    return [
        Term(matrix.terms[column], *(float(array[column]) for array in arrays))
        for column in columns[chosen].tolist()
    ]


def _cover(
    terms: list[str], inside: NDArray[np.float64], weights: Floats, gain: Floats, count: int
) -> list[int]:
    """Take terms one by one by what they add; `inside` has the shape (records, terms)."""
    stems = [frozenset(map(stem, term.split())) for term in terms]
    support = weights @ inside
    left = weights.copy()
    chosen: list[int] = []
    used: set[str] = set()
    while len(chosen) < count:
        added = (left @ inside) * gain
        open_ = [i for i in range(len(terms)) if not stems[i] & used]
        if not open_:
            break
        best = max(open_, key=lambda i: (added[i], len(stems[i]), terms[i]))
        best = _whole(best, open_, stems, support)
        chosen.append(best)
        used |= stems[best]
        left = left * np.where(inside[:, best] > 0, _KEPT, 1)
    return chosen


def _whole(best: int, others: list[int], stems: list[frozenset[str]], support: Floats) -> int:
    """Give the phrase that a word belongs to, if it is in most of the word's records."""
    phrases = [i for i in others if stems[i] > stems[best]]
    if not phrases:
        return best
    phrase = max(phrases, key=lambda i: support[i])
    return phrase if support[phrase] >= PART * support[best] else best


def stem(word: str) -> str:
    """Take the plural's ending off."""
    if word.endswith("ies") and len(word) > 4:
        return f"{word[:-3]}y"
    return word[:-1] if word.endswith("s") and not word.endswith(("ss", "us", "is")) else word
