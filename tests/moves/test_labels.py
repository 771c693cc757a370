"""Labels and the moves that they name."""

import pytest

from relsent_ir.moves.labels import (
    KNOWN,
    MOVES,
    given_moves,
    has_no_move,
    heading,
    label_move,
    section_move,
)


@pytest.mark.parametrize(
    ("label", "move"),
    [
        ("BACKGROUND", "PURPOSE"),
        ("Objectives:", "PURPOSE"),
        ("AIM OF THE STUDY", "PURPOSE"),
        ("Background & Aims", "PURPOSE"),
        ("OBJECTIVE/METHODS", "PURPOSE"),
        ("MATERIALS AND METHODS", "METHODS"),
        ("DESIGN, SETTING, AND PARTICIPANTS", "METHODS"),
        ("Main Outcome Measure(s)", "METHODS"),
        ("2. Methods", "METHODS"),
        ("METHODS AND RESULTS", "RESULTS"),
        ("DATA EXTRACTION", "METHODS"),
        ("DATA SYNTHESIS", "RESULTS"),
        ("PURPOSE OF REVIEW", "PURPOSE"),
        ("RECENT FINDINGS", "RESULTS"),
        ("SUMMARY", "CONCLUSION"),
        ("SUMMARY OF BACKGROUND DATA", "PURPOSE"),
        ("METHODOLOGY/PRINCIPAL FINDINGS", "RESULTS"),
        ("RESULTS AND DISCUSSION", "CONCLUSION"),
        ("CONCLUSIONS AND CLINICAL RELEVANCE", "CONCLUSION"),
        ("TRIAL REGISTRATION", ""),
        ("FUNDING", ""),
        ("ETHICS AND DISSEMINATION", ""),
        ("PET NAMES", ""),
        ("", ""),
    ],
)
def test_label_move(label: str, move: str) -> None:
    """Common labels, in parts, with numbers and punctuation; the rest has none."""
    assert label_move(label) == move


def test_category_before_label() -> None:
    """NLM's category decides, but for registration; every known label gives its own move."""
    assert section_move("PET NAMES", "METHODS") == "METHODS"
    assert section_move("METHODS", "UNASSIGNED") == "METHODS"
    assert section_move("AIM", "") == "PURPOSE"
    assert section_move("", "") == ""
    assert section_move("CLINICAL TRIAL REGISTRATION", "BACKGROUND") == ""
    assert has_no_move("ClinicalTrials.gov Identifier")
    assert not has_no_move("METHODS")
    assert set(KNOWN.values()) == set(MOVES)
    assert all(label_move(label.upper()) == move for label, move in KNOWN.items())


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


def test_headings() -> None:
    """Three of four moves make a structure; a lone heading covers its own sentence."""
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
    assert given_moves(["Mice.", "Conclusion: Eat.", "More."])[0] == ["", "CONCLUSION", ""]
    assert given_moves(["RESULTS.", "Ten.", "More."])[0] == ["RESULTS", "RESULTS", ""]
    assert given_moves([]) == ([], [])
