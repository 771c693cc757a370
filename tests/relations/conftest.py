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


NAMES = ("Abc1", "Bcd2", "Cde3", "Def4", "Efg5", "Fgh6")


def graded() -> list[Candidate]:
    """Candidates in six groups, graded from a plain statement to a mention."""
    known = []
    for n, name in enumerate(NAMES):
        for grade, text in (
            (2, f"{name} activates Xyz9 in liver cells."),
            (2, f"{name}, a large kinase, activates Xyz9."),
            (1, f"{name} may not activate Xyz9."),
            (0, f"{name} was measured, and so was Xyz9."),
            (0, f"We saw {name} and Xyz9."),
        ):
            start = text.index("Xyz9")
            first = text.index(name)
            known.append(
                Candidate(f"g{n}", text, text, (first, first + 4), (start, start + 4), grade)
            )
    return known
