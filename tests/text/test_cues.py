"""Cues of English sentences."""

import pytest

from relsent_ir.text.cues import leaves_open, split_clauses, states_aim


@pytest.mark.parametrize(
    ("sentence", "clauses"),
    [
        ("Zorbin rose, but murinol fell.", ["Zorbin rose", "murinol fell."]),
        ("We found in rats that zorbin rose; it fell.", ["We", "zorbin rose", "it fell."]),
        ("Zorbin-like pain fell.", ["Zorbin-like pain fell."]),
        ("; - ;", []),
        ("", []),
    ],
)
def test_clauses(sentence: str, clauses: list[str]) -> None:
    """Marks, contrasts and reports part clauses; a hyphen does not."""
    assert split_clauses(sentence) == clauses


@pytest.mark.parametrize(
    ("sentence", "aim", "is_open"),
    [
        ("The aim was to read zorbin.", True, True),
        ("In this double-blind study, we assessed zorbin.", True, True),
        ("We assessed zorbin, and found that it cures.", False, True),
        ("Zorbin and murinol were discussed.", True, False),
        ("Is zorbin read?", False, True),
        ("It remains unclear why.", False, True),
        ("Effects of zorbin in rats.", False, True),
        ("Zorbin was read.", False, False),
        ("", False, False),
    ],
)
def test_aim(sentence: str, aim: bool, is_open: bool) -> None:
    """An aim has no findings behind it; a question and an unknown leave a relation open."""
    assert states_aim(sentence) == aim
    assert leaves_open(sentence) == is_open
