"""Cues of English sentences."""

import pytest

from relsent_ir.text.cues import leaves_open


@pytest.mark.parametrize(
    ("sentence", "is_open"),
    [
        ("The aim was to read zorbin.", True),
        ("In this double-blind study, we assessed zorbin.", True),
        ("We assessed zorbin, and found that it cures.", True),
        ("Zorbin and murinol were discussed.", False),
        ("Is zorbin read?", True),
        ("It remains unclear why.", True),
        ("Effects of zorbin in rats.", True),
        ("Zorbin was read.", False),
        ("", False),
    ],
)
def test_open(sentence: str, is_open: bool) -> None:
    """An aim, a question and an unknown leave a relation open."""
    assert leaves_open(sentence) == is_open
