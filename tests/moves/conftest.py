"""Invented abstracts from which small models learn."""

import pytest

from relsent_ir.moves import Abstract

TOPICS = ("murinol", "ratinol", "catinol", "caninol", "ovinol", "bovinol")


def invented(topic: str, extra: bool) -> Abstract:
    """An abstract on an invented drug; `extra` gives it two more sentences."""
    sentences = [
        (f"Little is known about {topic} in mice.", "PURPOSE"),
        (f"We aimed to study whether {topic} is safe.", "PURPOSE"),
        (f"Forty mice were randomised to {topic} or placebo.", "METHODS"),
        ("Weight was measured for 12 weeks.", "METHODS"),
        (f"Mice on {topic} gained 4.5 g (P < 0.01).", "RESULTS"),
        ("Two of 20 mice died in each group.", "RESULTS"),
        (f"We conclude that {topic} is safe and may help mice.", "CONCLUSION"),
    ]
    if extra:
        sentences.insert(2, ("The aim was also to count costs.", "PURPOSE"))
        sentences.append(("Further trials of other drugs are needed.", "CONCLUSION"))
    texts, moves = zip(*sentences, strict=True)
    return Abstract(topic, f"Safety of {topic} in mice", texts, moves)


@pytest.fixture(scope="session")
def abstracts() -> list[Abstract]:
    """Twelve abstracts, on six drugs."""
    return [invented(topic, extra) for topic in TOPICS for extra in (False, True)]


@pytest.fixture(scope="session")
def held_out() -> Abstract:
    """An abstract on a drug that no other names."""
    return invented("porcinol", extra=True)
