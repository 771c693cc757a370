"""Scores as text that every trec_eval ranks as we ranked."""

import numpy as np
from numpy.typing import NDArray

_LARGEST = float(np.finfo(np.float32).max)
_SIGN = 0x80000000
_STEPS = 0x7F7FFFFF  # from 0 to the largest number in single precision


def ranked_scores(scores: NDArray[np.float64]) -> list[str]:
    """Write the scores of a ranking so that no two of them tie and each is under the one before.

    trec_eval ignores the rank column and orders by score, ties by document id from Z to A. Version
    10 compares in double precision; version 9, and pytrec_eval with it, in single precision. So a
    score that is not under its predecessor in single precision is lowered to the next number that
    is. All others are written exactly: reading them back gives the same double.

    Parameters
    ----------
    scores : ndarray of float64, shape (n,)
        Finite, in the order of the ranking.

    Returns
    -------
    list of str, length n
        What `float` reads, at most 24 characters each.
    """
    single = np.clip(scores, -_LARGEST, _LARGEST).astype(np.float32)
    bits = single.view(np.uint32).astype(np.int64)
    # Numbered so that neighbours in single precision are neighbours here: -1, 0, 1 around zero.
    step = np.where(bits >= _SIGN, _SIGN - bits, bits)
    down = np.arange(len(scores))
    lowered = np.minimum.accumulate(step + down) - down
    # Under the lowest number there is none: there, those before are raised instead.
    lowered = np.maximum(lowered, down[::-1] - _STEPS)
    bits = np.where(lowered < 0, _SIGN - lowered, lowered).astype(np.uint32)
    values = bits.view(np.float32)
    texts = [repr(score) for score in scores.tolist()]
    for i in np.flatnonzero(lowered != step).tolist():
        # Nine digits are within a tenth of a step: read in double precision and then rounded to
        # single, they give the same number.
        texts[i] = f"{values[i]:.9g}"
    return texts
