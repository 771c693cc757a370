"""Average precision in trec_eval's arithmetic, for those who measure thousands of runs.

pytrec_eval copies each run's ids and sorts them again, which takes longer than a search of them.
"""

from collections.abc import Mapping, Sequence


def average_precision(ids: Sequence[str], grades: Mapping[str, int], level: int = 1) -> float:
    """Return the mean precision at the relevant documents, 0 at those not found; trec_eval's map.

    Parameters
    ----------
    ids : sequence of str
        The hits, in their order; each once.
    grades : mapping of str to int
        The topic's judgements.
    level : int
        The lowest grade that counts as relevant.
    """
    relevant = {id_ for id_, grade in grades.items() if grade >= level}
    found, total = 0, 0.0
    for rank, id_ in enumerate(ids, 1):
        if id_ in relevant:
            found += 1
            total += found / rank
            if found == len(relevant):
                break
    return total / len(relevant) if relevant else 0.0
