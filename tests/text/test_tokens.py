"""Tokens of sentences."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from relsent_ir.text.tokens import tokenize


def _words(text: str) -> list[str]:
    return [text[start:end] for start, end in tokenize(text)]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Abc1 binds Xyz2.", "Abc1 binds Xyz2 ."),
        ("IL-2-induced, CD4(+) cells (10(-7) M)", "IL-2-induced , CD4(+) cells ( 10(-7) M )"),
        ("the (+)-form of [Ca2+]i", "the (+)-form of [Ca2+]i"),
        ("95% of Abc1's (or Xyz2's) sites", "95 % of Abc1 's ( or Xyz2 's ) sites"),
        ('e.g. "this", i.e. that', 'e.g. " this " , i.e. that'),
        ("by Smith et al.", "by Smith et al ."),
        ("the 5' end; why?", "the 5' end ; why ?"),
        ("Abc1--a gene--binds", "Abc1 -- a gene -- binds"),
        ("((( a ]]", "( ( ( a ] ]"),
        ("...", ". . ."),
        ("", ""),
    ],
)
def test_words(text: str, words: str) -> None:
    """Punctuation stands apart; brackets that close inside a word stay in it."""
    assert _words(text) == words.split()


@given(st.text())
@settings(derandomize=True, deadline=None)
def test_cover(text: str) -> None:
    """Tokens are in order, do not overlap and leave only white space out."""
    spans = tokenize(text)
    at = 0
    for start, end in spans:
        assert at <= start < end
        assert not text[at:start].strip()
        at = end
    assert not text[at:].strip()
