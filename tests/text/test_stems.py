"""Stems of words."""

import pytest

from relsent_ir.text.stems import stem


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("reduce", "reduces", "reduced", "reducing"), "reduc"),
        (("activate", "activates", "activation", "activator", "activated"), "activ"),
        (("therapy", "therapies"), "therapi"),
        (("12",), "12"),
        (("",), ""),
    ],
)
def test_stem(words: tuple[str, ...], expected: str) -> None:
    """Forms of a word have one stem; numbers stay."""
    assert {stem(word) for word in words} == {expected}
