"""Stems, and the parts of questions."""

import pytest

from relsent_ir.answers.words import Parts, question_parts, stem, terms


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("reduce", "reduces", "reduced", "reducing"), "reduc"),
        (("improvement", "improvements", "improve", "improved"), "improv"),
        (("therapy", "therapies"), "therapi"),
        (("bleed", "ear", "12.5", "250mg"), None),
    ],
)
def test_stem(words: tuple[str, ...], expected: str | None) -> None:
    """Forms of a word have one stem; short words and numbers stay."""
    for word in words:
        if expected:
            assert stem(word) == expected
    if expected is None:
        assert [stem(word) for word in words[1:]] == list(words[1:])


def test_terms() -> None:
    """Function words are left out; order and repetitions are kept."""
    assert terms("The mice of 12 cages: mice and cages.") == ["mic", "12", "cag", "mic", "cag"]
    assert terms("What is the effect of the") == []


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
        ("Why do mice sleep?", Parts("", "", "Why do mice sleep?")),
        ("", Parts("", "", "")),
    ],
)
def test_parts(question: str, expected: Parts) -> None:
    """Intervention, comparator, outcome; the whole question where no rule fits."""
    assert question_parts(question) == expected
