"""Questions put to an abstract and to an index, and reranking."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from relsent_ir.answers import Answer, find_answers
from relsent_ir.answers.abstracts import query_words
from relsent_ir.answers.classifiers import SLOTS, Verdict
from relsent_ir.answers.language import parse
from relsent_ir.answers.model import AnswerModel, default_model
from relsent_ir.answers.pooling import pool
from relsent_ir.answers.searching import (
    AbstractAnswers,
    AnswerReranker,
    answer_topics,
    merge,
    of_records,
    search,
    weigh,
)
from relsent_ir.api import Collection
from relsent_ir.errors import InputError, MismatchError
from relsent_ir.executor import SERIAL
from relsent_ir.hits import Hits
from relsent_ir.lucene.documents import MoveTagger
from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.lucene.write.indexing import build_index
from relsent_ir.methods import Answers
from relsent_ir.moves import default_model as moves_model
from relsent_ir.moves import tag_record
from relsent_ir.rank import Explains
from relsent_ir.records import Record, Section, Sentence
from tests.answers.conftest import DRUGS, invented
from tests.invented import index_of

QUESTION = "Compared with placebo, what is the effect of murinol on body weight?"


def test_the_best_first() -> None:
    """All sentences by score, by labels or the CRF's moves; without an abstract there are none."""
    found = find_answers(default_model(), QUESTION, invented(1, "murinol"))
    assert found[0].id == "001.6"
    assert found[0].is_answer
    assert found[0].move == "RESULTS"
    assert found[0].text.startswith("Body weight fell")
    assert sorted(answer.id for answer in found) == [f"001.{n}" for n in range(1, 9)]
    assert [a.score for a in found] == sorted((a.score for a in found), reverse=True)
    found = find_answers(default_model(), QUESTION, invented(1, "murinol"), labels=False)
    assert found[0].id == "001.6"
    assert find_answers(default_model(), QUESTION, Record("1", "Murinol")) == []


@pytest.mark.parametrize("question", ["", "What is the effect of the", "?", "zzz"])
def test_questions_that_match_nothing(question: str) -> None:
    """What sentences say decides: a result comes before an aim."""
    found = find_answers(default_model(), question, invented(1, "murinol"))
    assert len(found) == 8
    assert found[0].move in ("RESULTS", "CONCLUSION")


def test_without_a_title_or_a_claim_zone() -> None:
    """Aims and methods alone are ranked as well."""
    methods = Record("1", sections=(Section("Mice were weighed. They ran far.", "METHODS"),))
    assert len(find_answers(default_model(), QUESTION, methods)) == 2


def test_orders() -> None:
    """The second sentence before the tenth; probability times its abstract's."""
    scores = np.zeros(11)
    scores[4] = 1.0
    judged = Verdict(scores, scores, scores > 0.5)
    assert judged.order().tolist() == [4, 0, 1, 2, 3, *range(5, 11)]
    hits = merge([_found("1", 0.9, 0.5, 0.1), _found("2", 0.2, 0.8)])
    assert hits.ids.tolist() == ["1.1", "2.1", "1.2"]
    assert hits.scores.tolist() == pytest.approx([0.45, 0.16, 0.09])
    assert len(merge([])) == 0
    hits = merge([_found("2", 0.5, 0.5), _found("1", 0.5, *[0.5] * 11)])
    assert hits.ids.tolist() == [*(f"1.{n}" for n in range(1, 12)), "2.1"]


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
    chances = [one.probability for one in found["a"]]
    assert chances == sorted(chances, reverse=True)
    by_id = {one.record.id: one for one in (first, *others)}
    finding = by_id["000"].of("finding")
    assert finding is not None
    assert finding.id == "000.6"
    assert by_id["999"].of("finding") is None
    assert by_id["999"].answers == []
    assert found["b"] == []
    assert steps == [1, 2]


def test_moves_that_the_index_stores(tmp_path: Path) -> None:
    """They are those of the answers; without labels it tags anew."""
    records = [invented(n, drug) for n, drug in enumerate(DRUGS)]
    (tmp_path / "in.jsonl").write_text("".join(record.to_json() + "\n" for record in records))
    packaged = partial(tag_record, moves_model())

    def contrary(record: Record) -> list[Sentence]:
        return [replace(s, move="PURPOSE", score=0.9) for s in packaged(record)]

    topics = {"a": "What is the effect of murinol on body weight?"}
    found: dict[str, list[list[AbstractAnswers]]] = {}
    taggers = {
        "none": None,
        "packaged": MoveTagger("p", packaged),
        "other": MoveTagger("o", contrary),
    }
    for name, tagger in taggers.items():
        build_index([(tmp_path / "in.jsonl", "jsonl")], tmp_path / name, tagger=tagger)
        with Indexes(tmp_path / name) as collection:
            found[name] = [
                search(collection, topics, default_model(), method=method)["a"]
                for method in (Answers(), Answers(ignore_labels=True))
            ]
    assert found["packaged"] == found["none"]
    assert found["other"][1] == found["none"][1]
    answers = [answer for one in found["other"][0] for answer in one.answers]
    assert {answer.move for answer in answers} == {"PURPOSE"}
    scores = [
        {a.id: a.score for one in found[name][0] for a in one.answers} for name in ("none", "other")
    ]
    assert scores[0].keys() == scores[1].keys()
    assert scores[0] != scores[1]


