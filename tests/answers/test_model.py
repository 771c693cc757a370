"""Answer made on disk."""

import json
from pathlib import Path

import numpy as np
import pytest

from relsent_ir import models
from relsent_ir.answers.model import AnswerModel, default_model
from relsent_ir.answers.questions import Posed, title
from relsent_ir.answers.training import train
from relsent_ir.errors import InputError, MismatchError, OutputError
from relsent_ir.models import packaged, save_folder


@pytest.fixture(scope="module")
def made(posed: list[Posed]) -> dict[str, AnswerModel]:
    """One of each kind."""
    return {kind: train(kind, posed) for kind in ("linear", "tree")}


@pytest.mark.parametrize("kind", ["linear", "tree"])
def test_saved_and_loaded(
    kind: str, made: dict[str, AnswerModel], posed: list[Posed], tmp_path: Path
) -> None:
    """What was saved judges alike."""
    models.save(tmp_path / "model", made[kind])
    read = models.load(tmp_path / "model", "answers")
    for p in posed[:4]:
        ours, theirs = (
            m.judge(p.question.text, title(p.question), p.tagged) for m in (made[kind], read)
        )
        assert theirs.scores == pytest.approx(ours.scores, abs=1e-2)
        assert (theirs.answers == ours.answers).all()


@pytest.mark.parametrize("kind", ["linear", "tree"])
def test_no_sentences(kind: str, made: dict[str, AnswerModel]) -> None:
    """An abstract without sentences is judged without any."""
    judged = made[kind].judge("Why?", "", [])
    assert len(judged.scores) == len(judged.probabilities) == len(judged.answers) == 0


def test_scores_of_the_linear_model_sum_to_one(
    made: dict[str, AnswerModel], posed: list[Posed]
) -> None:
    """They are the probabilities to be the best answer."""
    judged = made["linear"].judge("Body weight?", "", posed[0].tagged)
    assert judged.scores.sum() == pytest.approx(1)
    assert ((judged.probabilities >= 0) & (judged.probabilities <= 1)).all()


def test_the_tree_keeps_to_the_zone(made: dict[str, AnswerModel], posed: list[Posed]) -> None:
    """What is outside has a score of 0."""
    assert (made["tree"].judge("Mice?", "Mice", posed[0].tagged).scores[:4] == 0).all()


def test_the_package_has_one() -> None:
    """It loads, it says what made it, and it holds no text."""
    model = default_model()
    assert model.facts["command"].startswith("relsent-ir train answers")
    assert {file.suffix for file in packaged("answers").iterdir()} <= {".npy", ".json"}
    assert sum(file.stat().st_size for file in packaged("answers").iterdir()) < 4_000_000


def test_models_that_are_none(made: dict[str, AnswerModel], tmp_path: Path) -> None:
    """No folder, another kind of model, damaged parts, other features."""
    with pytest.raises(InputError, match="no such model"):
        models.load(tmp_path / "none", "answers")
    with pytest.raises(MismatchError, match="not of answers"):
        models.load(packaged("moves"), "answers")
    folder = tmp_path / "model"
    for kind in ("linear", "tree"):
        model = made[kind]
        arrays = model.to_arrays()
        save_folder(folder, model.kind, {}, arrays)
        error, message = {
            "linear": (MismatchError, "does not say what its features are"),
            "tree": (InputError, "do not fit together"),
        }[kind]
        with pytest.raises(error, match=message):
            models.load(folder, "answers")
        del arrays[next(iter(arrays))]
        save_folder(folder, model.kind, model.to_stored()[0], arrays)
        with pytest.raises(InputError, match="do not fit together"):
            models.load(folder, "answers")
    models.save(folder, made["linear"])
    facts = json.loads((folder / "model.json").read_text(encoding="utf-8"))
    facts["columns"]["percent"][0] += 1e-3
    (folder / "model.json").write_text(json.dumps(facts), encoding="utf-8")
    with pytest.raises(MismatchError, match="other features than this version's: percent"):
        models.load(folder, "answers")


@pytest.mark.parametrize("left", [0, 99, -1])
def test_a_tree_that_runs_in_circles_is_refused(left: int, tmp_path: Path) -> None:
    """Children come after their node and are there."""
    nodes = np.array([[0, -1, -1], [left, -1, -1], [2, -1, -1]])
    arrays = {"nodes": nodes, "values": np.zeros((2, 3))}
    save_folder(tmp_path / "model", "answers-tree", {"feature_set": 1}, arrays)
    with pytest.raises(InputError, match="do not fit together"):
        models.load(tmp_path / "model", "answers")


def test_cannot_be_saved(made: dict[str, AnswerModel], tmp_path: Path) -> None:
    """A file in the way is named."""
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(OutputError, match="this is a file"):
        models.save(tmp_path / "file", made["tree"])
