"""Why a sentence has its share of an answer: the features of the linear model that weigh most."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from relsent_ir.answers.features import feature_names, sentence_features
from relsent_ir.answers.linear import SLOTS
from relsent_ir.answers.model import AnswerModel, LinearModel
from relsent_ir.records import Sentence

MOST: Final = 10
"""Features that are named."""


def reasons(
    model: AnswerModel, question: str, title: str, tagged: Sequence[Sentence], n: int, slot: str
) -> list[tuple[str, float]]:
    """Give what sets a sentence apart from the others of its abstract, the weightiest first.

    A slot's score is a sum over the features of the linear model; here each one's part of it is
    given, less its mean over the abstract's sentences.

    Parameters
    ----------
    model : AnswerModel
        Of one that is not linear there are no reasons.
    question, title : str
    tagged : sequence of Sentence
        All sentences of the abstract.
    n : int
        Which of them, from 0.
    slot : str
        One of `relsent_ir.answers.linear.SLOTS`.
    """
    if not isinstance(model, LinearModel):
        return []
    features = sentence_features(question, title, tagged, model.vectors, model.related)
    step = model.weights.slots[SLOTS.index(slot)]
    parts = (features / step.deviation) * step.weights
    own = parts[n] - parts.mean(axis=0)
    best = np.argsort(-np.abs(own), kind="stable")[:MOST]
    names = feature_names(model.related)
    return [(names[i], float(own[i])) for i in best.tolist() if own[i]]
