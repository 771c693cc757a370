"""Sentences with two entities, by their words."""

from collections.abc import Callable

import pytest

from relsent_ir.relations.candidates import Candidate
from relsent_ir.relations.structure import Structure, structures
from relsent_ir.text.parsing import default_parser


def candidate_of(text: str, first: str, second: str) -> Candidate:
    """Mark the first mention of each of two entities."""
    one, other = text.index(first), text.index(second)
    return Candidate("g", "1", text, (one, one + len(first)), (other, other + len(second)))


@pytest.fixture(scope="session")
def structure_of() -> Callable[[str, str, str], Structure]:
    """Find the structure of a sentence with two entities."""

    def find(text: str, first: str, second: str) -> Structure:
        return next(structures(default_parser(), [candidate_of(text, first, second)]))

    return find
