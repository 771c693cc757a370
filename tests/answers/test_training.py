"""Training answer models."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from relsent_ir.answers import training
from relsent_ir.answers.abstract_training import STAR
from relsent_ir.answers.abstracts import ABSTRACT_NAMES
from relsent_ir.answers.model import AnswerModel, LinearModel, TreeModel
from relsent_ir.answers.questions import Question
from relsent_ir.answers.scores import evaluate
from relsent_ir.answers.sentence_features import NAMES
from relsent_ir.answers.training import (
    KINDS,
    Posed,
    Taggers,
    all_forms,
    crossfit,
    findings_said,
    gold,
    learn_verdicts,
    plain,
    pose,
    read_said,
    taught_default_moves,
    title,
    train,
    train_from_files,
)
from relsent_ir.errors import InputError, UsageError
from relsent_ir.lucene.write.indexing import build_index
from relsent_ir.moves import Abstract, default_model
from relsent_ir.moves.labelled import labelled_abstracts
from relsent_ir.records import Record, Section, list_inputs
from tests.answers.conftest import DRUGS, asked, invented


@pytest.mark.parametrize("kind", KINDS)
def test_what_was_learned_from_is_answered(kind: str, posed: list[Posed]) -> None:
    """Two questions to an abstract get their own sentences from the linear model."""
    model = train(kind, posed, facts={"command": "by hand"})
    assert model.facts["command"] == "by hand"
    values = evaluate(model, posed).to_dict()
    assert values["success_at_1"] >= (0.9 if kind == "linear" else 0.4)


def test_unseen_abstract(posed: list[Posed]) -> None:
    """The sentence on the outcome comes first in an abstract on another drug and animal."""
    model = train("linear", posed)
    found = pose(asked(invented(99, "porcinol", "rats"), "porcinol"), Taggers(default_model()))
    assert evaluate(model, found).to_dict()["mrr"] == 1.0


def test_facts(posed: list[Posed]) -> None:
    """The linear model names its features, the tree prints itself."""
    assert list(train("linear", posed).columns())[1:] == list(NAMES)
    facts = train("tree", posed, feature_set=5).facts
    assert facts["feature_set"] == 5
    assert "answer" in facts["tree"]


def test_evidence_that_is_nowhere(posed: list[Posed]) -> None:
    """Without any answer there is nothing to learn."""
    lost = [replace(p, question=replace(p.question, evidence=("zyx wvu",))) for p in posed]
    with pytest.raises(InputError, match="no abstract has a sentence"):
        train("linear", lost)


def test_all_forms(questions: list[Question]) -> None:
    """Structured abstracts are learned from without their labels too, all with whole questions."""
    bare = Question("1", "Why?", Record("1", sections=(Section("Mice died."),)), ("Mice died.",))
    found = all_forms([*questions[:2], bare], Taggers(default_model()))
    ids = ["000w", "000e", "1", "000w", "000e", "000w", "000e", "1"]
    assert [p.question.id for p in found] == ids
    assert [p.whole for p in found] == [False] * 5 + [True] * 3
    first, second = found[0], found[3]
    assert {s.score for s in first.tagged} == {1.0}
    assert max(s.score for s in second.tagged) < 1.0
    assert [s.text for s in first.tagged] == [s.text for s in second.tagged]


def test_plain() -> None:
    """One section without a label; no abstract stays none."""
    record = invented(1, "murinol")
    assert plain(record).sections == (Section(record.abstract),)
    assert plain(Record("1")).sections == ()


def test_gold_and_title(questions: list[Question], posed: list[Posed]) -> None:
    """The sentence of the evidence; the title in its own language if it has no other."""
    assert np.flatnonzero(gold(posed[0])).tolist() == [5]
    record = Record("1", vernacular_title="Mäuse")
    assert title(Question("1", "", record)) == "Mäuse"


def test_crossfit() -> None:
    """An abstract that is asked about gets a CRF that has not seen it; others the package's."""
    records = [invented(n, drug) for n, drug in enumerate(DRUGS)]
    abstracts = list(labelled_abstracts(records))
    steps: list[int] = []
    taggers = crossfit(abstracts, ["000", "001", "999"], lambda n, _: steps.append(n))
    assert set(taggers.others) == {"000", "001", "999"}
    assert steps
    own = taggers.tag(plain(records[0]), labels=False)
    assert len(own) == 8
    assert taggers.tag(records[2])[0].move == "PURPOSE"


