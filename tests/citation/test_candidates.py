"""Articles as topics, and reranking by pmra."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from relsent_ir.api import Collection
from relsent_ir.citation.candidates import PmraReranker, mesh_text, topic_text
from relsent_ir.citation.similar import find_similar
from relsent_ir.errors import InputError
from relsent_ir.hits import Hits
from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.records import Mesh, Record, Section

RECORD = Record(
    "1",
    title="Ants at work.",
    sections=(
        Section("We study ants.", "OBJECTIVE", "OBJECTIVE"),
        Section("Ants sleep.", "RESULTS", "RESULTS"),
    ),
    mesh=(Mesh("Ants", ("*behavior",), True),),
    chemicals=("Formic acid",),
)


def test_text():
    """Title, abstract, headings with qualifiers and chemicals; or some of them."""
    assert mesh_text(RECORD) == "Ants *behavior Formic acid"
    assert topic_text(RECORD) == (
        "Ants at work. We study ants. Ants sleep. Ants *behavior Formic acid"
    )
    assert topic_text(RECORD, ["title"]) == "Ants at work."
    assert topic_text(Record("2")) == ""


@pytest.fixture
def collection(folder: Path) -> Iterator[Indexes]:
    """The articles."""
    with Indexes(folder) as opened:
        yield opened


def test_pmra_of_all(collection: Indexes, records: list[Record]) -> None:
    """Every record gets its score; a text is weighed as the article of the same text."""
    text = topic_text(records[4])
    names = [record.id for record in records if record.id != "004"]
    run = {"004": Hits.ranked(names, [0.0] * len(names))}
    found = PmraReranker().rerank(Collection(collection), run, {"004": text})["004"]
    expected = find_similar(collection, ["004"], "pmra")["004"]
    scores = dict(zip(found.ids, found.scores, strict=True))
    assert found.ids[: len(expected)].tolist() == expected.ids.tolist()
    for name, score in zip(expected.ids, expected.scores, strict=True):
        assert scores[name] == pytest.approx(score)
    hits = Hits.ranked(["001", "004", "007"], [3, 2, 1])
    text = topic_text(records[10])
    run = {"010": hits, "text": hits, "010 too": Hits.ranked([], [])}
    found = PmraReranker().rerank(
        Collection(collection), run, {"010": text, "text": text, "010 too": "ants"}
    )
    assert found["text"].ids.tolist() == found["010"].ids.tolist()
    assert found["text"].scores == pytest.approx(found["010"].scores, rel=0.05)
    assert not len(found["010 too"])


def test_unknown_hit(collection: Indexes) -> None:
    """A hit that is not in the index is named."""
    with pytest.raises(InputError, match="no document 'x'"):
        PmraReranker().rerank(Collection(collection), {"1": Hits.ranked(["x"], [1])}, {"1": "ants"})
