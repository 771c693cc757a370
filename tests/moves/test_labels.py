"""Labels and the moves that they name."""

import pytest

from relsent_ir.moves.labels import KNOWN, MOVES, has_no_move, label_move, section_move


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
    """NLM's category decides; UNASSIGNED leaves it to the label."""
    assert section_move("PET NAMES", "METHODS") == "METHODS"
    assert section_move("METHODS", "UNASSIGNED") == "METHODS"
    assert section_move("AIM", "") == "PURPOSE"
    assert section_move("", "") == ""


def test_registration_is_no_background() -> None:
    """NLM calls registration BACKGROUND; it has no move here."""
    assert section_move("CLINICAL TRIAL REGISTRATION", "BACKGROUND") == ""
    assert has_no_move("ClinicalTrials.gov Identifier")
    assert not has_no_move("METHODS")


def test_table_is_consistent() -> None:
    """Every known label gives its own move, also when looked up."""
    assert set(KNOWN.values()) == set(MOVES)
    assert all(label_move(label.upper()) == move for label, move in KNOWN.items())