def test_crossfit_trains_without_the_abstract(monkeypatch: pytest.MonkeyPatch) -> None:
    """The CRF of an abstract was trained on all but its fold."""
    seen: dict[int, set[str]] = {}

    class Fake:
        @classmethod
        def train(cls, abstracts: list[Abstract]) -> int:
            seen[len(seen)] = {abstract.id for abstract in abstracts}
            return len(seen) - 1

    monkeypatch.setattr("relsent_ir.answers.training.CRF", Fake)
    abstracts = [Abstract(str(n), "", ("Text.",), ("RESULTS",)) for n in range(30)]
    asked_for = [str(n) for n in range(20)]
    taggers = crossfit(abstracts, asked_for)
    for name in asked_for:
        ids = seen[taggers.others[name]]  # type: ignore[index]
        assert name not in ids
        assert {str(n) for n in range(20, 30)} <= ids


def test_known_by_checksum(data: Path) -> None:
    """The file that the package's CRF was made of is known again."""
    folder = data / "rct"
    assert taught_default_moves(folder / "rct-train.xml.gz")
    assert not taught_default_moves(folder / "rct-validation.xml.gz")


def test_what_sentences_say(tmp_path: Path) -> None:
    """The question is the title; a silent sentence is unclear, and not judged by."""
    record = Record("7", "Does murinol reduce falls?", sections=(Section("It does. It fell."),))
    path = tmp_path / "said.tsv"
    path.write_text("7.1\tyes\n7.2\tsilent\n", encoding="utf-8")
    first, second = read_said(path, [record], frozenset({"it", "does"}))
    assert (first.record, first.verdict, first.judged, first.weight) == ("7", "yes", True, 1.0)
    assert (second.verdict, second.judged) == ("unclear", False)
    denied = replace(record, title="Murinol does not reduce falls")
    assert read_said(path, [denied], frozenset())[0].verdict == "no"
    for line in ("8.1\tyes", "7.1\tperhaps", "7.9\tyes", "7.1", "7.x\tyes"):
        path.write_text(line + "\n", encoding="utf-8")
        with pytest.raises(InputError, match=r"said\.tsv:1: "):
            read_said(path, [record], frozenset())


def test_findings_are_asked_both_ways(posed: list[Posed]) -> None:
    """A fall is a yes to whether it falls, and a no to whether it rises."""
    assert findings_said(posed, frozenset()) == []
    question = replace(posed[0].question, label="significantly decreased")
    fell = replace(posed[0], question=question)
    up, down = findings_said([fell, fell], frozenset())
    assert (up.verdict, down.verdict, up.judged) == ("no", "yes", False)
    model = learn_verdicts(
        [replace(one, record=str(n), judged=True) for n in range(12) for one in (up, down)]
    )
    text = fell.tagged[5].text
    assert model.read("Does murinol reduce body weight?", text, frozenset()).label == "yes"


CHOSEN = ("g0", "g4", "g5", "g6", "g7")
"""Ids in the half that teaches, by their hash."""


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, questions: list[Question]) -> None:
    """Sixteen questions, the records of two of their abstracts, and eight records that ask."""
    monkeypatch.chdir(tmp_path)
    lines = []
    for question in questions:
        sections = [{"label": s.label, "text": s.text} for s in question.record.sections]
        line = {"id": question.id, "question": question.text, "pmid": question.record.id}
        lines.append({**line, "abstract": sections, "evidence": list(question.evidence)})
    Path("q.jsonl").write_text("".join(json.dumps(x) + "\n" for x in lines), encoding="utf-8")
    _write("r.jsonl", [invented(0, "murinol"), _asking(0)])
    _write("g.jsonl", [_asking(n) for n in range(8)])
    Path("said.tsv").write_text("g0.7\tyes\ng1.7\tno\ng1.1\tsilent\n", encoding="utf-8")


def _asking(n: int) -> Record:
    """A structured abstract whose title asks, and whose conclusion is its seventh sentence."""
    record = invented(n, DRUGS[n])
    return Record(f"g{n}", f"Does {DRUGS[n]} help mice?", sections=record.sections)


