"""``python -m recipes statements``."""

import json
from pathlib import Path

import numpy as np
import pytest

from recipes.__main__ import main
from recipes.relations.corpora import Stated
from recipes.statements import fit, missing_classes, train
from relsent_ir import models
from relsent_ir.relations.candidates import Candidate
from relsent_ir.relations.describing import FeatureSettings, describe
from relsent_ir.relations.statements import Statements
from relsent_ir.text.parsing import default_parser
from tests.recipes.relations.test_corpora import _pack


def _stated() -> list[Stated]:
    known = []
    for name in ("Abc1", "Bcd2", "Cde3"):
        for text, status, polarity, agent in (
            (f"{name} activates Xyz9.", "asserted", "increases", 0),
            (f"{name} is not activated by Xyz9.", "negated", "increases", 1),
            (f"{name} may inhibit Xyz9.", "speculated", "decreases", 0),
            (f"{name} binds to Xyz9.", "asserted", "binds", None),
            (f"{name} was read and Xyz9.", "", "", None),
        ):
            second = text.index("Xyz9")
            candidate = Candidate("g", text, text, (0, 4), (second, second + 4), 2.0)
            known.append(Stated(candidate, status, polarity, agent))
    return known


@pytest.fixture(scope="module")
def learned() -> Statements:
    """Models of invented sentences."""
    return train(_stated(), default_parser())


def test_learns(learned: Statements) -> None:
    """What they were trained on is told right."""
    known = _stated()
    rows = describe([one.candidate for one in known], learned.parser, FeatureSettings())
    for one, row in zip(known, rows, strict=True):
        found = learned.read(row)
        if not one.status:
            assert found.direction == ""
            continue
        assert (found.status, found.polarity) == (one.status, one.polarity)
        assert one.agent in (None, found.agent)
        assert found.asserted == pytest.approx(learned.asserted(row))


def test_probabilities(learned: Statements) -> None:
    """They are scikit-learn's of the same features."""
    from sklearn.linear_model import LogisticRegression

    rows = [{"a": 1.0}, {"a": 1.0, "b": 1.0}, {"b": 1.0}, {"a": 1.0}, {"b": 1.0}, {}]
    labels = ["first", "second", "second", "first", "first", "second"]
    weights = fit("agent", zip(rows, labels, strict=True))
    matrix = [[row.get("a", 0), row.get("b", 0)] for row in rows]
    machine = LogisticRegression(C=0.1, class_weight="balanced", max_iter=5000).fit(matrix, labels)
    sums = weights[""] + weights["a"]
    assert (np.exp(sums) / np.exp(sums).sum())[1] == pytest.approx(
        machine.predict_proba([[1, 0]])[0, 1], abs=1e-6
    )


def test_missing_classes() -> None:
    """A class without a sentence is named."""
    assert missing_classes(_stated()) == []
    assert missing_classes(_stated()[:1]) == [
        *("negated", "speculated", "binds", "decreases", "none", "second")
    ]


def test_store(learned: Statements, tmp_path: Path) -> None:
    """What is written says as before."""
    models.save(tmp_path / "m", learned)
    again = models.load(tmp_path / "m", "statements")
    for row in describe([one.candidate for one in _stated()], learned.parser, FeatureSettings()):
        assert again.asserted(row) == pytest.approx(learned.asserted(row), abs=1e-6)


KINDS = (
    ("activates", "E1\tPositive_regulation:T9 Theme:T2 Cause:T1\n"),
    ("blocks", "E1\tNegative_regulation:T9 Theme:T2 Cause:T1\n"),
    ("binds", "E1\tBinding:T9 Theme:T1 Theme2:T2\n"),
    ("may induce", "E1\tPositive_regulation:T9 Theme:T2 Cause:T1\nM1\tSpeculation E1\n"),
    ("is not induced by", "E1\tPositive_regulation:T9 Theme:T1 Cause:T2\nM1\tNegation E1\n"),
    *((verb, "") for verb in ("and", "or", "with", "near")),
)


def test_recipe(tmp_path, monkeypatch, capsys):
    """Events of the data folder; the licence lies beside. A missing class is one line."""
    monkeypatch.setenv("RELSENT_DATA", str(tmp_path))
    (tmp_path / "relations").mkdir()
    documents = {}
    for n, (verb, events) in enumerate(KINDS * 2):
        text = f"Abc1 {verb} Xyz9."
        second = text.index("Xyz9")
        documents[f"train/{n}.txt"] = text
        proteins = f"T1\tProtein 0 4\tAbc1\nT2\tProtein {second} {second + 4}\tXyz9\n"
        documents[f"train/{n}.a1"] = proteins
        documents[f"train/{n}.a2"] = f"T9\tEvent 5 {5 + len(verb)}\t{verb}\n{events}"
    source = tmp_path / "relations" / "bionlp-st-2011-ge.tar.gz"
    _pack(source, documents)
    assert main(["statements", "--output", str(tmp_path / "m")]) == 0
    assert capsys.readouterr().out == f"{tmp_path / 'm'}: from 12 pairs of proteins\n"
    facts = json.loads((tmp_path / "m" / "model.json").read_text())
    assert facts["command"] == "python -m recipes statements"
    assert "BioNLP" in (tmp_path / "m" / "LICENSE").read_text(encoding="utf-8")
    assert models.load(tmp_path / "m", "statements")
    _pack(source, {name: text for name, text in documents.items() if name[6] == "0"})
    assert main(["statements", "--output", str(tmp_path / "m")]) == 4
    assert "no sentence is negated" in capsys.readouterr().err
