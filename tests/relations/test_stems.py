"""Words as features: stems, names and numbers."""

import pytest

from relsent_ir.relations.stems import is_name, stem


@pytest.mark.parametrize(
    ("word", "stemmed"),
    [
        ("activates", "activ"),
        ("Activation", "activ"),
        ("activators", "activ"),
        ("Abc1", "NAME"),
        ("STAT", "NAME"),
        ("Abc1-mediated", "mediat"),
        ("IL-2-induced", "induc"),
        ("alpha-", "alpha-"),
        ("NF-kappaB", "NAME"),
        ("12.5", "0"),
        ("(", "("),
        ("by", "by"),
        ("-", "-"),
    ],
)
def test_stem(word: str, stemmed: str) -> None:
    """A verb and its nouns share a stem; names are alike, numbers too."""
    assert stem(word) == stemmed


def test_is_name() -> None:
    """A digit, or capitals behind the first letter."""
    assert all(map(is_name, ["p53", "mRNA", "IL", "IkappaB"]))
    assert not any(map(is_name, ["Mice", "5", "cells", "A"]))
