"""Invented collections and their indexes, for the tests of feedback."""

import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from relsent_ir.records import Mesh, Record, Section
from tests.invented import index_of

SYLLABLES = [first + second for first in "bdfgklmnprstvz" for second in "aeiou"]


@pytest.fixture(scope="session")
def build(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """Index records; gives the folder."""

    def build_records(records: Sequence[Record], **settings: Any) -> Path:
        folder = tmp_path_factory.mktemp("collection")
        return index_of(folder, records, **settings)

    return build_records


@pytest.fixture(scope="session")
def records() -> list[Record]:
    """Three hundred invented records; their words are as unevenly spread as real ones."""
    chance = random.Random(7)
    words = ["".join(chance.choices(SYLLABLES, k=chance.randint(1, 4))) for _ in range(600)]
    frequencies = [1 / rank for rank in range(2, 602)]

    def sentence() -> str:
        return " ".join(chance.choices(words, frequencies, k=chance.randint(4, 12))) + "."

    return [
        Record(
            f"r{number}",
            sentence().capitalize(),
            sections=tuple(
                Section(" ".join(sentence().capitalize() for _ in range(chance.randint(1, 5))))
                for _ in range(number % 7 > 0)
            ),
            mesh=(Mesh(chance.choice(words).capitalize()),),
        )
        for number in range(300)
    ]


@pytest.fixture(scope="session")
def folder(build: Callable[..., Path], records: list[Record]) -> Path:
    """The indexes of the invented records; for reading only."""
    return build(records)


@pytest.fixture(scope="session")
def topics(records: list[Record]) -> dict[str, str]:
    """The titles of some records, as topics."""
    return {record.id: record.title for record in records[::12]}
