"""Answer made on disk."""

import json
from pathlib import Path

import pytest

from recipes.answers.training import train
from relsent_ir import models
from relsent_ir.answers.language import parse
from relsent_ir.answers.model import AnswerModel, default_model
from relsent_ir.answers.questions import Posed, title
from relsent_ir.errors import InputError, MismatchError, OutputError
from relsent_ir.models import packaged, save_folder


@pytest.fixture(scope="module")
def made(posed: list[Posed]) -> AnswerModel:
    """A small one."""
    return train(posed)


def test_saved_and_loaded(made: AnswerModel, posed: list[Posed], tmp_path: Path) -> None:
    """What was saved judges alike."""
    models.save(tmp_path / "model", made)
    read = models.load(tmp_path / "model", "answers")
    for p in posed[:4]:
        ours, theirs = (
            m.judge(parse(p.question.text), title(p.question), p.tagged) for m in (made, read)
        )
        assert theirs.scores == pytest.approx(ours.scores, abs=1e-2)
        assert (theirs.answers == ours.answers).all()


def test_scores_of_the_linear_model(made: AnswerModel, posed: list[Posed]) -> None:
    """They are the probabilities to be the best answer; without sentences there are none."""
    judged = made.judge(parse("Why?"), "", [])
    assert len(judged.scores) == len(judged.probabilities) == len(judged.answers) == 0
    judged = made.judge(parse("Body weight?"), "", posed[0].tagged)
    assert judged.scores.sum() == pytest.approx(1)
    assert ((judged.probabilities >= 0) & (judged.probabilities <= 1)).all()


def test_the_package_has_one() -> None:
    """It loads, it says what made it, and it holds no text."""
    model = default_model()
    assert model.facts["command"] == "python -m recipes answers"
    assert {file.suffix for file in packaged("answers").iterdir()} <= {".npy", ".json"}
    assert sum(file.stat().st_size for file in packaged("answers").iterdir()) < 4_000_000


def test_models_that_are_none(made: AnswerModel, tmp_path: Path) -> None:
    """No folder, another kind of model, damaged parts, other features."""
    with pytest.raises(InputError, match="no such model"):
        models.load(tmp_path / "none", "answers")
    with pytest.raises(MismatchError, match="not of answers"):
        models.load(packaged("moves"), "answers")
    folder = tmp_path / "model"
    arrays = made.to_arrays()
    save_folder(folder, made.kind, {}, arrays)
    with pytest.raises(MismatchError, match="does not say what its features are"):
        models.load(folder, "answers")
    del arrays[next(iter(arrays))]
    save_folder(folder, made.kind, made.to_stored()[0], arrays)
    with pytest.raises(InputError, match="do not fit together"):
        models.load(folder, "answers")
    models.save(folder, made)
    facts = json.loads((folder / "model.json").read_text(encoding="utf-8"))
    facts["columns"]["percent"][0] += 1e-3
    (folder / "model.json").write_text(json.dumps(facts), encoding="utf-8")
    with pytest.raises(MismatchError, match="other features than this version's: percent"):
        models.load(folder, "answers")


def test_cannot_be_saved(made: AnswerModel, tmp_path: Path) -> None:
    """A file in the way is named."""
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(OutputError, match="this is a file"):
        models.save(tmp_path / "file", made)
