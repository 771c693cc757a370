"""Reranking records and sentences by answers."""

from collections.abc import Iterator

import numpy as np
import pytest

from relsent_ir.answers import default_model, find_answers
from relsent_ir.answers.searching import AnswerReranker
from relsent_ir.hits import Hits
from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.lucene.write.indexing import build_index
from relsent_ir.rank import Explains
from relsent_ir.records import Record
from tests.answers.conftest import invented

QUESTION = "What is the effect of murinol on body weight?"
RECORDS = [invented(1, "murinol"), invented(2, "catinol", "cats"), Record("003", "Murinol in mice")]


@pytest.fixture(scope="module")
def collection(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Indexes]:
    """Two trials, and a record without an abstract."""
    folder = tmp_path_factory.mktemp("answers")
    source = folder / "records.jsonl"
    source.write_text("".join(record.to_json() + "\n" for record in RECORDS), encoding="utf-8")
    build_index([(source, "jsonl")], folder / "index")
    with Indexes(folder / "index") as opened:
        yield opened


def test_records(collection: Indexes) -> None:
    """By their best sentence's probability; what has no abstract comes last, and is not lost."""
    run = {"1": Hits.ranked([r.id for r in RECORDS], [1, 2, 3]), "2": Hits.ranked([], [])}
    found = AnswerReranker().rerank(collection, run, {"1": QUESTION, "2": "mice"})
    best = {
        r.id: max(a.probability for a in find_answers(default_model(), QUESTION, r))
        for r in RECORDS[:2]
    }
    assert found["1"].ids.tolist() == [*sorted(best, key=lambda n: -best[n]), "003"]
    assert found["1"].scores[:2] == pytest.approx(sorted(best.values(), reverse=True))
    assert len(found["2"]) == 0


def test_sentences(collection: Indexes) -> None:
    """Each by its own, judged among all of its abstract; titles come last, in their order."""
    answers = find_answers(default_model(), QUESTION, RECORDS[0])
    record = RECORDS[0].id
    names = [f"{record}.0", *(answer.id for answer in answers)]
    run = {"1": Hits.ranked(names, np.arange(len(names))[::-1])}
    found = AnswerReranker("answers").rerank(collection, run, {"1": QUESTION})["1"]
    expected = Hits.ranked([a.id for a in answers], [a.probability for a in answers])
    assert found.ids.tolist() == [*expected.ids, f"{record}.0"]


def test_evidence(collection: Indexes) -> None:
    """The best sentence, the question's words in it, its move; nothing of what has no abstract."""
    reranker = AnswerReranker(default_model())
    assert isinstance(reranker, Explains)
    found, none = reranker.evidence(
        collection, QUESTION, Hits.ranked([RECORDS[0].id, "003"], [2, 1])
    )
    best = max(find_answers(default_model(), QUESTION, RECORDS[0]), key=lambda a: a.probability)
    assert (found.sentence, found.text) == (best.id, best.text)
    assert found.values is not None
    assert found.values["move"] == best.move
    assert found.values["probability"] == pytest.approx(best.probability)
    assert found.values["missing words"] == []
    marked = {found.text[span.start : span.end].lower() for span in found.spans}
    assert marked
    assert marked <= {"murinol", "body", "weight"}
    assert none.sentence == none.text == ""
