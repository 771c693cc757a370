"""Tagging abstracts and records."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from relsent_ir import models
from relsent_ir.errors import InputError, MismatchError, RelsentError
from relsent_ir.models import save_folder
from relsent_ir.moves import Abstract, tag, tag_record
from relsent_ir.moves.crf import CRF, FEATURES
from relsent_ir.moves.tagging import fingerprint
from relsent_ir.records import Record, Section


@pytest.mark.parametrize("features", FEATURES.values())
def test_round_trip(tmp_path: Path, features: Any, abstracts: list[Abstract], held_out: Abstract):
    """A model that was read says what the one that was written says."""
    model = CRF.train(abstracts, features)
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
        models.save(tmp_path / name, CRF.train(abstracts), {})
    assert fingerprint(tmp_path / "a") == fingerprint(tmp_path / "b")
    assert fingerprint(tmp_path / "a") != fingerprint(None)


@pytest.mark.parametrize("lost", [True, False])
def test_damaged(tmp_path: Path, lost: bool, abstracts: list[Abstract]) -> None:
    """A damaged model, or one without its weights, is one line that names the file."""
    models.save(tmp_path / "m", CRF.train(abstracts), {})
    array = tmp_path / "m" / "crf.npy"
    if lost:
        array.unlink()
    else:
        weights = np.load(array)
        weights[:48] = 0
        np.save(array, weights)
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
    ("kind", "facts"), [("moves-crf", {}), ("moves-crf", {"groups": ["spells"], "openings": True})]
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


class Parrot:
    """A model that says METHODS to everything, and remembers what it saw."""

    def __init__(self) -> None:
        self.seen: list[str] = []

    def predict(self, title: str, sentences: Sequence[str]) -> list[tuple[str, float]]:
        """Say METHODS."""
        self.seen += [title, *sentences]
        return [("METHODS", 0.5)] * len(sentences)


RECORD = Record(
    "007",
    "On mice",
    sections=(
        Section("Why? Who knows.", "AIM"),
        Section("They ate. All of them.", "", ""),
        Section("ISRCTN 7.", "TRIAL REGISTRATION"),
    ),
)


def test_inline_headings_are_given_and_hidden() -> None:
    """The model does not see a heading, and a heading's move is certain."""
    parrot = Parrot()
    found = tag(parrot, "T", ["Mice.", "Conclusion: Mice eat."])
    assert found == [("METHODS", 0.5), ("CONCLUSION", 1.0)]
    assert parrot.seen == ["T", "Mice.", "Mice eat."]


def test_records() -> None:
    """Labels give moves, the model others; sentences are the index's; no abstract has none."""
    found = tag_record(Parrot(), RECORD)
    assert [(s.id, s.move, s.score, s.text) for s in found] == [
        ("007.1", "PURPOSE", 1.0, "Why?"),
        ("007.2", "PURPOSE", 1.0, "Who knows."),
        ("007.3", "METHODS", 0.5, "They ate."),
        ("007.4", "METHODS", 0.5, "All of them."),
        ("007.5", "METHODS", 0.5, "ISRCTN 7."),
    ]
    assert {s.move for s in tag_record(Parrot(), RECORD, labels=False)} == {"METHODS"}
    expected = [(s.id, s.text) for s in RECORD.sentences() if s.n]
    assert [(s.id, s.text) for s in tag_record(Parrot(), RECORD)] == expected
    assert tag_record(Parrot(), Record("1", "T")) == []
    assert tag(Parrot(), "", []) == []


def test_a_model_by_its_folder(tmp_path: Path, abstracts: list[Abstract]) -> None:
    """A path names a stored model."""
    model = CRF.train(abstracts)
    models.save(tmp_path / "m", model, {})
    texts = abstracts[0].sentences
    by_path = tag(str(tmp_path / "m"), "", texts)
    assert [move for move, _ in by_path] == [move for move, _ in tag(model, "", texts)]


def test_the_model_of_the_package() -> None:
    """None is the model that comes with the package."""
    sentences = [
        "The aim of this study was to compare murinol with placebo.",
        "Patients were randomly assigned to murinol or placebo for 12 weeks.",
        "Mean weight was lower with murinol (3.1 kg vs 4.5 kg, p < 0.001).",
        "We conclude that murinol may be useful in obese patients.",
    ]
    found = [move for move, _ in tag(None, "", sentences)]
    assert found == ["PURPOSE", "METHODS", "RESULTS", "CONCLUSION"]
