"""Models by kind."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from relsent_ir import models
from relsent_ir.errors import InputError, MismatchError, MissingError
from relsent_ir.method import parse
from relsent_ir.methods import Answers
from relsent_ir.models import FAMILIES, plugins
from relsent_ir.models.registry import KINDS, READ_BY, method_of
from tools import record_facts

METHODS = {method.__name__: method for method in READ_BY.values()}


def test_kinds() -> None:
    """Each kind's class says so itself, and is of a known family."""
    for name, point in plugins(KINDS).items():
        found = point.load()
        assert found.family in FAMILIES
        assert getattr(found, "kind", name) == name or isinstance(found.kind, property)


@pytest.mark.parametrize("family", [name for name, (_, folder) in FAMILIES.items() if folder])
def test_packaged(family: str) -> None:
    """Each packaged model is read once; by no name it is the packaged one."""
    found = models.default(family)
    assert found.family == family
    assert models.load(None, family) is found
    assert type(models.load(models.packaged(family), family)) is type(found)


@pytest.mark.parametrize("family", FAMILIES)
def test_wrong_kind(family: str, tmp_path: Path) -> None:
    """One wording, one exit code; a kind that nobody knows too."""
    models.save_folder(tmp_path / "m", "unheard-of", {}, {})
    others = [models.packaged("moves" if family != "moves" else "answers"), tmp_path / "m"]
    for folder in others:
        with pytest.raises(MismatchError, match=f"not of {FAMILIES[family][0]}") as raised:
            models.load(folder, family)
        trained = family in ("moves", "ranker", "related")
        fix = f"relsent-ir train {family}" if trained else f"give a model of {FAMILIES[family][0]}"
        assert raised.value.fix == fix


@pytest.mark.parametrize("kind", ["huber", "moves-crf", "relations", "tagger"])
def test_damaged(kind: str, tmp_path: Path) -> None:
    """Parts that are missing or do not fit: one error."""
    family = plugins(KINDS)[kind].load().family
    models.save_folder(tmp_path / "m", kind, {"features": {}}, {"weights": np.zeros(3)})
    with pytest.raises(InputError, match=r"m: the model's parts do not fit together"):
        models.load(tmp_path / "m", family)


def test_method(tmp_path: Path) -> None:
    """A folder keeps the text form of the method that takes the model, with what goes with it."""
    model = models.default("ranker")
    text = models.save(tmp_path / "m", model, dense="encoder")
    assert text == f'Ranker(model="{tmp_path}/m", dense="encoder")'
    assert (
        models.load_folder(tmp_path / "m").facts["method"] == 'Ranker(model=".", dense="encoder")'
    )
    assert str(method_of(tmp_path / "m")) == text
    assert models.save(tmp_path / "t", models.default("tagger")) == ""
    with pytest.raises(InputError, match="this model keeps no method"):
        method_of(tmp_path / "t")


PACKAGED = {
    "ranker/default": 'Ranker(model=".")',
    "related/default": 'Related(model=".")',
    "answers/default": 'Answers(model=".")',
    "relations/default": 'Relations(model=".")',
    "relations/events": 'Relations(model=".")',
    "relations/paper": 'Relations(model=".")',
    "relations/stated": "",
    "moves/default": "",
    "text/default/tagger": "",
    "text/default/chunker": "",
}


def test_packaged_methods() -> None:
    """Every packaged model keeps the text form of its method, as `save` writes it."""
    package = Path(models.__file__).parents[1]
    folders = {path.parent.relative_to(package).as_posix() for path in package.rglob("model.json")}
    assert folders == set(PACKAGED)
    for folder, method in PACKAGED.items():
        facts = models.load_folder(package / folder).facts
        assert facts["method"] == method
        if method:
            assert (
                method_of(package / folder).changed(model=".") == parse(method, METHODS).stages[0]
            )


def test_without_method(tmp_path: Path) -> None:
    """A model of before, which keeps no method, is read all the same."""
    folder = tmp_path / "m"
    shutil.copytree(models.packaged("answers"), folder)
    facts = json.loads((folder / "model.json").read_text())
    del facts["method"]
    (folder / "model.json").write_text(json.dumps(facts))
    assert models.load(folder, "answers").family == "answers"
    with pytest.raises(InputError, match="this model keeps no method"):
        method_of(folder)
    record_facts.main(folder)
    assert method_of(folder) == Answers(model=str(folder))


def test_not_installed() -> None:
    """Without entry points it says what to do."""
    with pytest.raises(MissingError, match="pip install"):
        plugins("relsent_ir.nothing")
