"""Invented abstracts with questions from which small models learn."""

import pytest

from relsent_ir.answers.questions import Asked, Posed, Taggers, pose
from relsent_ir.moves import default_model
from relsent_ir.records import Record, Section

DRUGS = ("murinol", "ratinol", "catinol", "caninol", "ovinol", "bovinol", "equinol", "apinol")


def invented(number: int, drug: str, animals: str = "mice") -> Record:
    """A structured abstract on an invented drug; sentences 6 and 7 report two outcomes."""
    return Record(
        f"{number:03}",
        f"Safety of {drug} in {animals}",
        sections=(
            Section(f"Little is known of {drug}. We aimed to study it.", "AIM", "OBJECTIVE"),
            Section(
                f"Forty {animals} were given {drug} or placebo. Fur was measured by a nurse.",
                "METHODS",
                "METHODS",
            ),
            Section(
                f"All {animals} stayed until week nine. Body weight fell by 4.5 g with {drug} "
                "(P < 0.01). Ear length did not differ between the arms (P = 0.6).",
                "RESULTS",
                "RESULTS",
            ),
            Section(f"We conclude that {drug} may help.", "CONCLUSION", "CONCLUSIONS"),
        ),
    )


def asked(record: Record, drug: str) -> list[Asked]:
    """Two questions to an abstract, each answered by one sentence."""
    start = f"Compared with placebo, what is the effect of {drug} on"
    weight = f"Body weight fell by 4.5 g with {drug} (P < 0.01)."
    ears = "Ear length did not differ between the arms (P = 0.6)."
    return [
        Asked(f"{record.id}w", f"{start} body weight?", record, (weight,)),
        Asked(f"{record.id}e", f"{start} ear length?", record, (ears,)),
    ]


@pytest.fixture(scope="session")
def questions() -> list[Asked]:
    """Sixteen questions on eight abstracts."""
    return [q for n, drug in enumerate(DRUGS) for q in asked(invented(n, drug), drug)]


@pytest.fixture(scope="session")
def posed(questions: list[Asked]) -> list[Posed]:
    """The same, with their sentences tagged by the labels."""
    return pose(questions, Taggers(default_model()))
