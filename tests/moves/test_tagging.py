"""Tagging abstracts and records."""

from collections.abc import Sequence
from pathlib import Path

from relsent_ir import models
from relsent_ir.moves import Abstract, tag, tag_record, train_model
from relsent_ir.records import Record, Section


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


def test_record_with_labels() -> None:
    """Labels give moves; the model gives those of sections without one."""
    found = tag_record(Parrot(), RECORD)
    assert [(s.id, s.move, s.score, s.text) for s in found] == [
        ("007.1", "PURPOSE", 1.0, "Why?"),
        ("007.2", "PURPOSE", 1.0, "Who knows."),
        ("007.3", "METHODS", 0.5, "They ate."),
        ("007.4", "METHODS", 0.5, "All of them."),
        ("007.5", "METHODS", 0.5, "ISRCTN 7."),
    ]
    assert {s.move for s in tag_record(Parrot(), RECORD, labels=False)} == {"METHODS"}


def test_same_sentences_as_the_index() -> None:
    """Numbers and texts are those of the sentence index, without the title."""
    expected = [(s.id, s.text) for s in RECORD.sentences() if s.n]
    assert [(s.id, s.text) for s in tag_record(Parrot(), RECORD)] == expected


def test_no_abstract() -> None:
    """A title alone has no sentences."""
    assert tag_record(Parrot(), Record("1", "T")) == []
    assert tag(Parrot(), "", []) == []


def test_a_model_by_its_folder(tmp_path: Path, abstracts: list[Abstract]) -> None:
    """A path names a stored model."""
    model = train_model("bayes", abstracts)
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
