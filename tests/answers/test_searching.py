"""Questions put to an index."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from math import exp
from pathlib import Path

import pytest

from relsent_ir.answers import Answer, default_model
from relsent_ir.answers.searching import RELEVANCE, Found, lacking, merge, search
from relsent_ir.lucene.collection import Collection
from relsent_ir.lucene.documents import Tagger
from relsent_ir.lucene.indexing import build_index
from relsent_ir.moves import default_model as moves_model
from relsent_ir.moves import tag_record
from relsent_ir.records import Record, Sentence
from tests.answers.conftest import DRUGS, invented


@pytest.fixture(scope="module")
def collection(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Collection]:
    """The invented abstracts, and a record without one."""
    folder = tmp_path_factory.mktemp("answers")
    records = [invented(n, drug) for n, drug in enumerate(DRUGS)]
    records.append(Record("999", "Murinol, a letter"))
    lines = "".join(record.to_json() + "\n" for record in records)
    (folder / "in.jsonl").write_text(lines, encoding="utf-8")
    build_index([(folder / "in.jsonl", "jsonl")], folder / "index")
    with Collection(Path(folder / "index")) as opened:
        yield opened


def test_search(collection: Collection) -> None:
    """BM25's abstracts, each with its sentences; a record without an abstract has none."""
    steps: list[int] = []
    topics = {"a": "What is the effect of murinol on body weight?", "b": "of the"}
    found = search(
        collection, topics, default_model(), depth=3, progress=lambda done, _: steps.append(done)
    )
    first, *others = found["a"]
    assert {one.record.id for one in found["a"]} >= {"000", "999"}
    assert [one.score for one in found["a"]] == sorted(
        (one.score for one in found["a"]), reverse=True
    )
    by_id = {one.record.id: one for one in (first, *others)}
    assert by_id["000"].answers[0].id == "000.6"
    assert by_id["999"].answers == []
    assert found["b"] == []
    assert steps == [1, 2]


def test_moves_that_the_index_stores(tmp_path: Path) -> None:
    """They are those of the answers; without labels, or with a model, it tags anew."""
    records = [invented(n, drug) for n, drug in enumerate(DRUGS)]
    (tmp_path / "in.jsonl").write_text("".join(record.to_json() + "\n" for record in records))
    packaged = partial(tag_record, moves_model())

    def contrary(record: Record) -> list[Sentence]:
        return [replace(s, move="PURPOSE", score=0.9) for s in packaged(record)]

    topics = {"a": "What is the effect of murinol on body weight?"}
    found: dict[str, list[list[Found]]] = {}
    taggers = {"none": None, "packaged": Tagger("p", packaged), "other": Tagger("o", contrary)}
    for name, tagger in taggers.items():
        build_index([(tmp_path / "in.jsonl", "jsonl")], tmp_path / name, tagger=tagger)
        with Collection(tmp_path / name) as collection:
            found[name] = [
                search(collection, topics, default_model(), moves, labels=labels)["a"]
                for moves, labels in ((None, True), (None, False), (moves_model(), True))
            ]
    assert found["packaged"] == found["none"]
    assert found["other"][1:] == found["none"][1:]
    answers = [answer for one in found["other"][0] for answer in one.answers]
    assert {answer.move for answer in answers} == {"PURPOSE"}
    scores = [
        {a.id: a.score for one in found[name][0] for a in one.answers} for name in ("none", "other")
    ]
    assert scores[0].keys() == scores[1].keys()
    assert scores[0] != scores[1]


def test_what_an_abstract_lacks() -> None:
    """Words of the question in no form; function words and verbs of asking do not count."""
    record = invented(1, "murinol")
    assert lacking("Does murinol reduce body weights of mice?", record, ("of",)) == []
    assert lacking("Does ratinol reduce Weight or falls, or falls?", record, {"or"}) == [
        "ratinol",
        "falls",
    ]
    assert lacking("", record, ()) == []


def _found(name: str, score: float, *values: float) -> Found:
    answers = [Answer(f"{name}.{n}", "RESULTS", v, v, True, "") for n, v in enumerate(values, 1)]
    return Found(Record(name), score, answers, [])


def test_merge_by_hand() -> None:
    """A sentence's score is its own, less by how far its abstract is behind the best."""
    hits = merge([_found("1", 9.0, 0.5, 0.1), _found("2", 7.0, 0.8)])
    expected = {"1.1": 0.5, "2.1": 0.8 * exp(-2 * RELEVANCE), "1.2": 0.1}
    assert hits.scores.tolist() == pytest.approx(sorted(expected.values(), reverse=True))
    assert hits.ids.tolist() == sorted(expected, key=lambda name: -expected[name])
    assert len(merge([])) == 0
