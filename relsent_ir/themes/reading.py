"""What a theme says to people: its records, and its terms (Shatkay & Wilbur 2000, section 4)."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from relsent_ir.hits import Hits
from relsent_ir.themes.em import Theme
from relsent_ir.themes.matrix import PresenceMatrix

LIKELY: Final = 0.6  # the paper's
MUCH_LARGER: Final = 10.0  # ours, where the paper says "much larger"


@dataclass(frozen=True)
class Term:
    """A term of a theme.

    Attributes
    ----------
    term : str
    p, q, lam : float
        Its probabilities on and off theme, and λ.
    db : float
        The share of all records that have it.
    support : float
        How many of the records on theme have it, as expected.
    lift : float
        How much more often they have it than all records.
    """

    term: str
    p: float
    q: float
    lam: float
    db: float
    support: float = 0.0
    lift: float = 0.0

    @property
    def ratio(self) -> float:
        """How much likelier on theme than off it; infinite for a term that is never off theme."""
        return self.p / self.q if self.q else float("inf")


def records_on_theme(
    matrix: PresenceMatrix, theme: Theme, k: int = 1000, *, keep_kernel: bool = False
) -> Hits:
    """Rank the records by their log-odds to be on theme, ties by id; the kernels are left out.

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


def terms_of_theme(matrix: PresenceMatrix, theme: Theme, count: int = 10) -> list[Term]:
    """Choose the terms that tell what a theme is about.

    Terms that p made present in some record on theme with a probability of 0.6 or more, and terms
    of which p is much larger than DB; of them those of the largest p, ordered by p / q.
    """
    model = theme.model
    best = np.zeros(len(matrix.terms))  # the record with the term that is most surely on theme
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
        Term(
            matrix.terms[i],
            *(float(a[i]) for a in (model.p, model.q, model.lam, model.db)),
            *map(float, found),
        )
        for i, *found in zip(largest.tolist(), support, lift, strict=True)
    ]
    return sorted(terms, key=lambda term: (-term.ratio, -term.p, term.term))
