"""Expected reciprocal rank.

Chapelle, Metzler, Zhang, Grinspan: Expected reciprocal rank for graded relevance. CIKM 2009.

A reader stops at a hit of grade g with probability ``(2^g - 1) / 2^max_rel``, else goes on; the
measure is the mean of one over the rank where he stops. As in TREC's gdeval, the highest grade is 4
unless it is given; the value depends on it.
"""

from collections.abc import Mapping, Sequence

from relsent_ir.errors import MismatchError

MAX_REL = 4


def err(
    ids: Sequence[str],
    grades: Mapping[str, int],
    level: int = 1,  # noqa: ARG001 - all measures are called alike
    *,
    max_rel: int = MAX_REL,
) -> float:
    """Return the expected reciprocal rank of one topic's hits.

    Parameters
    ----------
    ids : sequence of str
        The hits, in their order.
    grades : mapping of str to int
        The topic's judgements; those under 0 count as 0.
    level : int
        Not used: grades count as they are.
    max_rel : int
        The highest grade that the judgements could have.

    Raises
    ------
    MismatchError
        If a grade is higher.
    """
    highest = max(grades.values(), default=0)
    if highest > max_rel:
        raise MismatchError(
            f"ERR expects grades up to {max_rel}, and the qrels have {highest}",
            fix=f"as ERR(max_rel={highest})@20",
        )
    value, going_on = 0.0, 1.0
    for rank, id_ in enumerate(ids, 1):
        # 2^g / 2^max_rel in one: neither of the two needs to be a number that fits into a double.
        grade = max(0, grades.get(id_, 0))
        stops = 2.0 ** (grade - max_rel) - 2.0**-max_rel
        value += going_on * stops / rank
        going_on *= 1 - stops
    return value
