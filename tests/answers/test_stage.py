"""The first stage of answers."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from relsent_ir.answers.abstracts import query_words
from relsent_ir.answers.language import parse
from relsent_ir.answers.model import default_model
from relsent_ir.answers.stage import first_stage as find
from relsent_ir.answers.stage import frequencies, join, lay_query, reorder
from relsent_ir.hits import Hits
from relsent_ir.lucene.analyzers import Analysis
from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.lucene.read.filters import Filters
from relsent_ir.methods import Answers
from relsent_ir.records import Record, Section
from relsent_ir.typing import NDArray
from tests.invented import index_of

TEXTS = (
    "Murinol protected the renal tubules of rats.",
    "Murinol was given to rats. Kidneys were weighed.",
    "Catinol was given to cats.",
)
RECORDS = [Record(str(n), sections=(Section(text),)) for n, text in enumerate(TEXTS)]


def _found(
    folder: Path, question: str, filters: Filters | None = None, *, first_stage: str = "lay"
) -> list[str]:
    with Indexes(folder / "index") as opened:
        words, method = default_model().vectors, Answers(first_stage=first_stage)
        ((_, hits, _),) = find(opened, {"": question}, words, method, filters=filters)
    return [str(name) for name in hits.ids]


def test_laymens_words_find_clinicians(tmp_path: Path) -> None:
    """Renal abstracts are found for kidneys; BM25 alone has only the word itself."""
    index_of(tmp_path, RECORDS)
    question = "Who weighs a kidney?"
    assert _found(tmp_path, question, first_stage="bm25") == ["1"]
    assert _found(tmp_path, question) == ["1", "0"]


class Nearest:
    """Vectors by which the third record is the nearest to any question."""

    def encode(self, _text: str) -> NDArray[np.float64]:
        """Return some vector."""
        return np.ones(2)

    def nearest(self, _vectors: object, _k: int, passing: NDArray[np.bool_] | None) -> list[Hits]:
        """Return the third record if it passes."""
        return [Hits.ranked(["2"] if passing is None or passing[2] else [], [0.9])]

    def cosines(self, _vector: object, ids: list[str]) -> NDArray[np.float64]:
        """Return NaN for the second record, which has no vector."""
        return np.array([{"0": 0.1, "1": np.nan, "2": 0.9}[name] for name in ids])


def test_vectors_beside_the_index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What only an encoder finds is added, unless a filter drops it; BM25 alone has none of it."""
    index_of(tmp_path, [replace(record, year=str(1990 + n)) for n, record in enumerate(RECORDS)])
    monkeypatch.setattr("relsent_ir.answers.stage._vectors", lambda _: Nearest())
    question = "Who weighs a kidney?"
    assert sorted(_found(tmp_path, question)) == ["0", "1", "2"]
    assert sorted(_found(tmp_path, question, Filters(years=(1990, 1991)))) == ["0", "1"]
    assert _found(tmp_path, question, first_stage="bm25") == ["1"]


def test_terms_of_other_words() -> None:
    """The terms of another name share half a word's weight; the question's own keep theirs."""
    query = lay_query("heart attack drug", "a heart attack drug", Analysis("porter", ()))
    assert query == {
        **dict.fromkeys(("heart", "attack", "drug"), 1.0),
        **dict.fromkeys(("myocardi", "infarct"), 0.25),
    }


def test_a_sentence_with_all_words_comes_first() -> None:
    """The score, and the share of the question's words, alone and with the title, as weighted."""
    words = default_model().vectors
    query = query_words(parse("murinol renal"), words, {"murinol": 1.0, "renal": 1.0})
    hits = Hits.ranked(["1", "0", "2"], [9.0, 9.0, 4.5])
    records = [RECORDS[int(name)] for name in hits.ids]
    found = reorder(query, words, records, hits)
    assert found.ids.tolist() == ["0", "1", "2"]
    assert found.scores.tolist() == pytest.approx([9.0, 9 * 13 / 18, 9 * 4 / 18])
    found = reorder(query, words, records, hits, np.array([0.8, 0.2, 0.2]))
    assert found.scores.tolist() == pytest.approx([9.0, 9 * 13 / 22.5, 9 * 4 / 22.5])
    assert len(reorder(query, words, [], Hits.ranked([], []))) == 0


def test_first_few_stay() -> None:
    """Hits of a second search come after three of the first, in equal steps."""
    first = Hits.ranked(["a", "b", "c", "d", "e"], [9, 8, 7, 6, 5])
    found = join(first, Hits.ranked(["x", "b", "y"], [12, 11, 10]), 6)
    assert found.ids.tolist() == ["a", "b", "c", "x", "y", "d"]
    assert found.scores.tolist() == pytest.approx([12 * (1 - n / 12) for n in range(6)])


def test_frequencies(tmp_path: Path) -> None:
    """ln((N + 1) / (n + 1)) of three records: one drug is in two, another word in none."""
    index_of(tmp_path, RECORDS)
    with Indexes(tmp_path / "index") as opened:
        found = frequencies(opened, parse("murinol unseen of"), ())
    assert found["murinol"] == pytest.approx(np.log(4 / 3))
    assert found["unseen"] == pytest.approx(np.log(4))
