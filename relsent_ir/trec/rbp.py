"""Rank-biased precision.

Moffat, Zobel: Rank-biased precision for measurement of retrieval effectiveness. ACM Transactions on
Information Systems 27, 2008.

A reader looks at the first hit, and goes on from each hit to the next with probability p::

    RBP = (1 - p) sum over the relevant hits of p^(rank - 1)

What is not known, since a hit has no judgement or there are no more hits, counts as not relevant.
The residual is what it could add at most: the same sum over the hits without judgement and all
ranks after the last. So the true value is between RBP and RBP + residual.
"""

from collections.abc import Mapping, Sequence

P = 0.8


def rbp(ids: Sequence[str], grades: Mapping[str, int], level: int = 1, *, p: float = P) -> float:
    """Return the rank-biased precision of one topic's hits.

    Parameters
    ----------
    ids : sequence of str
        The hits, in their order.
    grades : mapping of str to int
        The topic's judgements.
    level : int
        The lowest grade that counts as relevant.
    p : float
        How persistent the reader is, from 0 to 1.
    """
    return (1 - p) * sum(p**i for i, id_ in enumerate(ids) if grades.get(id_, level - 1) >= level)


def rbp_residual(
    ids: Sequence[str],
    grades: Mapping[str, int],
    level: int = 1,  # noqa: ARG001 - all measures are called alike
    *,
    p: float = P,
) -> float:
    """Return how much hits without judgement could add; parameters as in `rbp`."""
    unknown = sum(p**i for i, id_ in enumerate(ids) if id_ not in grades)
    return float((1 - p) * unknown + p ** len(ids))
