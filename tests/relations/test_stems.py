"""Words as features."""

import pytest

from relsent_ir.relations.stems import NAME, NUMBER, stem


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("Activation", "activ"),
        ("12.5", NUMBER),
        ("(", "("),
        ("NF-kappaB", NAME),
        ("p53", NAME),
        ("IL-2-induced", "induc"),
        ("alpha-", "alpha-"),
    ],
)
def test_stem(word: str, expected: str) -> None:
    """Names are alike, and numbers; a compound counts by its last part, other signs stay."""
    assert stem(word) == expected
