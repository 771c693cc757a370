"""Boosting: terms of a topic weigh more, or less, by the moves of the sentences that they are in.

Tbahriti et al. 2004, section 3.5: ``W_new = W_old · S_c · k_c``, where S_c is the classifier's
score of a sentence of move c and k_c a constant. Since S_c · k_c is mostly below 1, this takes
weight from terms that are only in the boosted moves; ``W_new = W_old · (1 + k_c · S_c)`` is our
form, which never does.
"""

from collections.abc import Iterable, Mapping
from typing import Final

from relsent_ir.citation.documents import Segment
from relsent_ir.errors import UsageError
from relsent_ir.moves import MOVES

FORMS: Final = ("product", "sum")
"""``S_c · k_c``, the paper's, and ``1 + k_c · S_c``, ours."""


def boost(
    weights: Mapping[str, float],
    segments: Iterable[Segment],
    factors: Mapping[str, float],
    form: str = "sum",
) -> dict[str, float]:
    """Weigh a topic's terms by the moves that they are in.

    A term in several segments takes its largest factor; the factor of a title, of MeSH headings and
    of a move that is not boosted is 1. Terms in no segment keep their weights.

    Parameters
    ----------
    weights : mapping of str to float
        The topic's terms.
    segments : iterable of Segment
        Its sentences.
    factors : mapping of str to float
        k_c by move.
    form : {"product", "sum"}

    Raises
    ------
    UsageError
        If a move or a form is unknown, or a factor below 0.
    """
    check_factors(factors, form)
    largest: dict[str, float] = {}
    for segment in segments:
        factor = _factor(segment, factors, form)
        for term in segment.terms:
            if factor > largest.get(term, -1.0):
                largest[term] = factor
    return {term: weight * largest.get(term, 1.0) for term, weight in weights.items()}


def check_factors(factors: Mapping[str, float], form: str = "sum") -> None:
    """Refuse factors that make no sense, as `boost` does."""
    if form not in FORMS:
        raise UsageError(f"no form {form!r}", fix="one of " + ", ".join(FORMS))
    for move, factor in factors.items():
        if move not in MOVES:
            raise UsageError(f"no move {move!r}", fix=f"one of {', '.join(MOVES)}")
        if not 0 <= factor < float("inf"):
            raise UsageError(f"{move} boosted by {factor}", fix="0 or more")


def _factor(segment: Segment, factors: Mapping[str, float], form: str) -> float:
    if segment.part not in factors:
        return 1.0
    product = factors[segment.part] * segment.score
    return product if form == "product" else 1.0 + product
