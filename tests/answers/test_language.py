"""Kinds and parts of questions, words and their vectors."""

import numpy as np
import pytest

from relsent_ir.answers.language import (
    KINDS,
    QuestionParts,
    WordVectors,
    learn_vectors,
    question_kind,
    question_parts,
    terms,
)
from relsent_ir.records import Record, Section
from relsent_ir.text.words import stem


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Does murinol reduce weight?", "yes/no"),
        ("In old mice, does murinol reduce weight?", "yes/no"),
        ("Mice and murinol: is it safe?", "yes/no"),
        ("Can weight be reduced?", "yes/no"),
        ("Is murinol friend or foe?", "what"),
        ("Murinol reduces weight", "statement"),
        ("Murinol and ratinol slow ageing.", "statement"),
        ("Murinol is not associated with falls", "statement"),
        ("Murinol causes less cough than ratinol", "statement"),
        ("Murinol to prevent falls", "topic"),
        ("Murinol induced falls", "topic"),
        ("Weight changes in mice", "topic"),
        ("murinol", "topic"),
        ("", "topic"),
        ("How effective is murinol?", "how much"),
        ("What is the incidence of falls?", "how much"),
        ("What are the risk factors for falls?", "what"),
        ("Which drugs reduce weight?", "what"),
        ("Compared with placebo, what is the effect of murinol on weight?", "what"),
        ("How does murinol act?", "how"),
        ("Why do mice sleep?", "how"),
        ("When do mice sleep?", "who"),
    ],
)
def test_kinds(question: str, expected: str) -> None:
    """By what the asking clause begins with; a statement has a verb of its own."""
    assert question_kind(question) == expected
    assert expected in KINDS


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        (
            "Compared with placebo, what is the effect of murinol 5 mg on Day 1 on body weight?",
            QuestionParts("murinol 5 mg on Day 1", "placebo", "body weight"),
        ),
        (
            "Compared with drug A, B and C, what is the effect of murinol on weight?",
            QuestionParts("murinol", "drug A, B and C", "weight"),
        ),
        (
            "What is the effect of murinol compared to ratinol on mortality?",
            QuestionParts("murinol", "ratinol", "mortality"),
        ),
        (
            "In old mice, does murinol, compared with placebo, reduce falls or fractures?",
            QuestionParts("murinol", "placebo", "falls or fractures", "", "down"),
        ),
        ("Is catinol effective for pain?", QuestionParts("catinol", "", "pain", "", "good")),
        ("What is the efficacy of catinol for pain", QuestionParts("catinol", "", "pain")),
        ("metformin in PCOS", QuestionParts("metformin", "", "PCOS")),
        ("The effect of catinol in old mice", QuestionParts("catinol", "", "old mice")),
        ("Why do mice sleep?", QuestionParts("", "", "Why do mice sleep?")),
        ("", QuestionParts("", "", "")),
        (
            "Does zinc reduce the duration of diarrhea in children?",
            QuestionParts("zinc", "", "the duration of diarrhea", "children", "down"),
        ),
        (
            "Does running improve quality of life in old mice?",
            QuestionParts("running", "", "quality of life", "old mice", "good"),
        ),
        (
            "Is long-term murinol safe and effective for itching?",
            QuestionParts("long-term murinol", "", "itching", "", "good"),
        ),
        (
            "Does murinol cause more itching than ratinol?",
            QuestionParts("murinol", "ratinol", "itching", "", "up"),
        ),
        (
            "Is itching less common in rats than in mice?",
            QuestionParts("rats", "mice", "itching", "", "down"),
        ),
        (
            "Does murinol relieve itching better than placebo?",
            QuestionParts("murinol", "placebo", "itching", "", "good"),
        ),
        (
            "Compared with advice, what is the effect of food lower in fat than bread on weight?",
            QuestionParts("food lower in fat than bread", "advice", "weight"),
        ),
        (
            "Is murinol as effective as ratinol for itching?",
            QuestionParts("murinol", "ratinol", "itching", "", "same"),
        ),
        ("Is itching increased in gout?", QuestionParts("gout", "", "itching", "", "up")),
        (
            "Is weight loss greater on catinol than on ratinol?",
            QuestionParts("catinol", "ratinol", "weight loss", "", "up"),
        ),
        (
            "Is there a lower risk of gout with catinol than with ratinol?",
            QuestionParts("catinol", "ratinol", "risk of gout", "", "down"),
        ),
        ("Coffee is linked to lower weight", QuestionParts("Coffee", "", "weight", "", "down")),
        (
            "Is coffee inversely associated with gout?",
            QuestionParts("coffee", "", "gout", "", "down"),
        ),
        (
            "Is coffee independently associated with gout?",
            QuestionParts("coffee", "", "gout", "", "linked"),
        ),
        ("Is catinol harmful in gout?", QuestionParts("catinol", "", "gout", "", "bad")),
        (
            "Is catinol safe and clinically useful in gout?",
            QuestionParts("catinol", "", "gout", "", "good"),
        ),
        ("Is growth inhibited by murinol?", QuestionParts("murinol", "", "growth", "", "down")),
        (
            "Is coffee associated with a higher risk of gout?",
            QuestionParts("coffee", "", "risk of gout", "", "up"),
        ),
        (
            "Is there a link between coffee and gout?",
            QuestionParts("coffee", "", "gout", "", "linked"),
        ),
        ("Is hearing normal in rats?", QuestionParts("hearing", "", "normal", "rats", "is")),
    ],
)
def test_parts(question: str, expected: QuestionParts) -> None:
    """Intervention, comparator, outcome, and what yes says; else the whole question."""
    assert question_parts(question) == expected


