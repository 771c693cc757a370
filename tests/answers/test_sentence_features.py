"""Features of sentences: zones, matching, cues, and the table of all."""

from dataclasses import replace
from math import log, sqrt

import numpy as np
import pytest

from recipes.answers.vectors import learn_vectors
from relsent_ir.answers.language import QuestionParts, WordVectors, parse
from relsent_ir.answers.sentence_features import (
    CUE_NAMES,
    GROUPS,
    NAMES,
    Body,
    cues,
    grams,
    move_probabilities,
    sentence_features,
    tag_abstract,
)
from relsent_ir.records import Record, Sentence
from tests.answers.conftest import DRUGS, invented


def _tagged(*moves: str) -> list[Sentence]:
    return [Sentence("1", n, "Text.", move, 0.7) for n, move in enumerate(moves, 1)]


def test_moves() -> None:
    """Those of labels are certain, unless ignored; what a score leaves is spread."""
    tagged = tag_abstract(invented(1, "murinol"))
    assert {sentence.score for sentence in tagged} == {1.0}
    guessed = tag_abstract(invented(1, "murinol"), labels=False)
    assert max(sentence.score for sentence in guessed) < 1.0
    found = move_probabilities(_tagged("RESULTS"))
    assert np.allclose(found, [[0.1, 0.1, 0.7, 0.1]])
    assert move_probabilities([]).shape == (0, 4)


SENTENCES = [["pain", "fell"], ["weight", "fell", "weight"], []]
VECTORS = WordVectors(
    ("fell", "pain", "relief", "weight"),
    np.array([[0, 0, 1], [1, 0, 0], [0.6, 0, 0.8], [0, 1, 0]], dtype=np.float32),
    np.array([9, 4, 1, 4]),
    99,
)


@pytest.fixture
def body() -> Body:
    """Three sentences, the last one empty."""
    return Body(SENTENCES, VECTORS)


def _weight(frequency: int, holding: int) -> float:
    return log(100 / (frequency + 1)) * log(1 + 3 / (holding + 0.5))


def test_body(body: Body) -> None:
    """Words weigh by the collection, near ones by squares of cosines; grams stay within words."""
    pain, fell = _weight(4, 1), _weight(9, 2)
    share = pain / (pain + fell)
    found = body.words(["pain", "fell", "pain"])
    assert found == pytest.approx([1, 1 - share, 0], abs=1e-5)
    assert body.meaning(["relief"]) == pytest.approx([0.64, 0.64, 0], abs=1e-5)
    assert body.meaning(["pain"]) == pytest.approx([1, 0, 0], abs=1e-5)
    weight, fell = log(100 / 5), log(100 / 10)
    expected = weight**2 / (weight * sqrt(weight**2 + fell**2))
    assert body.cosine(["weight"]) == pytest.approx([0, expected, 0])
    assert grams("pain") == {"_pai", "pain", "ain_"}
    assert body.grams(["pains"]) == pytest.approx([2 / 4, 0, 0], abs=1e-5)
    assert grams("p") == {"_p_"}
    body = Body([["pa", "in"], ["p"], ["xp", "px"]], VECTORS)
    assert body.grams(["pain"]) == pytest.approx([0, 0, 0])  # no run crosses from word to word
    assert body.grams(["p"]) == pytest.approx([0, 1, 0], abs=1e-5)


@pytest.mark.parametrize("way", ["words", "grams", "meaning", "cosine"])
def test_nothing_asked(body: Body, way: str) -> None:
    """Without words nothing matches, and an abstract without sentences has no values."""
    assert getattr(body, way)([]).tolist() == [0, 0, 0]
    assert getattr(Body([], VECTORS), way)(["pain"]).shape == (0,)


@pytest.mark.parametrize(
    ("text", "cue"),
    [
        ("Weight fell (P < 0.01).", "p-value"),
        ("It was 3 (95% CI 1 to 5).", "interval"),
        ("The odds ratio was two.", "ratio"),
        ("Of mice 40% slept.", "percent"),
        ("Ears were longer.", "comparison"),
        ("Between groups it was alike.", "groups"),
        ("A significant fall.", "significance"),
        ("Ears did not grow.", "negation"),
        ("Murinol may help.", "hedge"),
        ("We conclude so.", "conclusion"),
        ("The primary outcome was weight.", "design"),
        ("We tried to assess it.", "aim"),
        ("At baseline they were old.", "baseline"),
        ("In 2 of 3 mice.", "numbers"),
    ],
)
def test_each_cue(text: str, cue: str) -> None:
    """A sentence that says it has it, another one has not."""
    found = cues([text, "Mice sleep."], "weight")[:, CUE_NAMES.index(cue)]
    assert found[0] > 0
    assert found[1] == 0


def test_cues() -> None:
    """Harms count one way or the other, a cue three times at most; no sentences, no rows."""
    texts = ["Adverse events were rare.", "Weight fell."]
    columns = [CUE_NAMES.index("asked for harms"), CUE_NAMES.index("harms")]
    assert cues(texts, "safety")[:, columns].tolist() == [[1, 0], [0, 0]]
    assert cues(texts, "weight")[:, columns].tolist() == [[0, 1], [0, 0]]
    assert cues(["not " * 9], "")[0, CUE_NAMES.index("negation")] == 3
    assert cues([], "weight").shape == (0, len(CUE_NAMES))


TABLE_VECTORS = learn_vectors([invented(n, drug) for n, drug in enumerate(DRUGS)])
QUESTION = "Compared with placebo, what is the effect of murinol on body weight?"


def _columns(question: str, title: str = "Murinol in mice") -> dict[str, np.ndarray]:
    tagged = tag_abstract(invented(1, "murinol"))
    values = sentence_features(parse(question), title, tagged, TABLE_VECTORS)
    assert values.shape == (8, len(NAMES))
    assert np.isfinite(values).all()
    return dict(zip(NAMES, values.T, strict=True))


def test_columns() -> None:
    """Sentence 6 (of 8) has the outcome's words, and a figure; RESULTS are sentences 5 to 7."""
    values = _columns(QUESTION)
    for way in ("words", "grams", "meaning", "cosine"):
        assert values[f"outcome: {way}"].argmax() == 5
        assert values[f"outcome: {way}, behind the best"].max() == 0
    assert values["outcome: word pairs"].tolist() == [0, 0, 0, 0, 0, 1, 0, 0]
    assert values["p-value"].tolist() == [0, 0, 0, 0, 0, 1, 1, 0]
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


def test_odd_questions() -> None:
    """Taken whole, all words are the outcome's; no sentences, no rows, and still all columns."""
    tagged = tag_abstract(invented(1, "murinol"))
    whole = replace(parse(QUESTION), parts=QuestionParts("", "", QUESTION))
    found = sentence_features(whole, "", tagged, TABLE_VECTORS)
    values = dict(zip(NAMES, found.T, strict=True))
    assert (values["outcome: words"] == values["question: words"]).all()
    assert (values["both arms"] == 0).all()
    tagged = tag_abstract(Record("1", "Murinol"))
    assert sentence_features(parse(QUESTION), "", tagged, TABLE_VECTORS).shape == (0, len(NAMES))
    assert len(set(NAMES)) == len(NAMES) == sum(map(len, GROUPS.values()))
