"""Models on disk."""

from pathlib import Path

import numpy as np
import pytest

from relsent_ir import models
from relsent_ir.errors import InputError, MismatchError, RelsentError
from relsent_ir.models import save_folder
from relsent_ir.moves import KINDS, Abstract, train_model
from relsent_ir.moves.store import fingerprint


@pytest.mark.parametrize("kind", KINDS)
def test_round_trip(tmp_path: Path, kind: str, abstracts: list[Abstract], held_out: Abstract):
    """A model that was read says what the one that was written says."""
    model = train_model(kind, abstracts)
    models.save(tmp_path / "m", model, {"command": "c"})
    again = models.load(tmp_path / "m", "moves")
    for (move, score), (old_move, old) in zip(
        again.predict(held_out.title, held_out.sentences),
        model.predict(held_out.title, held_out.sentences),
        strict=True,
    ):
        assert move == old_move
        assert score == pytest.approx(old, abs=1e-5)


def test_training_is_deterministic(tmp_path: Path, abstracts: list[Abstract]) -> None:
    """The same abstracts give the same model, byte for byte."""
    for name in ("a", "b"):
        models.save(tmp_path / name, train_model("crf", abstracts), {})
    assert fingerprint(tmp_path / "a") == fingerprint(tmp_path / "b")
    assert fingerprint(tmp_path / "a") != fingerprint(None)


def _damage(folder: Path, kind: str) -> None:
    array = folder / ("crf.npy" if kind == "crf" else "weights.npy")
    if kind == "crf":
        weights = np.load(array)
        weights[:48] = 0
        np.save(array, weights)
    else:
        array.unlink()


@pytest.mark.parametrize("kind", ["bayes", "crf"])
def test_damaged(tmp_path: Path, kind: str, abstracts: list[Abstract]) -> None:
    """A damaged model is one line that names the file."""
    models.save(tmp_path / "m", train_model(kind, abstracts), {})
    _damage(tmp_path / "m", kind)
    with pytest.raises(InputError, match="npy"):
        models.load(tmp_path / "m", "moves")


def test_no_model(tmp_path: Path) -> None:
    """Nothing there, a file, a folder with something else, another kind of model."""
    (tmp_path / "file").write_text("no model")
    (tmp_path / "folder").mkdir()
    save_folder(tmp_path / "other", "huber", {}, {"w": np.zeros(3)})
    for name, kind in (("none", InputError), ("file", InputError), ("folder", InputError)):
        with pytest.raises(kind, match=name):
            models.load(tmp_path / name, "moves")
    with pytest.raises(MismatchError, match="huber"):
        models.load(tmp_path / "other", "moves")


@pytest.mark.parametrize(
    ("kind", "facts"),
    [
        ("moves-crf", {}),
        ("moves-crf", {"groups": ["spells"], "openings": True}),
        ("moves-bayes", {}),
    ],
)
def test_parts_that_do_not_fit(tmp_path: Path, kind: str, facts: dict[str, object]) -> None:
    """A model of the right kind with the wrong parts is refused."""
    save_folder(tmp_path / "m", kind, facts, {"crf": np.zeros(3, np.uint8)})
    with pytest.raises(RelsentError, match="train again"):
        models.load(tmp_path / "m", "moves")


def test_default_model_is_small() -> None:
    """At most eight megabytes, and it says what made it."""
    assert sum(file.stat().st_size for file in models.packaged("moves").iterdir()) < 8e6
    assert "rct-train.xml.gz" in (models.packaged("moves") / "model.json").read_text(
        encoding="utf-8"
    )