def test_terms() -> None:
    """Stop words are left out; order and repetitions are kept."""
    found = terms("The mice of 12 cages: mice and cages.", ("the", "of", "and"))
    assert found == ["mice", "12", "cage", "mice", "cage"]
    assert terms("Of the", {"of", "the"}) == []


def _records() -> list[Record]:
    """Pain goes with relief, weight with body, in many sentences with other words between."""
    texts = [
        f"{drug} brought relief of pain to w{n}. Body weight of w{n} fell with {drug}."
        for n in range(12)
        for drug in ("murinol", "ratinol", "catinol")
    ]
    return [Record(str(n), sections=(Section(text),)) for n, text in enumerate(texts)]


def test_company() -> None:
    """Words that stand together are alike, and the others are not."""
    vectors = learn_vectors(_records())
    pain, relief, weight, body = vectors.of([stem(w) for w in ("pain", "relief", "weight", "body")])
    assert pain @ relief > pain @ weight
    assert weight @ body > weight @ relief
    assert np.allclose(np.linalg.norm(vectors.values, axis=1), 1, atol=1e-5)


def test_frequencies() -> None:
    """Words in fewer than four sentences are dropped, numbers too; idf by hand."""
    vectors = learn_vectors(_records())
    assert vectors.sentences == 36 * 3  # each with its empty title
    assert "murinol" in vectors.words
    assert vectors.idf("murinol") == pytest.approx(np.log(109 / 25))
    assert vectors.idf("unknown") == pytest.approx(np.log(109 / 3))
    assert (vectors.of(["unknown"]) == 0).all()


def test_same_words_same_vectors() -> None:
    """Learning twice gives the same numbers."""
    first, second = learn_vectors(_records()), learn_vectors(_records())
    assert first.words == second.words
    assert (first.values == second.values).all()


def test_nothing_to_learn_from() -> None:
    """No records, or too few words, give no vectors, and every word weighs the same."""
    vectors = learn_vectors([])
    assert vectors.of(["mice"]).shape == (1, 100)
    assert vectors.idf("mice") == vectors.idf("rats") == 1.0
    assert learn_vectors([Record("1", "Mice")]).words == ()


def test_stored_and_read() -> None:
    """Arrays hold it; arrays that do not fit together are refused."""
    vectors = learn_vectors(_records())
    arrays = vectors.to_arrays()
    read = WordVectors.from_arrays(arrays)
    assert read.words == vectors.words
    assert read.idf("pain") == vectors.idf("pain")
    assert np.allclose(read.of(["pain"]), vectors.of(["pain"]), atol=1e-3)
    with pytest.raises(ValueError, match="frequency does not fit"):
        WordVectors.from_arrays({**arrays, "frequency": arrays["frequency"][:-1]})


def test_a_word_of_every_sentence() -> None:
    """Its frequency fills the smallest integers; what is above the number of sentences is none."""
    made = WordVectors(("pain",), np.ones((1, 2)), np.array([255], dtype=np.uint8), 255)
    read = WordVectors.from_arrays(made.to_arrays())
    assert read.frequency.dtype == np.uint8
    assert read.idf("pain") == 0.0
    with pytest.raises(ValueError, match="no word can have"):
        WordVectors.from_arrays(made.to_arrays() | {"sentences": np.array([254])})
