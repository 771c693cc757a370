"""``python -m recipes`` lists the recipes, and runs one; an unknown name is one line."""

from importlib import import_module

import pytest

from recipes import RECIPES
from recipes.__main__ import main


def test_list(capsys: pytest.CaptureFixture[str]):
    """A line for each recipe, with its name first; a name that is none is one line."""
    assert main([]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.partition("\t")[0] for line in lines] == list(RECIPES)
    assert all(line.count("\t") == 3 for line in lines)
    assert main(["nothing"]) == 2
    told = capsys.readouterr()
    assert not told.out
    assert told.err.startswith("recipes: error: no recipe 'nothing' (one of ")
    assert told.err.count("\n") == 1


@pytest.mark.parametrize("name", RECIPES)
def test_help(name: str, capsys: pytest.CaptureFixture[str]):
    """Each recipe has a module, which is described."""
    assert import_module(f"recipes.{name.replace('-', '_')}").__doc__
    with pytest.raises(SystemExit) as ended:
        main([name, "--help"])
    assert ended.value.code == 0
    assert f"recipes {name}" in capsys.readouterr().out