def _found(name: str, probability: float, *values: float) -> AbstractAnswers:
    answers = [
        Answer(f"{name}.{n}", "RESULTS", v, v, n == 1, "", "finding" if n == 1 else "")
        for n, v in enumerate(values, 1)
    ]
    return AbstractAnswers(Record(name), 1.0, answers, [], probability)


def _weighed(question: str, records: list[Record], least: float = 0.6) -> list[AbstractAnswers]:
    model = default_model()
    assert model.abstracts is not None
    abstracts = model.abstracts.copy()
    abstracts[:, -1] = least
    model = AnswerModel(model.weights, model.vectors, {}, abstracts, model.verdicts)
    tagged = [tag_record(moves_model(), record) for record in records]
    bodies = [[sentence for sentence in parts if sentence.n] for parts in tagged]
    asked = query_words(parse(question), model.vectors)
    return weigh(model, asked, records, [9.0] * len(records), bodies)


def test_stars() -> None:
    """An abstract without the drug, or retracted, has none; a verdict needs one."""
    records = [invented(n, drug) for n, drug in enumerate(DRUGS[:2])]
    (first, second) = _weighed("Does murinol reduce body weight?", records, 0.2)
    assert first.record.id == "000"
    assert first.starred is not None
    assert (first.starred.id, first.starred.rule) == ("000.6", "answers")
    assert first.starred.answers == first.probability > second.probability
    assert second.starred is None
    assert not any(
        one.starred for one in _weighed("Does xylopril reduce body weight?", records, 0.2)
    )
    records = [invented(0, "murinol")]
    (claimed,) = _weighed("Does murinol reduce body weight?", records, 0.1)
    assert [a.id for a in claimed.answers if a.direction] == ["000.6"]
    assert claimed.starred is not None
    assert claimed.starred.direction is not None
    (silent,) = _weighed("Does murinol reduce body weight?", records, 0.999)
    (asked,) = _weighed("What is the effect of murinol on body weight?", records, 0.1)
    assert not any(a.direction for a in (*silent.answers, *asked.answers))
    assert silent.starred is None
    record = replace(invented(0, "murinol"), publication_types=("Retracted Publication",))
    (found,) = _weighed("Does murinol reduce body weight?", [record], 0.1)
    assert found.starred is None
    assert not any(answer.direction for answer in found.answers)


def test_a_no_is_an_answer() -> None:
    """The outcome is denied, or a statement denies it."""
    whole = invented(0, "murinol")
    last = replace(whole.sections[-1], text="Murinol did not reduce body weight.")
    record = replace(whole, sections=(last,))
    (found,) = _weighed("Does murinol reduce body weight?", [record], 0.1)
    assert found.starred is not None
    assert found.starred.direction is not None
    assert (found.starred.text, found.starred.direction.label) == (last.text, "no")
    (quote,) = pool(parse("Does murinol reduce body weight?"), [found], ()).quotes
    assert quote.verdict == "no"
    for question, text in (
        ("Does murinol reduce cough?", "Murinol did not reduce cough."),
        ("Murinol does not reduce cough", "Murinol reduced cough."),
    ):
        told = default_model().verdict(parse(question), text)
        assert told is not None
        assert told.label == "no"


def test_slots_keep_to_their_moves() -> None:
    """A finding is of RESULTS, a conclusion of CONCLUSION, and no list of references."""
    whole = invented(0, "murinol")
    for sections, slots in (
        (whole.sections, SLOTS),
        (whole.sections[:3], SLOTS[:1]),
        (whole.sections[:2], ()),
    ):
        (found,) = _weighed("Does murinol reduce body weight?", [replace(whole, sections=sections)])
        moves = {a.slot: a.move for a in found.answers if a.slot}
        expected = {"finding": "RESULTS", "conclusion": "CONCLUSION"}
        assert moves == {slot: expected[slot] for slot in slots}
    whole = invented(0, "murinol")
    last = replace(whole.sections[-1], text="We conclude that murinol may help. [References: 119]")
    (found,) = _weighed("Is ratinol rare?", [replace(whole, sections=(*whole.sections[:-1], last))])
    conclusion = found.of("conclusion")
    assert conclusion is not None
    assert conclusion.text == "We conclude that murinol may help."


