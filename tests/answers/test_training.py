"""Training answer models, and their measures."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from relsent_ir.answers import training
from relsent_ir.answers.abstracts import ABSTRACT_NAMES
from relsent_ir.answers.classifiers import Verdict
from relsent_ir.answers.model import AnswerModel, LinearModel, TreeModel
from relsent_ir.answers.model import default_model as answer_model
from relsent_ir.answers.questions import Posed, Question, Taggers, plain, pose
from relsent_ir.answers.readings import STAR
from relsent_ir.answers.sentence_features import NAMES
from relsent_ir.answers.training import (
    KINDS,
    DirectionScores,
    crossfit,
    directions,
    judge_all,
    report,
    score,
    taught_default_moves,
    train,
    train_from_files,
)
from relsent_ir.errors import InputError, UsageError
from relsent_ir.lucene.write.indexing import build_index
from relsent_ir.moves import Abstract, default_model
from relsent_ir.moves.labelled import labelled_abstracts
from relsent_ir.records import Record, Sentence, list_inputs
from tests.answers.conftest import DRUGS, asked, invented


@pytest.mark.parametrize("kind", KINDS)
def test_what_was_learned_from_is_answered(kind: str, posed: list[Posed]) -> None:
    """Two questions to an abstract get their own sentences from the linear model."""
    model = train(kind, posed, facts={"command": "by hand"})
    assert model.facts["command"] == "by hand"
    values = score(posed, judge_all(model, posed)).to_dict()
    assert values["success_at_1"] >= (0.9 if kind == "linear" else 0.4)


def test_unseen_abstract(posed: list[Posed]) -> None:
    """The sentence on the outcome comes first in an abstract on another drug and animal."""
    model = train("linear", posed)
    found = pose(asked(invented(99, "porcinol", "rats"), "porcinol"), Taggers(default_model()))
    assert score(found, judge_all(model, found)).to_dict()["mrr"] == 1.0


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
        return Taggers(default_model())

    monkeypatch.setattr(training, "crossfit", noted)
    _train(records=[Path("r.jsonl")], general=[Path("g.jsonl")])
    assert left_out == []
    monkeypatch.setattr(training, "taught_default_moves", lambda path: path.name == "r.jsonl")
    _train(records=[Path("r.jsonl")], general=[Path("g.jsonl")])
    expected = {f"{n:03}" for n in range(8)} | {"g0"} | set(CHOSEN)
    assert set(left_out) == expected


def _posed(record: str, *evidence: str, texts: tuple[str, ...]) -> Posed:
    question = Question("q", "Why?", Record(record), evidence)
    tagged = tuple(Sentence(str(record), n, t, "RESULTS", 1.0) for n, t in enumerate(texts, 1))
    return Posed(question, tagged)


def _judged(scores: list[float], answers: list[bool]) -> Verdict:
    values = np.array(scores)
    return Verdict(values, values, np.array(answers, dtype=bool))


TEXTS = ("mice ran far", "rats sat there", "cats ate well")


def test_measures_by_hand() -> None:
    """Counts, ranks and measures of three questions, one of them without an answer."""
    posed = [
        _posed("1", "mice ran far", texts=TEXTS),
        _posed("1", "rats sat there", "cats ate well", texts=TEXTS),
        _posed("2", "nothing like it", texts=TEXTS),
    ]
    judged = [
        _judged([0.9, 0.2, 0.1], [True, False, False]),
        _judged([0.9, 0.2, 0.1], [True, True, False]),
        _judged([0.9, 0.2, 0.1], [True, False, False]),
    ]
    found = score(posed, judged)
    assert found.counts.tolist() == [[1, 0, 0], [1, 1, 1], [0, 1, 1]]
    assert found.ranks.tolist() == [1, 0.5, 0]
    values = found.to_dict()
    assert values == {
        "precision": pytest.approx(2 / 4),
        "recall": pytest.approx(2 / 4),
        "f1": pytest.approx(0.5),
        "mrr": pytest.approx(0.5),
        "success_at_1": pytest.approx(1 / 3),
        "questions": 3,
    }


def test_another_gold() -> None:
    """What is right can be told otherwise."""
    posed = [_posed("1", "mice ran far", texts=TEXTS)]
    judged = [_judged([0.9, 0.2, 0.1], [True, False, False])]
    found = score(posed, judged, lambda _: np.array([False, False, True]))
    assert found.counts.tolist() == [[0, 1, 1]]


def test_directions_by_hand() -> None:
    """Accuracy 3 of 5; F1 of 4/5, 2/4 and 0/1; of four that were sure three are right."""
    confusion = np.array([[2, 1, 0], [0, 1, 1], [0, 0, 0]])
    values = DirectionScores(confusion, 4, 3).to_dict()
    assert values["accuracy"] == pytest.approx(3 / 5)
    assert values["macro_f1"] == pytest.approx((4 / 5 + 2 / 4 + 0) / 3)
    assert values["questions"] == 5
    assert values["sure"] == {"coverage": pytest.approx(4 / 5), "accuracy": pytest.approx(3 / 4)}
    empty = DirectionScores(np.zeros((3, 3), dtype=np.int64)).to_dict()
    assert empty["accuracy"] == empty["macro_f1"] == 0


def test_other_labels_are_counted_and_left_out() -> None:
    """As are questions without a label, or without a sentence."""
    texts = ("Weight did not differ between murinol and placebo (P = 0.7).",)
    asked = "Compared with placebo, what is the effect of murinol on weight?"
    posed = []
    for label in ("no significant difference", "perhaps", ""):
        p = _posed("1", *texts, texts=texts)
        posed.append(replace(p, question=replace(p.question, text=asked, label=label)))
    posed.append(replace(posed[0], tagged=()))
    judged = [_judged([1.0], [True])] * 3 + [_judged([], [])]
    judged = [replace(j, slots={"finding": 0} if len(j.scores) else {}) for j in judged]
    found, others = directions(answer_model(), posed, judged)
    assert found.confusion.tolist() == [[0, 0, 0], [0, 1, 0], [0, 0, 0]]
    assert others == 1
    values = report(answer_model(), posed)
    assert list(values)[:4] == ["success_at_1", "span_f1", "mrr", "direction"]
    assert (values["direction"]["questions"], values["other_labels"]) == (1, 1)


def test_no_sentences() -> None:
    """A question to an empty abstract counts as missed."""
    posed = [_posed("1", "mice", texts=())]
    found = score(posed, judge_all(answer_model(), posed))
    assert found.counts.tolist() == [[0, 0, 1]]
    assert found.to_dict()["recall"] == found.to_dict()["mrr"] == 0


def test_ties_go_by_id() -> None:
    """Of equal scores the smaller id comes first, as in a run that is written."""
    posed = [_posed("1", "rats sat there", texts=TEXTS)]
    assert score(posed, [_judged([0.5] * 3, [False] * 3)]).ranks.tolist() == [0.5]
