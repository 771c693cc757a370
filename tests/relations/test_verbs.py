"""Kinds of verbs."""

import pytest

from relsent_ir.relations.verbs import OTHER, inflect, kind_of


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
