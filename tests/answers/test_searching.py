"""Questions put to an index."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from relsent_ir.answers import Answer, default_model
from relsent_ir.answers.directions import Direction
from relsent_ir.answers.searching import Found, answered, lacking, merge, pooled, search, weigh
from relsent_ir.errors import InputError
from relsent_ir.executor import SERIAL
from relsent_ir.lucene.documents import Tagger
from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.lucene.write.indexing import build_index
from relsent_ir.moves import default_model as moves_model
from relsent_ir.moves import tag_record
from relsent_ir.records import Record, Sentence
from tests.answers.conftest import DRUGS, invented


@pytest.fixture(scope="module")
def collection(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Indexes]:
    """The invented abstracts, and a record without one."""
    folder = tmp_path_factory.mktemp("answers")
    records = [invented(n, drug) for n, drug in enumerate(DRUGS)]
    records.append(Record("999", "Murinol, a letter"))
    lines = "".join(record.to_json() + "\n" for record in records)
    (folder / "in.jsonl").write_text(lines, encoding="utf-8")
    build_index([(folder / "in.jsonl", "jsonl")], folder / "index")
    with Indexes(Path(folder / "index")) as opened:
        yield opened


def test_search(collection: Indexes) -> None:
    """BM25's abstracts, each with its sentences; a record without an abstract has none."""
    steps: list[int] = []
    topics = {"a": "What is the effect of murinol on body weight?", "b": "of the"}
    found = search(
        collection, topics, default_model(), depth=3, progress=lambda done, _: steps.append(done)
    )
    first, *others = found["a"]
    assert {one.record.id for one in found["a"]} >= {"000", "999"}
    products = [
        one.probability * max((a.probability for a in one.answers), default=0.0)
        for one in found["a"]
    ]
    assert products == sorted(products, reverse=True)
    by_id = {one.record.id: one for one in (first, *others)}
    finding = by_id["000"].of("finding")
    assert finding is not None
    assert finding.id == "000.6"
    assert by_id["999"].of("finding") is None
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
        with Indexes(tmp_path / name) as collection:
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


def _found(name: str, probability: float, *values: float) -> Found:
    answers = [
        Answer(f"{name}.{n}", "RESULTS", v, v, n == 1, "", "finding" if n == 1 else "")
        for n, v in enumerate(values, 1)
    ]
    return Found(Record(name), 1.0, answers, [], probability)


def test_merge_by_hand() -> None:
    """A sentence's score is its probability times that of its abstract."""
    hits = merge([_found("1", 0.9, 0.5, 0.1), _found("2", 0.2, 0.8)])
    assert hits.ids.tolist() == ["1.1", "2.1", "1.2"]
    assert hits.scores.tolist() == pytest.approx([0.45, 0.16, 0.09])
    assert len(merge([])) == 0


def test_ties_of_a_merge() -> None:
    """By the record's id, then by the place in the abstract: .2 before .10."""
    hits = merge([_found("2", 0.5, 0.5), _found("1", 0.5, *[0.5] * 11)])
    assert hits.ids.tolist() == [*(f"1.{n}" for n in range(1, 12)), "2.1"]


def test_no_star_without_the_intervention() -> None:
    """The same abstract, asked about a drug that it does not have, has no answer."""
    records = [invented(n, drug) for n, drug in enumerate(DRUGS[:2])]
    model = default_model()
    tagged = [tag_record(moves_model(), record) for record in records]
    start = "Compared with placebo, what is the effect of"
    asked = {name: f"{start} {name} on body weight?" for name in ("murinol", "xylopril")}
    found = {name: weigh(model, text, records, [9.0, 4.0], tagged) for name, text in asked.items()}
    assert found["murinol"][0].record.id == "000"
    assert found["murinol"][0].answers[0].is_answer
    assert not any(a.is_answer for one in found["xylopril"] for a in one.answers)
    assert [a.is_answer for a in found["murinol"][0].answers[1:]] == [False] * 7


def test_pooled() -> None:
    """By direction, the most frequent first, what is not sure last; what does not answer is out."""
    told = [("1", "decreased", True), ("2", "increased", True), ("3", "increased", True)]
    told += [("4", "decreased", False), ("5", "decreased", False)]
    found = []
    for name, label, sure in told:
        one = _found(name, 1.0, 0.9)
        answer = replace(one.answers[0], direction=Direction(label, 0.8, sure))
        found.append(replace(one, answers=[answer]))
    other = _found("6", 1.0, 0.9)
    silent = replace(other, answers=[replace(other.answers[0], is_answer=False)])
    by_label = pooled([*found, silent, _found("7", 1.0)], "finding")
    assert {label: [a.id for a in of] for label, of in by_label.items()} == {
        "increased": ["2.1", "3.1"],
        "decreased": ["1.1"],
        "": ["4.1", "5.1"],
    }
    assert list(by_label) == ["increased", "decreased", ""]
    assert pooled(found, "conclusion") == {}


def test_batches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Batches of questions give what all give together, in their order; so does a model's path."""
    lines = "".join(invented(n, drug).to_json() + "\n" for n, drug in enumerate(DRUGS))
    (tmp_path / "r.jsonl").write_text(lines, encoding="utf-8")
    build_index([(tmp_path / "r.jsonl", "jsonl")], tmp_path / "index")
    monkeypatch.setattr("relsent_ir.answers.searching.TOGETHER", 3)
    topics = {drug: f"Does {drug} reduce body weight?" for drug in DRUGS}
    with Indexes(tmp_path / "index") as collection:
        wanted = search(collection, topics, default_model(), depth=4)
    told: list[tuple[int, int]] = []
    found = answered(tmp_path / "index", None, topics, SERIAL, lambda *n: told.append(n), depth=4)
    assert list(found) == list(topics)
    assert found == wanted
    assert told[-1] == (len(DRUGS), len(DRUGS))
    with pytest.raises(InputError):
        answered(tmp_path / "index", tmp_path / "none", topics, SERIAL)
