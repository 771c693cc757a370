"""Words, and the parts of questions."""

import pytest

from relsent_ir.answers.questions import Parts, question_parts
from relsent_ir.answers.words import terms


def test_terms() -> None:
    """Stop words are left out; order and repetitions are kept."""
    found = terms("The mice of 12 cages: mice and cages.", ("the", "of", "and"))
    assert found == ["mice", "12", "cage", "mice", "cage"]
    assert terms("Of the", {"of", "the"}) == []


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        (
            "Compared with placebo, what is the effect of murinol 5 mg on Day 1 on body weight?",
            Parts("murinol 5 mg on Day 1", "placebo", "body weight"),
        ),
        (
            "Compared with drug A, B and C, what is the effect of murinol on weight?",
            Parts("murinol", "drug A, B and C", "weight"),
        ),
        (
            "What is the effect of murinol compared to ratinol on mortality?",
            Parts("murinol", "ratinol", "mortality"),
        ),
        (
            "In old mice, does murinol, compared with placebo, reduce falls or fractures?",
            Parts("murinol", "placebo", "falls or fractures"),
        ),
        ("Is catinol effective for pain?", Parts("catinol", "", "pain")),
        ("What is the efficacy of catinol for pain", Parts("catinol", "", "pain")),
        ("metformin in PCOS", Parts("metformin", "", "PCOS")),
        ("The effect of catinol in old mice", Parts("catinol", "", "old mice")),
        ("Why do mice sleep?", Parts("", "", "Why do mice sleep?")),
        ("", Parts("", "", "")),
    ],
)
def test_parts(question: str, expected: Parts) -> None:
    """Intervention, comparator, outcome; the whole question where no rule fits."""
    assert question_parts(question) == expected
