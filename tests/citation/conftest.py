"""A small invented collection with references, indexed once."""

from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from relsent_ir.lucene.documents import MoveTagger
from relsent_ir.lucene.write.indexing import build_index
from relsent_ir.moves import default_model, tag_record
from relsent_ir.records import Mesh, Record, Section, Sentence
from tests.invented import index_of

SUBJECTS = {
    "ants": ("ants", "nests", "queens", "workers", "formic"),
    "bees": ("bees", "hives", "honey", "drones", "pollen"),
    "moths": ("moths", "lamps", "wings", "silk", "larvae"),
}


def _record(number: int, subject: str) -> Record:
    a, b, c, d, e = SUBJECTS[subject][number % 5 :] + SUBJECTS[subject][: number % 5]
    return Record(
        f"{number:03d}",
        title=f"The {a} of {b} in summer {number}.",
        sections=(
            Section(f"Little is known of {a} and {b}. We aimed to study {c}.", "BACKGROUND"),
            Section(f"We counted {d} for {number} days.", "METHODS"),
            Section(f"There were more {d} than {e}; p was small.", "RESULTS"),
            Section(f"The {a} depend on {e}.", "CONCLUSIONS"),
        ),
        mesh=(Mesh(subject.capitalize(), (), True),),
        references=tuple(f"{subject}-{i}" for i in range(number % 4 + 2)),
    )


@pytest.fixture(scope="session")
def records() -> list[Record]:
    """Thirty structured abstracts on three subjects; those on one share references."""
    return [_record(number, [*SUBJECTS][number % 3]) for number in range(30)]


@pytest.fixture(scope="session")
def folder(records: list[Record], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Their indexes."""
    place = tmp_path_factory.mktemp("citation")
    return index_of(place, records)


def _contrary(record: Record) -> list[Sentence]:
    """Take all sentences for METHODS, whatever they are."""
    return [replace(s, move="METHODS", score=0.75) for s in record.sentences() if s.n]


@pytest.fixture(scope="session")
def tagged_folders(
    records: list[Record], tmp_path_factory: pytest.TempPathFactory
) -> dict[str, Path]:
    """Indexes of the records without labels: no moves, the packaged model's, others."""
    place = tmp_path_factory.mktemp("tagged")
    plain = [
        replace(record, sections=tuple(Section(s.text) for s in record.sections))
        for record in records
    ]
    source = place / "records.jsonl"
    source.write_text("".join(record.to_json() + "\n" for record in plain))
    taggers = {
        "none": None,
        "packaged": MoveTagger("packaged", partial(tag_record, default_model())),
        "other": MoveTagger("other", _contrary),
    }
    for name, tagger in taggers.items():
        build_index([(source, "jsonl")], place / name, tagger=tagger)
    return {name: place / name for name in taggers}
