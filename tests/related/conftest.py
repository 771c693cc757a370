"""Invented sentences, records and indexes for related sentences."""

import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.lucene.read.index import Index
from relsent_ir.records import Record, Section
from relsent_ir.related.huber_plus import HuberPlusModel
from relsent_ir.related.matching.matcher import Matcher
from relsent_ir.related.training.train import train
from tests.invented import index_of

STOPWORDS = ("and", "in", "of", "the", "was", "were", "with")
TOPICS = (
    ["malaria", "parasite", "mosquito", "larvae", "chloroquine", "fever", "quinine", "net"],
    ["glucose", "insulin", "pancreas", "diabetic", "islet", "metformin", "obesity", "sugar"],
    ["fracture", "femur", "osteoporosis", "calcium", "cast", "orthopaedic", "bone", "marrow"],
    ["retina", "glaucoma", "cornea", "cataract", "lens", "ocular", "vision", "optic"],
)
COMMON = [
    "patients",
    "study",
    "results",
    "treatment",
    "group",
    "showed",
    "higher",
    "levels",
    "was",
    "of",
    "the",
    "in",
    "with",
]


def invent(count: int, seed: int = 0, prefix: str = "r") -> list[Record]:
    """Make up records, each about one of four topics, with a title and two sections."""
    chance = random.Random(seed)

    def sentence(topic: Sequence[str]) -> str:
        words = chance.choices(topic, k=3) + chance.choices(COMMON, k=5)
        chance.shuffle(words)
        return " ".join(words).capitalize() + "."

    records = []
    for number in range(count):
        topic = chance.choice(TOPICS)
        sections = tuple(
            Section(" ".join(sentence(topic) for _ in range(chance.randint(1, 4))))
            for _ in range(2)
        )
        records.append(Record(f"{prefix}{number}", sentence(topic), sections=sections))
    return records


@pytest.fixture(scope="session")
def build(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Sequence[Record]], Path]:
    """Index records; gives the folder."""

    def build_records(records: Sequence[Record]) -> Path:
        folder = tmp_path_factory.mktemp("collection")
        return index_of(folder, records)

    return build_records


@pytest.fixture(scope="session")
def collection(build: Callable[[Sequence[Record]], Path]) -> Path:
    """The indexes of 60 invented records; for reading only."""
    return build(invent(60))


@pytest.fixture
def index(collection: Path) -> Index:
    """The abstracts of `collection`."""
    return Index(collection)


@pytest.fixture(scope="session")
def trained(collection: Path) -> HuberPlusModel:
    """A model of Huber+, trained on `collection`."""
    with Index(collection) as opened:
        model = train(opened, "huber-plus", content_share=1.0, stopwords=STOPWORDS)
    assert isinstance(model, HuberPlusModel)
    return model


@contextmanager
def matching(folder: Path, name: str) -> Iterator[Matcher]:
    """Open a collection, and match it by a model."""
    with Indexes(folder) as collection:
        yield Matcher(collection, name)
