"""Which sentences answer, by the evidence."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from relsent_ir.answers.gold import answer_sentences, repeats, word_set


def test_words() -> None:
    """Distinct words in small letters, numbers among them."""
    assert word_set("Mice, mice; P<0.05") == {"mice", "p", "0", "05"}


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ("one two three four", "one two five six seven", True),  # 2 of 4
        ("one two three four five", "one two six seven eight", False),  # 2 of 5
        ("one", "one two three four five six", True),  # the shorter one counts
        ("", "one", False),
        ("", "", False),
    ],
)
def test_half_of_the_shorter(a: str, b: str, expected: bool) -> None:
    """Half the words of the shorter one, and an empty text shares nothing."""
    assert repeats(word_set(a), word_set(b)) is expected


@settings(derandomize=True, deadline=None)
@given(st.sets(st.integers(0, 8)), st.sets(st.integers(0, 8)))
def test_either_way_round(a: set[int], b: set[int]) -> None:
    """It does not matter which of the two is the evidence."""
    first, second = ({str(n) for n in some} for some in (a, b))
    assert repeats(first, second) == repeats(second, first)


def test_sentences() -> None:
    """Any span counts; without evidence none answers."""
    sentences = ["Weight fell in mice.", "Ears grew.", "Nothing else was seen at all."]
    found = answer_sentences(sentences, ["weight fell a little", "ears grew"])
    assert found.tolist() == [True, True, False]
    assert answer_sentences(sentences, []).tolist() == [False] * 3
    assert answer_sentences([], ["weight"]).shape == (0,)
