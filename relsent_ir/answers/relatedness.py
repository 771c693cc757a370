"""Relatedness of question and sentence by a model of related sentences (Smith & Wilbur 2010).

`relsent-ir train related` makes one with Huber weights; an answer model keeps its own copy.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from relsent_ir import models
from relsent_ir.errors import MismatchError
from relsent_ir.models import Stored, pack_strings, unpack_strings
from relsent_ir.related.features import Sentences
from relsent_ir.related.weights import WeightModel

NAMES: Final = ("related", "related, behind the best")
_PREFIX: Final = "related_"


def load_related(path: str | Path) -> WeightModel:
    """Load the model that gives the feature.

    Raises
    ------
    InputError
        If there is none.
    MismatchError
        If it has no weights of features, as huber-plus.
    """
    model = models.load(path, "related")
    if not isinstance(model, WeightModel):
        raise MismatchError(
            f"a model of kind {model.name}", where=path, fix="train related --model huber"
        )
    return model


def related_features(
    model: WeightModel, question: str, sentences: Sequence[str]
) -> NDArray[np.float64]:
    """Give each sentence's score with the question, and how far it is behind the best; (n, 2)."""
    texts = Sentences.from_texts([question, *sentences], model.stopwords)
    scores = model.query_scores(texts, 0, np.arange(1, len(sentences) + 1))
    return np.column_stack([scores, scores - scores.max()])


def to_arrays(model: WeightModel) -> dict[str, NDArray[Any]]:
    """Give what `from_arrays` needs."""
    arrays = {**model.to_arrays(), "stopwords": pack_strings(model.stopwords)}
    return {_PREFIX + name: array for name, array in arrays.items()}


def from_arrays(arrays: Mapping[str, NDArray[Any]], path: Path) -> WeightModel | None:
    """Read what `to_arrays` gave; None if there is nothing of it."""
    own = {k.removeprefix(_PREFIX): v for k, v in arrays.items() if k.startswith(_PREFIX)}
    if not own:
        return None
    stopwords = unpack_strings(own.pop("stopwords"))
    return WeightModel.read(Stored(path, "huber", {}, own), stopwords)
