"""Inline headings in abstracts without sections."""

import pytest

from relsent_ir.moves.headings import given_moves, heading


@pytest.mark.parametrize(
    ("sentence", "move", "rest"),
    [
        ("METHODS: We fed mice.", "METHODS", "We fed mice."),
        ("Conclusion: Mice eat.", "CONCLUSION", "Mice eat."),
        ("BACKGROUND AND AIMS: Mice.", "PURPOSE", "Mice."),
        ("RESULTS. All ate.", "RESULTS", "All ate."),
        ("RESULTS.", "RESULTS", ""),
        ("BACKGROUND Persistent fever.", "PURPOSE", "Persistent fever."),
        ("PATIENTS AND METHODS We fed mice.", "METHODS", "We fed mice."),
        ("RESULTS A total of 4 ate.", "RESULTS", "A total of 4 ate."),
        ("TRIAL REGISTRATION: ISRCTN1.", "", "ISRCTN1."),
    ],
)
def test_heading(sentence: str, move: str, rest: str) -> None:
    """Capitals or a colon make a known label a heading."""
    found, start = heading(sentence)
    assert found == move
    assert start > 0
    assert sentence[start:] == rest


@pytest.mark.parametrize(
    "sentence",
    [
        "Methods differ from place to place.",
        "DNA was cut.",
        "Three drugs: murinol, ratinol and catinol.",
        "The results: none.",
        "RESULTS were poor.",
        "",
    ],
)
def test_no_heading(sentence: str) -> None:
    """A label as a word of the sentence, or an unknown one, is no heading."""
    assert heading(sentence) == ("", 0)


def test_headings_of_a_structure_cover_what_follows() -> None:
    """Three of the four moves make a structure; a heading without a move ends it."""
    sentences = [
        "AIM: Why.",
        "And how.",
        "METHODS: So.",
        "RESULTS.",
        "Ten.",
        "Twelve.",
        "FUNDING: Nobody.",
        "None.",
    ]
    moves, texts = given_moves(sentences)
    assert moves == ["PURPOSE", "PURPOSE", "METHODS", "RESULTS", "RESULTS", "RESULTS", "", ""]
    assert texts == ["Why.", "And how.", "So.", "", "Ten.", "Twelve.", "Nobody.", "None."]


def test_a_lone_heading_covers_its_own_sentence() -> None:
    """Nothing is said of the others; a heading that stands alone covers the next one."""
    assert given_moves(["Mice.", "Conclusion: Eat.", "More."])[0] == ["", "CONCLUSION", ""]
    assert given_moves(["RESULTS.", "Ten.", "More."])[0] == ["RESULTS", "RESULTS", ""]
    assert given_moves([]) == ([], [])
