"""How sentences state relations."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from relsent_ir import models
from relsent_ir.errors import InputError
from relsent_ir.relations.candidates import Candidate
from relsent_ir.relations.describing import FeatureSettings, describe
from relsent_ir.relations.statements import (
    Statement,
    direction_of,
    packaged_statements,
    polarity_features,
    side_of,
    status_features,
)
from relsent_ir.relations.structure import Structure
from relsent_ir.text.parsing import default_parser

StructureOf = Callable[[str, str, str], Structure]


def test_features(structure_of: StructureOf) -> None:
    """Cues by side and distance; verbs by kind; every token has a side; verbs lead one way."""
    found = set(status_features(structure_of("Abc1 does not bind Xyz2.", "Abc1", "Xyz2")))
    assert found == {
        *("status:not", "status:between not", "status:between negation"),
        *("status:between negation far 0", "status:between negation breaks 0"),
        *("status:between negation verb", "status:between negation of 0"),
        "status:between negation with breaks 0",
    }
    text = "It may be, but in the old and tired rats Abc1 binds Xyz2."
    found = set(status_features(structure_of(text, "Abc1", "Xyz2")))
    assert {"status:left conjecture far 2", "status:left conjecture breaks 2"} <= found
    assert not list(status_features(structure_of("Abc1 not only binds Xyz2.", "Abc1", "Xyz2")))
    found = set(polarity_features(structure_of("Abc1 blocks activation of Xyz2.", "Abc1", "Xyz2")))
    assert {"polarity:between inhibit", "polarity:between inhibit near"} <= found
    assert {"polarity:between increases", "polarity:of", "polarity:between of"} <= found
    structure = structure_of("The Abc1 gene of Xyz2 ran.", "Abc1 gene", "Xyz2")
    sides = [side_of(structure, i) for i in range(len(structure.words))]
    assert sides == ["left", "inside", "inside", "between", "inside", "right", "right"]
    found = [direction_of(word) for word in ("inhibition", "binding", "induces", "bound", "rats")]
    assert found == ["decreases", "binds", "increases", "binds", ""]


def test_an_entity_outside(structure_of: StructureOf) -> None:
    """A sentence without both entities has no such features."""
    whole = structure_of("Abc1 does not block Xyz2.", "Abc1", "Xyz2")
    lacking = Structure(whole.candidate, whole.words, whole.tags, whole.first, None, whole.phrases)
    assert not [*status_features(lacking), *polarity_features(lacking)]


def test_flags() -> None:
    """A flag stands where it is nearly sure, and names the likelier of the two."""
    assert Statement(0.05, "negated", "binds", 0.4, 0).flag == "negated"
    assert Statement(0.30, "negated", "binds", 0.4, 0).flag == ""
    assert Statement(0.30, "negated", "binds", 0.44, 0).direction == ""
    assert Statement(0.30, "negated", "binds", 0.46, 0).direction == "binds"
    text = "Abc1 does not bind Xyz9."
    row = next(
        iter(
            describe(
                [Candidate("g", "1", text, (0, 4), (19, 23))], default_parser(), FeatureSettings()
            )
        )
    )
    model = packaged_statements()
    assert model
    assert model.read(row).flag == "negated"


def test_damaged(tmp_path: Path) -> None:
    """Weights of another shape, not finite, or without an intercept are refused."""
    packaged = models.packaged("statements")
    for change in ("shape", "nan", "intercept"):
        folder = tmp_path / change
        shutil.copytree(packaged, folder)
        values = np.load(folder / "status_weights.npy")
        if change == "shape":
            values = values[:, :2]
        elif change == "nan":
            values[0, 0] = np.nan
        else:
            facts = json.loads((folder / "model.json").read_text())
            names = [b"x%d" % n for n in range(len(values))]
            packed = models.pack_strings([name.decode() for name in sorted(names)])
            np.save(folder / "status_names.npy", packed)
            (folder / "model.json").write_text(json.dumps(facts))
        np.save(folder / "status_weights.npy", values)
        with pytest.raises(InputError):
            models.load(folder, "statements")