def test_given_records(collection: Indexes) -> None:
    """Records are taken in their order, each once; strangers are told, and refused if alone."""
    run, strange = of_records(collection, {"a": "Why?"}, ["001", "x", "000", "001"])
    assert (run["a"].ids.tolist(), strange) == (["001", "000"], ["x"])
    found = search(collection, {"a": "Does ratinol help?"}, default_model(), run=run)["a"]
    assert {one.record.id for one in found} == {"000", "001"}
    with pytest.raises(MismatchError, match="none of these 2 records is in the index: x, y"):
        of_records(collection, {"a": "Why?"}, ["x", "y"])


def test_other_forms_find_more(tmp_path: Path) -> None:
    """Asked for a short form, abstracts with the long form alone are found too."""
    texts = ("Grey mouse disease (GMD) is rare. GMD hurts.", "Grey mouse disease hurts mice.")
    records = [Record(str(n), sections=(Section(text),)) for n, text in enumerate(texts)]
    index_of(tmp_path, records)
    with Indexes(tmp_path / "index") as opened:
        found = search(opened, {"a": "Is GMD rare?"}, default_model())["a"]
    assert {one.record.id for one in found} == {"0", "1"}


def test_other_spellings_find_more(tmp_path: Path) -> None:
    """A question finds the abstracts that spell otherwise, and names their words."""
    texts = ("Murinol prevented oesophagitis.", "Murinol prevented esophagitis.", "Mice ran.")
    records = [Record(str(n), sections=(Section(text),)) for n, text in enumerate(texts)]
    index_of(tmp_path, records)
    with Indexes(tmp_path / "index") as opened:
        found = search(opened, {"a": "Does murinol prevent oesophagitis?"}, default_model())["a"]
    assert {abstract.record.id: abstract.lacks for abstract in found} == {"0": [], "1": []}


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
    found = answer_topics(
        tmp_path / "index", None, topics, SERIAL, lambda *n: told.append(n), depth=4
    )
    assert list(found) == list(topics)
    assert found == wanted
    assert told[-1] == (len(DRUGS), len(DRUGS))
    with pytest.raises(InputError):
        answer_topics(tmp_path / "index", tmp_path / "none", topics, SERIAL)


ASKED = "What is the effect of murinol on body weight?"
RECORDS = [invented(1, "murinol"), invented(2, "catinol", "cats"), Record("003", "Murinol in mice")]


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Indexes]:
    """Two trials, and a record without an abstract."""
    folder = tmp_path_factory.mktemp("answers")
    source = folder / "records.jsonl"
    source.write_text("".join(record.to_json() + "\n" for record in RECORDS), encoding="utf-8")
    build_index([(source, "jsonl")], folder / "index")
    with Indexes(folder / "index") as opened:
        yield opened


def test_hits_of_elsewhere(index: Indexes) -> None:
    """Records by their answers, sentences each by its own, judged among its abstract's."""
    run = {"1": Hits.ranked([r.id for r in RECORDS], [1, 2, 3]), "2": Hits.ranked([], [])}
    found = AnswerReranker().rerank(Collection(index), run, {"1": ASKED, "2": "mice"})
    best = {
        r.id: max(a.probability for a in find_answers(default_model(), ASKED, r))
        for r in RECORDS[:2]
    }
    assert found["1"].ids.tolist() == [*sorted(best, key=lambda n: -best[n]), "003"]
    assert found["1"].scores[:2] == pytest.approx(sorted(best.values(), reverse=True))
    assert len(found["2"]) == 0
    answers = find_answers(default_model(), ASKED, RECORDS[0])
    record = RECORDS[0].id
    names = [f"{record}.0", *(answer.id for answer in answers)]
    run = {"1": Hits.ranked(names, np.arange(len(names))[::-1])}
    found = AnswerReranker("answers").rerank(Collection(index), run, {"1": ASKED})["1"]
    expected = Hits.ranked([a.id for a in answers], [a.probability for a in answers])
    assert found.ids.tolist() == [*expected.ids, f"{record}.0"]


def test_evidence(index: Indexes) -> None:
    """The best sentence, the question's words in it, its move; nothing of what has no abstract."""
    reranker = AnswerReranker(default_model())
    assert isinstance(reranker, Explains)
    found, none = reranker.evidence(
        Collection(index), ASKED, Hits.ranked([RECORDS[0].id, "003"], [2, 1])
    )
    best = max(find_answers(default_model(), ASKED, RECORDS[0]), key=lambda a: a.probability)
    assert (found.sentence, found.text) == (best.id, best.text)
    assert found.values is not None
    assert found.values["move"] == best.move
    assert found.values["probability"] == pytest.approx(best.probability)
    assert found.values["missing words"] == []
    marked = {found.text[span.start : span.end].lower() for span in found.spans}
    assert marked
    assert marked <= {"murinol", "body", "weight"}
    assert none.sentence == none.text == ""
