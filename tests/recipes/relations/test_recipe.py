"""``python -m recipes relations``."""

import gzip
import json
from pathlib import Path

import numpy as np
import pytest

from recipes.__main__ import main
from recipes.relations.learning import train_ranker
from relsent_ir import models
from relsent_ir.errors import InputError
from relsent_ir.relations import FeatureSettings, RelationRanker
from relsent_ir.relations.candidates import Candidate
from relsent_ir.text.parsing import default_parser
from reproduce.tudor_2012.measures import evaluate
from tests.recipes.relations.test_corpora import A1, A2, TEXT, _pack
from tests.relations.conftest import graded


@pytest.fixture(scope="module")
def ranker() -> RelationRanker:
    """A ranker of invented sentences."""
    return train_ranker([graded()], default_parser(), FeatureSettings())


def test_learns(ranker: RelationRanker) -> None:
    """What it was trained on is in order."""
    assert evaluate(graded(), ranker.score(graded())).pair_accuracy > 0.95


@pytest.mark.parametrize("kind", ["paper", "lexical"])
@pytest.mark.parametrize("simplify", [True, False])
def test_store(tmp_path: Path, kind: str, simplify: bool) -> None:
    """A written ranker scores as before."""
    made = train_ranker([graded()], default_parser(), FeatureSettings(kind, simplify, ("length",)))
    models.save(tmp_path / "m", made, {"command": "made"})
    again = models.load(tmp_path / "m", "relations")
    assert again.settings == made.settings
    assert np.allclose(again.score(graded()), made.score(graded()), atol=1e-5)


def test_settings_matter() -> None:
    """Groups that are left out have no weights; without lexical features there are few."""
    made = train_ranker([graded()], default_parser(), FeatureSettings("paper", without=("verb",)))
    assert not any(name.startswith("verb:") for name in made.learned.weights)
    assert not any(name.startswith("between:") for name in made.learned.weights)


def test_no_preferences() -> None:
    """A single sentence teaches nothing, and the file is named."""
    with pytest.raises(InputError, match=r"x\.jsonl: no group has two sentences"):
        train_ranker([graded()[:1]], default_parser(), FeatureSettings(), where=Path("x.jsonl"))


def _lines(candidates: list[Candidate]) -> str:
    rows = [
        {"group": c.group, "id": str(n), "text": c.text, "e1": c.e1, "e2": c.e2, "grade": c.grade}
        for n, c in enumerate(candidates)
    ]
    return "".join(json.dumps(row) + "\n" for row in rows)


def test_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A model of a file's candidates carries what made it, and no licence."""
    source, output = tmp_path / "in.jsonl", tmp_path / "m"
    source.write_text(_lines(graded()), encoding="utf-8")
    options = ["--input", str(source), "--features", "paper", "--output", str(output)]
    assert main(["relations", *options]) == 0
    assert "weights from 30 candidates" in capsys.readouterr().out
    facts = json.loads((output / "model.json").read_text())
    assert facts["command"] == "python -m recipes relations --input in.jsonl --features paper"
    assert facts["data"]["files"][0]["name"] == "in.jsonl"
    assert (facts["features"], facts["simplify"]) == ("paper", True)
    assert not (output / "LICENSE").exists()


def test_corpora(tmp_path, monkeypatch, capsys):
    """Events and drug interactions of the data folder; the licences of both lie beside."""
    monkeypatch.setenv("RELSENT_DATA", str(tmp_path))
    (tmp_path / "relations" / "ddi-2013").mkdir(parents=True)
    files = {f"train/1{end}": text for end, text in ((".txt", TEXT), (".a1", A1), (".a2", A2))}
    _pack(tmp_path / "relations" / "bionlp-st-2011-ge.tar.gz", files)
    drugs = tmp_path / "relations" / "ddi-2013" / "train.jsonl.gz"
    drugs.write_bytes(gzip.compress(_lines(graded()).encode()))
    assert main(["relations", "--output", str(tmp_path / "m")]) == 0
    assert "weights from " in capsys.readouterr().out
    licence = (tmp_path / "m" / "LICENSE").read_text(encoding="utf-8")
    assert "BioNLP Shared Task 2011" in licence
    assert "DDI corpus 2013" in licence
    assert models.load(tmp_path / "m", "relations").score(graded()).shape == (30,)


def test_no_data(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Without the data folder, one line."""
    monkeypatch.delenv("RELSENT_DATA", raising=False)
    assert main(["relations", "--output", "m"]) == 3
    assert "RELSENT_DATA is not set" in capsys.readouterr().err
