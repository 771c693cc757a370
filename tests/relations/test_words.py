"""Stems, names and kinds of verbs."""

import pytest

from relsent_ir.relations.stems import is_name, stem
from relsent_ir.relations.verbs import OTHER, inflect, kind_of


@pytest.mark.parametrize(
    ("word", "stemmed"),
    [
        ("activates", "activ"),
        ("Activation", "activ"),
        ("activators", "activ"),
        ("Abc1", "NAME"),
        ("STAT", "NAME"),
        ("Abc1-mediated", "medi"),
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


@pytest.mark.parametrize(
    ("verb", "kind"),
    [
        ("suppresses", "inhibit"),
        ("bound", "bind"),
        ("up-regulated", "activate"),
        ("phosphorylates", "transform"),
        ("controlled", "regulate"),
        ("localised", "locate"),
        ("plays", "involve"),
        ("is", "be"),
        ("identified", "locate"),
        ("sings", OTHER),
    ],
)
def test_kinds(verb: str, kind: str) -> None:
    """Forms of verbs, British spellings too."""
    assert kind_of(verb) == kind


def test_inflect() -> None:
    """Regular forms."""
    assert set(inflect("carry")) >= {"carry", "carries", "carried", "carrying"}
    assert set(inflect("stop")) >= {"stops", "stopped", "stopping"}
    assert set(inflect("analyze")) >= {"analyzes", "analysed", "analyzing"}
