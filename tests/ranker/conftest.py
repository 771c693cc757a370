"""An invented collection whose records have everything that features are made of."""

import random
from pathlib import Path

import pytest

from relsent_ir.lucene.documents import MoveTagger
from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.lucene.write.indexing import build_index
from relsent_ir.moves import MOVES
from relsent_ir.records import Mesh, Record, Section, Sentence

SUBJECTS = (
    "ant nest queen larva brood soil trail worker",
    "bee hive honey wax pollen dance nectar drone",
    "wasp sting venom comb paper gall fig spider",
)


def invent(number: int, *, bare: bool = False) -> Record:
    """A record on one of three subjects; those on one subject share references and headings."""
    chance = random.Random(number)
    subject = SUBJECTS[number % 3].split()
    sentences = [
        f"The {' '.join(chance.sample(subject, 3))} of station {chance.randrange(9)} was seen."
        for _ in range(3 + number % 4)
    ]
    if bare:
        return Record(str(number), sections=(Section(" ".join(sentences)),))
    return Record(
        str(number),
        f"On the {' '.join(chance.sample(subject, 3))} of region {number % 5}.",
        sections=(Section(" ".join(sentences)),),
        mesh=tuple(Mesh(word.title()) for word in chance.sample(subject, 3)),
        references=(
            *(f"work {number % 3} {i}" for i in chance.sample(range(9), 6)),
            *([str(number + 3)] if number % 2 else []),
        ),
        year=str(1990 + number % 7),
        publication_types=("Review",) if number % 11 == 0 else (),
    )


def tag(record: Record) -> list[Sentence]:
    """Deal the moves out in turn."""
    return [
        Sentence(s.record, s.n, s.text, MOVES[s.n % len(MOVES)], 0.5)
        for s in record.sentences()
        if s.n
    ]


def build(folder: Path, records: list[Record], *, tagged: bool = True) -> Path:
    """Index records, with moves if so wished."""
    lines = "".join(record.to_json() + "\n" for record in records)
    source = folder.with_suffix(".jsonl")
    source.write_text(lines)
    build_index([(source, "jsonl")], folder, tagger=MoveTagger("in turn", tag) if tagged else None)
    return folder


@pytest.fixture(scope="session")
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The index of sixty records."""
    return build(tmp_path_factory.mktemp("ranker") / "ix", [invent(n) for n in range(60)])


@pytest.fixture(scope="session")
def bare_index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same records without titles, MeSH, references and moves."""
    records = [invent(n, bare=True) for n in range(60)]
    return build(tmp_path_factory.mktemp("ranker") / "bare", records, tagged=False)


@pytest.fixture(scope="session")
def collection(index: Path) -> Indexes:
    """The collection of sixty records."""
    return Indexes(index)


@pytest.fixture(scope="session")
def topics() -> dict[str, str]:
    """Two words of a subject each; t0, t3, … are on ants."""
    chosen = {}
    for number in range(12):
        words = random.Random(100 + number).sample(SUBJECTS[number % 3].split(), 2)
        chosen[f"t{number}"] = " ".join(words)
    return chosen


@pytest.fixture(scope="session")
def qrels() -> dict[str, dict[str, int]]:
    """Relevant are the records on the subject with an even number, the others are judged too."""
    return {
        f"t{t}": {str(n): int(n % 2 == 0) for n in range(60) if n % 3 == t % 3} for t in range(12)
    }
