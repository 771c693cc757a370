"""What the linear model sees."""

import numpy as np
import pytest

from relsent_ir.answers.features import (
    GROUPS,
    NAMES,
    feature_names,
    sentence_features,
    tag_abstract,
)
from relsent_ir.answers.words import learn_vectors
from relsent_ir.records import Record
from tests.answers.conftest import DRUGS, invented

VECTORS = learn_vectors([invented(n, drug) for n, drug in enumerate(DRUGS)])
QUESTION = "Compared with placebo, what is the effect of murinol on body weight?"


def _columns(question: str, title: str = "Murinol in mice") -> dict[str, np.ndarray]:
    tagged = tag_abstract(invented(1, "murinol"))
    values = sentence_features(question, title, tagged, VECTORS)
    assert values.shape == (8, len(NAMES))
    assert np.isfinite(values).all()
    return dict(zip(NAMES, values.T, strict=True))


def test_the_sentence_with_the_outcome_is_best() -> None:
    """Sentence 6 (of 8) has the outcome's words, and a figure."""
    values = _columns(QUESTION)
    for way in ("words", "grams", "meaning", "cosine"):
        assert values[f"outcome: {way}"].argmax() == 5
        assert values[f"outcome: {way}, behind the best"].max() == 0
    assert values["outcome: word pairs"].tolist() == [0, 0, 0, 0, 0, 1, 0, 0]
    assert values["p-value"].tolist() == [0, 0, 0, 0, 0, 1, 1, 0]


def test_moves_and_places() -> None:
    """Moves are certain by labels; RESULTS are sentences 5 to 7."""
    values = _columns(QUESTION)
    assert values["RESULTS"].tolist() == [0, 0, 0, 0, 1, 1, 1, 0]
    assert values["first of RESULTS"].argmax() == 4
    assert values["last of RESULTS"].argmax() == 6
    assert values["position in RESULTS"].tolist() == [0, 0, 0, 0, 0, 0.5, 1, 0]
    assert values["position"][[0, 7]].tolist() == [0, 1]
    assert values["outcome behind"][4] == values["outcome: meaning"][5]
    inside = values["outcome: words, in RESULTS"]
    assert (inside == values["outcome: words"] * values["RESULTS"]).all()


@pytest.mark.parametrize("question", ["", "What is the effect of", "??", "Σ ∆"])
def test_a_question_of_function_words(question: str) -> None:
    """Nothing matches; the rest is there."""
    values = _columns(question, title="")
    for name in (*GROUPS["outcome"], "question: words", "title: cosine"):
        assert (values[name] == 0).all()
    assert values["RESULTS"].sum() == 3


def test_a_question_taken_whole() -> None:
    """All its words are the outcome's, and there are no arms."""
    tagged = tag_abstract(invented(1, "murinol"))
    found = sentence_features(QUESTION, "", tagged, VECTORS, whole=True)
    values = dict(zip(NAMES, found.T, strict=True))
    assert (values["outcome: words"] == values["question: words"]).all()
    assert (values["both arms"] == 0).all()


def test_no_abstract() -> None:
    """No sentences, no rows, and still all columns."""
    tagged = tag_abstract(Record("1", "Murinol"))
    assert sentence_features(QUESTION, "", tagged, VECTORS).shape == (0, len(feature_names()))


def test_names() -> None:
    """Each feature is in one group."""
    assert len(set(NAMES)) == len(NAMES) == sum(map(len, GROUPS.values()))
