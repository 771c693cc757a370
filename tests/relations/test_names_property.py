"""Names that match themselves: 300 noun phrases with any marks, each given as it stands."""

import random
from collections.abc import Iterator

import pytest

from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.lucene.write.indexing import build_index
from relsent_ir.records import Record, Section
from relsent_ir.relations.pairs import Finder
from relsent_ir.text.names import is_common

WORDS = (
    *(
        "Zorbase",
        "quinex",
        "T",
        "K",
        "Na",
        "B12",
        "p53",
        "α",
        "β2",
        "3",
        "25",
        "0.5",
        "Müller",
        "Q",
    ),
    *("cells", "channel", "acid", "disease", "levels", "Xy-9", "NF-κB", "U.S.", "vitamin", "mRNA"),
)
JOINTS = (
    *(" ", " ", " ", "-", "–", "/", ", ", ",", "+ ", "(+) ", "'s ", "’ ", " (", ") ", ": ", "."),
    *("=", " ± ", "% ", "; ", " & ", " of ", " the ", "*", "™ "[1:], "_", "[", "] "),
)


def phrases(number: int) -> list[str]:
    """Return noun phrases of invented words, joined by any marks."""
    draw = random.Random(38)
    made: dict[str, None] = {}
    while len(made) < number:
        phrase = draw.choice(WORDS)
        for _ in range(draw.randint(0, 4)):
            phrase += draw.choice(JOINTS) + draw.choice(WORDS)
        if not is_common(phrase):
            made[phrase] = None
    return list(made)


PHRASES = phrases(300)


@pytest.fixture(scope="module")
def finder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Finder]:
    """Over one record for each phrase, in a sentence."""
    folder = tmp_path_factory.mktemp("phrases")
    records = [
        Record(f"r{n}", f"We studied {phrase} in rats", sections=(Section("Nothing."),))
        for n, phrase in enumerate(PHRASES)
    ]
    source = folder / "in.jsonl"
    source.write_text("".join(r.to_json() + "\n" for r in records), encoding="utf-8")
    build_index([(source, "jsonl")], folder / "index")
    with Indexes(folder / "index") as collection:
        yield Finder(collection, literal=True)


def test_every_phrase_finds_its_sentence(finder: Finder) -> None:
    """Each is found in its own sentence, and there as it stands."""
    lost = []
    for n, phrase in enumerate(PHRASES):
        found = finder.mentions(phrase)
        if f"r{n}.0" not in found:
            lost.append(phrase)
    assert lost == []
