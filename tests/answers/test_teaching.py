"""Training from files: what each kind learns from, and what is counted."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from relsent_ir.answers import teaching, training
from relsent_ir.answers.abstract_training import STAR
from relsent_ir.answers.abstracts import ABSTRACT_NAMES
from relsent_ir.answers.model import AnswerModel, LinearModel, TreeModel
from relsent_ir.answers.questions import Question
from relsent_ir.answers.teaching import train_from_files
from relsent_ir.errors import InputError, UsageError
from relsent_ir.lucene.write.indexing import build_index
from relsent_ir.moves.labelled import Abstract
from relsent_ir.records import Record, list_inputs
from tests.answers.conftest import DRUGS, invented

CHOSEN = ("g0", "g4", "g5", "g6", "g7")
"""Ids in the half that teaches, by their hash."""


@pytest.fixture(autouse=True)
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
def test_a_tree_has_no_more_to_learn_from(name: str) -> None:
    """What only a linear model can use is refused."""
    value = [Path("g.jsonl")] if name == "general" else Path("said.tsv")
    with pytest.raises(UsageError, match="go with --model linear"):
        _train("tree", **{name: value})


def test_what_is_said_is_of_records() -> None:
    """Sentences that were read need the records that they are of."""
    with pytest.raises(UsageError, match="--said needs --general"):
        _train(said=Path("said.tsv"))


def test_facts() -> None:
    """The command, each file once, and the questions; a tree has no vectors."""
    model = _train("tree", records=[Path("r.jsonl")], command="as typed")
    assert isinstance(model, TreeModel)
    assert model.facts["command"] == "as typed"
    assert [file["name"] for file in model.facts["data"]["files"]] == ["q.jsonl", "r.jsonl"]
    assert model.facts["data"]["questions"] == 16


def test_general_questions() -> None:
    """Those in the half for it teach, but for what is among the records: that is measured on."""
    model = _train(general=[Path("g.jsonl")])
    assert isinstance(model, LinearModel)
    assert model.facts["data"]["questions"] == 16 + len(CHOSEN)
    assert (model.verdicts, model.abstracts) == (None, None)
    among = _train(records=[Path("r.jsonl")], general=[Path("g.jsonl")])
    assert among.facts["data"]["questions"] == 16 + len(set(CHOSEN) - {"g0"})
    assert len(among.facts["data"]["files"]) == 3


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


def test_moves_are_of_models_that_have_not_seen_the_records(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Where the package's model was trained on a file, the questions' records are left out."""
    left_out: list[str] = []

    def noted(abstracts: Sequence[Abstract], ids: Sequence[str], *more: object) -> object:
        left_out.extend(ids)
        return training.Taggers(teaching.default_model())

    monkeypatch.setattr(training, "crossfit", noted)
    _train(records=[Path("r.jsonl")], general=[Path("g.jsonl")])
    assert left_out == []
    monkeypatch.setattr(training, "taught_default_moves", lambda path: path.name == "r.jsonl")
    _train(records=[Path("r.jsonl")], general=[Path("g.jsonl")])
    expected = {f"{n:03}" for n in range(8)} | {"g0"} | set(CHOSEN)
    assert set(left_out) == expected
