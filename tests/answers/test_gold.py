"""Which sentences answer, by the evidence."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from relsent_ir.answers.questions import answer_sentences, letters, similar_sentences

SENTENCES = ("Weight fell in mice.", "Ears grew.", "Nothing else was seen at all.")


def test_letters() -> None:
    """Letters and digits in small letters; spaces of any kind and signs are left out."""
    assert letters("Mice,\u00a0mice; P\u2009<\u20090.05_b") == "micemicep005b"


@pytest.mark.parametrize(
    ("span", "expected"),
    [
        ("weight\u00a0fell in mice", [True, False, False]),  # a no-break space
        ("Weight fe", [True, False, False]),  # all 8 letters of the shorter, the span
        ("fell in mice. Ears grew.", [True, True, False]),  # 10 of 16, and all of 8
        ("mice. Ears gr", [False, True, False]),  # 4 of 10, and 6 of 8
        ("ce. Ears", [False, True, False]),  # 2 of 6, and 4 of 6
        ("mice. Ears", [True, True, False]),  # 4 and 4 of 8, half the shorter each
        ("weight fell a little", [False] * 3),  # is not there
        (" ; ", [False] * 3),
    ],
)
def test_half_of_the_shorter(span: str, expected: list[bool]) -> None:
    """Half the characters of the shorter one, where the span stands."""
    assert answer_sentences(SENTENCES, [span]).tolist() == expected


def test_all_spans_and_places() -> None:
    """Any span counts, wherever it stands; without evidence none answers."""
    found = answer_sentences([*SENTENCES, "Ears grew."], ["EARS GREW", "weight fell"])
    assert found.tolist() == [True, True, False, True]
    assert answer_sentences(SENTENCES, []).tolist() == [False] * 3
    assert answer_sentences(["", "Ears grew."], ["Ears grew."]).tolist() == [False, True]
    assert answer_sentences([], ["weight"]).shape == (0,)


@settings(derandomize=True, deadline=None)
@given(st.lists(st.text("ab. ", max_size=6), max_size=5), st.integers(0, 4))
def test_a_whole_sentence_answers(sentences: list[str], n: int) -> None:
    """Evidence that is a sentence makes that one an answer, if it has a letter."""
    span = sentences[n % len(sentences)] if sentences else "a"
    found = answer_sentences(sentences, [span])
    assert len(found) == len(sentences)
    if sentences and letters(span):
        assert found[n % len(sentences)]


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ("one two three four", "one two five six seven", True),  # 2 of 4
        ("one two three four five", "one two six seven eight", False),  # 2 of 5
        ("one", "one two three four five six", True),  # the shorter one counts
        ("Mice, mice; P<0.05", "mice P", True),
        ("", "one", False),
        ("", "", False),
    ],
)
def test_half_of_the_words(a: str, b: str, expected: bool) -> None:
    """The definition of before: half the distinct words of the shorter one, either way round."""
    assert similar_sentences([a], [b]).tolist() == [expected]
    assert similar_sentences([b], [a]).tolist() == [expected]
    assert similar_sentences([a], []).tolist() == [False]
