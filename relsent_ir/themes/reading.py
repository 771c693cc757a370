"""The records and the terms of a theme, for people (Shatkay & Wilbur 2000, section 4).

`label_theme` is ours; it replaces the paper's rule (`terms_of_theme`), which lets dozens of terms
tie at p = 1 and lists a phrase beside its words. A term's records on theme count by their
probability; its lift is its frequency in them relative to all records. Terms are chosen one by one:
each time the term that says most (ln lift) about the records that earlier terms describe least.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from relsent_ir.hits import Hits
from relsent_ir.themes.em import Theme
from relsent_ir.themes.matrix import PresenceMatrix
from relsent_ir.typing import Floats, NDArray

LIKELY: Final = 0.6  # the paper's
MUCH_LARGER: Final = 10.0  # ours, where the paper says "much larger"


@dataclass(frozen=True)
class ThemeTerm:
    """A term of a theme.

    Attributes
    ----------
    term : str
    p, q, lam : float
        Its probabilities on and off theme, and λ.
    db : float
        The share of all records that have it.
    support : float
        The expected number of records on theme that have it.
    lift : float
        Their share among those on theme, divided by `db`.
    """

    term: str
    p: float
    q: float
    lam: float
    db: float
    support: float = 0.0
    lift: float = 0.0


def records_on_theme(
    matrix: PresenceMatrix, theme: Theme, k: int = 1000, *, keep_kernel: bool = False
) -> Hits:
    """Rank the records other than the kernels by their log-odds to be on theme, ties by id.

    Pr(Z=1|d) itself is 1 to the last digit for many of them.
    """
    scores = theme.log_odds.copy()
    if not keep_kernel:
        scores[theme.kernels] = -np.inf
    k = min(k, int(np.isfinite(scores).sum()))
    if not k:
        return Hits.ranked([], [])
    rows = np.flatnonzero(scores >= np.partition(scores, -k)[-k])
    return Hits.ranked([matrix.ids[row] for row in rows.tolist()], scores[rows], k)


def terms_of_theme(matrix: PresenceMatrix, theme: Theme, count: int = 10) -> list[ThemeTerm]:
    """Choose the terms that describe a theme, by the paper's rule.

    Terms whose presence in some record on theme is due to p with a probability of 0.6 or more, and
    terms whose p is much larger than DB; among these those of the largest p, ordered by p / q.
    """
    model = theme.model
    best = np.zeros(len(matrix.terms))  # of the surest record with the term
    for row in np.flatnonzero(theme.on >= LIKELY).tolist():
        columns = matrix.row(row)
        best[columns] = np.maximum(best[columns], theme.on[row])
    likely = best * theme.posterior.on_present >= LIKELY
    chosen = np.flatnonzero(likely | (model.p >= MUCH_LARGER * model.db))
    with np.errstate(divide="ignore", over="ignore"):
        ratio = model.p[chosen] / model.q[chosen]
    largest = chosen[np.lexsort((-ratio, -model.p[chosen]))][:count]
    support = matrix.by_term[largest] @ theme.on if len(largest) else np.empty(0)
    lift = support / (theme.on.sum() * model.db[largest])
    terms = [
        ThemeTerm(
            matrix.terms[i],
            *(float(a[i]) for a in (model.p, model.q, model.lam, model.db)),
            *map(float, figures),
        )
        for i, *figures in zip(largest.tolist(), support, lift, strict=True)
    ]
    return sorted(terms, key=lambda t: (-t.p / t.q if t.q else -np.inf, -t.p, t.term))


LEAST: Final = 1.5
"""The least expected number of records on theme with a term, if the theme has as many."""

PART: Final = 0.6
"""Share of a word's records on theme that must have a phrase that replaces the word."""

_KEPT: Final = 0.5  # factor of a record's weight for each chosen term that it has
ON: Final = 0.01  # records with a lower probability do not count
_CANDIDATES: Final = 300


def label_theme(matrix: PresenceMatrix, theme: Theme, count: int = 10) -> list[ThemeTerm]:
    """Choose the terms that describe a theme.

    Parameters
    ----------
    matrix : PresenceMatrix
    theme : Theme
    count : int
        The most terms.

    Returns
    -------
    list of ThemeTerm
        In the order of choice. No two share a word: a phrase replaces its words if it is in nearly
        all of their records.
    """
    rows = np.flatnonzero(theme.on >= ON)
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
    inside = np.ascontiguousarray(matrix.by_term[columns][:, rows].toarray().T)
    chosen = cover(
        [matrix.terms[column] for column in columns.tolist()], inside, weights, gain, count
    )
    model = theme.model
    arrays = (model.p, model.q, model.lam, model.db, support, lift)
    return [
        ThemeTerm(matrix.terms[column], *(float(array[column]) for array in arrays))
        for column in columns[chosen].tolist()
    ]


def cover(
    terms: list[str], inside: NDArray[np.float64], weights: Floats, gain: Floats, count: int
) -> list[int]:
    """Choose terms one by one by their gain; `inside` has the shape (records, terms)."""
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
        phrases = [i for i in open_ if stems[i] > stems[best]]
        phrase = max(phrases, key=lambda i: support[i], default=best)
        if support[phrase] >= PART * support[best]:  # it is in most of the word's records
            best = phrase
        chosen.append(best)
        used |= stems[best]
        left = left * np.where(inside[:, best] > 0, _KEPT, 1)
    return chosen


def stem(word: str) -> str:
    """Remove the ending of a plural."""
    if word.endswith("ies") and len(word) > 4:
        return f"{word[:-3]}y"
    return word[:-1] if word.endswith("s") and not word.endswith(("ss", "us", "is")) else word
