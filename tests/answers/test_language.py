"""Kinds and parts of questions, words and their vectors."""

from time import perf_counter

import pytest

from relsent_ir.answers.language import KINDS, QuestionParts, parse, terms


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
        ("Murinol causes falls", "statement"),
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
    assert parse(question).kind == expected
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
        ("Is catinol active in pain?", QuestionParts("catinol", "", "pain", "", "good")),
        ("Can catinol detect pain?", QuestionParts("catinol", "", "pain", "", "good")),
        ("Does pain interact with gout?", QuestionParts("pain", "", "gout", "", "linked")),
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
    assert parse(question).parts == expected


def test_terms() -> None:
    """Stop words are left out; order and repetitions are kept."""
    found = terms("The mice of 12 cages: mice and cages.", ("the", "of", "and"))
    assert found == ["mice", "12", "cage", "mice", "cage"]
    assert terms("Of the", {"of", "the"}) == []


def test_many_auxiliaries_take_no_time() -> None:
    """The time grows with the length of a question, not with its square or worse."""
    start = perf_counter()
    parse("Murinol " + "to be " * 1000)
    assert perf_counter() - start < 2
