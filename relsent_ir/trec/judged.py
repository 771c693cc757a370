"""The share of the hits that have a judgement, whatever their grade.

It tells how far other measures can be believed: Büttcher, Clarke, Yeung, Soboroff: Reliable
information retrieval evaluation with incomplete and biased judgements. SIGIR 2007.
"""

from collections.abc import Mapping, Sequence


def judged(
    ids: Sequence[str],
    grades: Mapping[str, int],
    level: int = 1,  # noqa: ARG001 - all measures are called alike
) -> float:
    """Return the share of one topic's hits that are judged; 0 if there are none.

    Parameters
    ----------
    ids : sequence of str
        The hits, at most as many as the cut-off; where there are fewer, these are all.
    grades : mapping of str to int
        The topic's judgements.
    level : int
        Not used.
    """
    return sum(id_ in grades for id_ in ids) / len(ids) if ids else 0.0
