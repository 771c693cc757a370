"""Measures of taggers and chunkers."""

import pytest

from relsent_ir.text.evaluation import base_phrases, phrases, right_tags
from relsent_ir.text.treebank import TreeSentence

SENTENCE = TreeSentence(
    "d", ("a", "b", "c", "d"), ("N", "N", "V", "N"), ("B-NP", "I-NP", "O", "B-NP")
)


def test_right_tags() -> None:
    """Three of four tags."""
    assert right_tags([SENTENCE], [["N", "V", "V", "N"]]) == 0.75
    assert right_tags([], []) == 0


def test_phrases() -> None:
    """A phrase goes from its B to its last I."""
    assert phrases(["B-NP", "B-NP", "I-NP", "O"]) == {(0, 1), (1, 3)}


def test_base_phrases() -> None:
    """One of two phrases has both ends right; three were found."""
    found = base_phrases([SENTENCE], [["B-NP", "B-NP", "O", "B-NP"]])
    assert found == pytest.approx((1 / 3, 1 / 2, 2 / 5))
