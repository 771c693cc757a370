"""Training answer models."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from recipes.answers import training
from recipes.answers.readings import STARS, describe_graded, read_claims
from recipes.answers.training import crossfit, taught_default_moves, train, train_from_files
from relsent_ir.answers.abstracts import ABSTRACT_NAMES
from relsent_ir.answers.evaluation import judge_all, score
from relsent_ir.answers.model import AnswerModel
from relsent_ir.answers.questions import Asked, Posed, Taggers, plain, pose
from relsent_ir.answers.sentence_features import NAMES, tag_abstract
from relsent_ir.errors import InputError, UsageError
from relsent_ir.lucene.write.indexing import build_index
from relsent_ir.moves import Abstract, default_model
from relsent_ir.moves.labelled import labelled_abstracts
from relsent_ir.records import Record, list_inputs
from relsent_ir.trec import read_topics
from tests.answers.conftest import DRUGS, asked, invented


def test_what_was_learned_from_is_answered(posed: list[Posed]) -> None:
    """Two questions to an abstract get their own sentences from the linear model."""
    model = train(posed, facts={"command": "by hand"})
    assert model.facts["command"] == "by hand"
    values = score(posed, judge_all(model, posed)).to_dict()
    assert values["success_at_1"] >= 0.9


def test_unseen_abstract(posed: list[Posed]) -> None:
    """The outcome comes first on another drug and animal; the model names its features."""
    model = train(posed)
    found = pose(asked(invented(99, "porcinol", "rats"), "porcinol"), Taggers(default_model()))
    assert score(found, judge_all(model, found)).to_dict()["mrr"] == 1.0
    assert list(train(posed).to_stored()[0]["columns"])[1:] == list(NAMES)


def test_evidence_that_is_nowhere(posed: list[Posed]) -> None:
    """Without any answer there is nothing to learn."""
    lost = [replace(p, question=replace(p.question, evidence=("zyx wvu",))) for p in posed]
    with pytest.raises(InputError, match="no abstract has a sentence"):
        train(lost)


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

    monkeypatch.setattr("recipes.answers.training.CRF", Fake)
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
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, questions: list[Asked]) -> None:
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


def _train(**settings: object) -> AnswerModel:
    return train_from_files(Path("q.jsonl"), **settings)  # type: ignore[arg-type]


@pytest.mark.usefixtures("files")
def test_what_is_said_is_of_records() -> None:
    """Sentences that were read need the records that they are of."""
    with pytest.raises(UsageError, match="--said needs --general"):
        _train(said=Path("said.tsv"))


@pytest.mark.usefixtures("files")
def test_facts_of_files() -> None:
    """The command, each file once, and the questions."""
    model = _train(records=[Path("r.jsonl")], command="as typed")
    assert model.facts["command"] == "as typed"
    assert [file["name"] for file in model.facts["data"]["files"]] == ["q.jsonl", "r.jsonl"]
    assert model.facts["data"]["questions"] == 16


@pytest.mark.usefixtures("files")
def test_general_questions() -> None:
    """Those in the half for it teach, but for what is among the records: that is measured on."""
    model = _train(general=[Path("g.jsonl")])
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
    assert model.verdicts is not None
    assert model.abstracts is None
    read |= {"graded": Path("graded.tsv"), "indexes": [Path("abstracts")]}
    claim = {"claim": "Murinol helps.", "cited": ["g0"], "evidence": [["g0", "SUPPORT", [6]]]}
    Path("claims.jsonl").write_text(json.dumps(claim) + "\n", encoding="utf-8")
    texts = [sentence.text for sentence in tag_abstract(_asking(0))]
    Path("sentences.jsonl").write_text(json.dumps({"_id": "g0", "abstract": texts}) + "\n")
    claims = [Path("claims.jsonl"), Path("g.jsonl"), Path("sentences.jsonl")]
    (cited,) = read_claims(*claims)
    assert [name for name, answers in cited.answers.items() if answers] == ["g0.7"]
    model = _train(**read, topics=[Path("t.tsv")], claims=claims)
    assert model.abstracts is not None
    assert len(model.facts["data"]["files"]) == 7
    assert model.abstracts.shape == (3, len(ABSTRACT_NAMES) + 2)
    assert model.abstracts[:, -1].tolist() == list(STARS)
    with pytest.raises(InputError, match=r"graded\.tsv: no topic 1 among --topics"):
        _train(**read)
    lines = "abstracts\t1\tg0.7\t2\nabstracts\t1\tg1.1\t0\n"
    Path("graded.tsv").write_text(lines, encoding="utf-8")
    topics = read_topics(Path("t.tsv"))
    rows, features = describe_graded(model, Path("graded.tsv"), topics, [Path("abstracts")])
    assert [row.sentence for row in rows] == ["g0.7", "g1.1", "g1.1"]  # again, without g0
    behind = features[:, ABSTRACT_NAMES.index("behind")]
    assert behind[2] <= behind[1]


@pytest.mark.usefixtures("files")
def test_moves_are_of_models_that_have_not_seen_the_records(monkeypatch) -> None:
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