def _write(name: str, records: Sequence[Record]) -> None:
    text = "".join(record.to_json() + "\n" for record in records)
    Path(name).write_text(text, encoding="utf-8")


def _train(kind: str = "linear", **settings: object) -> AnswerModel:
    return train_from_files(kind, Path("q.jsonl"), **settings)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["related", "said", "general"])
@pytest.mark.usefixtures("files")
def test_a_tree_has_no_more_to_learn_from(name: str) -> None:
    """What only a linear model can use is refused."""
    value = [Path("g.jsonl")] if name == "general" else Path("said.tsv")
    with pytest.raises(UsageError, match="go with --model linear"):
        _train("tree", **{name: value})


@pytest.mark.usefixtures("files")
def test_what_is_said_is_of_records() -> None:
    """Sentences that were read need the records that they are of."""
    with pytest.raises(UsageError, match="--said needs --general"):
        _train(said=Path("said.tsv"))


@pytest.mark.usefixtures("files")
def test_facts_of_files() -> None:
    """The command, each file once, and the questions; a tree has no vectors."""
    model = _train("tree", records=[Path("r.jsonl")], command="as typed")
    assert isinstance(model, TreeModel)
    assert model.facts["command"] == "as typed"
    assert [file["name"] for file in model.facts["data"]["files"]] == ["q.jsonl", "r.jsonl"]
    assert model.facts["data"]["questions"] == 16


@pytest.mark.usefixtures("files")
def test_general_questions() -> None:
    """Those in the half for it teach, but for what is among the records: that is measured on."""
    model = _train(general=[Path("g.jsonl")])
    assert isinstance(model, LinearModel)
    assert model.facts["data"]["questions"] == 16 + len(CHOSEN)
    assert (model.verdicts, model.abstracts) == (None, None)
    among = _train(records=[Path("r.jsonl")], general=[Path("g.jsonl")])
    assert among.facts["data"]["questions"] == 16 + len(set(CHOSEN) - {"g0"})
    assert len(among.facts["data"]["files"]) == 3


@pytest.mark.usefixtures("files")
def test_said_and_graded() -> None:
    """Verdicts learn from what sentences say, the abstract's probability from graded ones."""
    build_index(list_inputs([Path("g.jsonl")])[0], Path("abstracts"))
    Path("t.tsv").write_text("1\tDoes murinol help mice?\n", encoding="utf-8")
    Path("graded.tsv").write_text(
        "abstracts\t1\tg0.7\t2\nabstracts\t1\tg0.1\t0\ncf\t1\tg0.2\t2\n", encoding="utf-8"
    )
    read = {"general": [Path("g.jsonl")], "said": Path("said.tsv")}
    model = _train(**read)
    assert isinstance(model, LinearModel)
    assert model.verdicts is not None
    assert model.abstracts is None
    read |= {"graded": Path("graded.tsv"), "indexes": [Path("abstracts")]}
    model = _train(**read, topics=[Path("t.tsv")])
    assert isinstance(model, LinearModel)
    assert model.abstracts is not None
    assert model.abstracts.shape == (len(ABSTRACT_NAMES) + 2,)
    assert model.least == STAR
    with pytest.raises(InputError, match=r"graded\.tsv: no topic 1 among --topics"):
        _train(**read)


@pytest.mark.usefixtures("files")
def test_moves_are_of_models_that_have_not_seen_the_records(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Where the package's model was trained on a file, the questions' records are left out."""
    left_out: list[str] = []

    def noted(abstracts: Sequence[Abstract], ids: Sequence[str], *more: object) -> object:
        left_out.extend(ids)
        return training.Taggers(training.default_model())

    monkeypatch.setattr(training, "crossfit", noted)
    _train(records=[Path("r.jsonl")], general=[Path("g.jsonl")])
    assert left_out == []
    monkeypatch.setattr(training, "taught_default_moves", lambda path: path.name == "r.jsonl")
    _train(records=[Path("r.jsonl")], general=[Path("g.jsonl")])
    expected = {f"{n:03}" for n in range(8)} | {"g0"} | set(CHOSEN)
    assert set(left_out) == expected
