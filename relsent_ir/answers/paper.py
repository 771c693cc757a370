"""The four features of Alamri & Stevenson 2015 (section 3.2.2), and their six sets.

Of the sentences of a claim zone; what is abbreviated may be defined anywhere in the abstract::

    role-label  0 for RESULTS, 1 for CONCLUSION (from labels, else from the CRF)
    st-sim      cosine of the sentence and the title, 0 to 50, long forms as their abbreviations
    sq-sim      the same of the sentence and the question
    Z-score     the largest Z in steps of 0.1 with st-sim >= mean + Z * deviation over the zone
"""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from relsent_ir.moves.features import title_similarities
from relsent_ir.records import Sentence

FEATURES: Final = ("st-sim", "sq-sim", "Z-score", "role-label")

FEATURE_SETS: Final[dict[int, tuple[str, ...]]] = {
    1: ("st-sim", "sq-sim"),
    2: ("Z-score", "sq-sim"),
    3: ("st-sim", "role-label"),
    4: ("Z-score", "role-label"),
    5: ("st-sim", "sq-sim", "role-label"),
    6: ("Z-score", "sq-sim", "role-label"),
}
"""As numbered in the paper."""

SCALE: Final = 50
STEP: Final = 0.1  # the paper tries "all possible Z values"


def zone_features(
    question: str, title: str, tagged: Sequence[Sentence], zone: NDArray[np.bool_]
) -> NDArray[np.float64]:
    """Describe the sentences of a claim zone.

    Parameters
    ----------
    question, title : str
        Either may be "": its similarities are 0.
    tagged : sequence of Sentence
        All of the abstract.
    zone : ndarray of bool, shape (len(tagged),)
        Which of them are in the zone.

    Returns
    -------
    ndarray of float64, shape (sentences of the zone, 4)
        In the order of `FEATURES`.
    """
    texts = [sentence.text for sentence in tagged]
    to_title = np.round(SCALE * np.array(title_similarities(title, texts)))[zone]
    to_question = np.round(SCALE * np.array(title_similarities(question, texts)))[zone]
    role = np.array([sentence.move == "CONCLUSION" for sentence in tagged], dtype=np.float64)[zone]
    return np.column_stack([to_title, to_question, z_scores(to_title), role])


def z_scores(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Give each value's standard score, rounded down to steps of 0.1; 0 if all are alike."""
    deviation = values.std() if len(values) else 0.0
    if not deviation:
        return np.zeros(len(values))
    scores: NDArray[np.float64] = np.floor((values - values.mean()) / deviation / STEP + 1e-9)
    return scores * STEP
