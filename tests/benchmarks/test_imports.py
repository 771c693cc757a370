"""Benchmarks run seldom: a name that has moved is to be noticed before."""

import ast
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "benchmarks"
OURS = ("relsent_ir", "reproduce", "benchmarks.common")


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.py")), ids=lambda path: path.stem)
def test_names(path: Path) -> None:
    """Each name that a benchmark imports from us is there; nothing of it is run."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith(OURS):
            module = import_module(node.module)
            for alias in node.names:
                nested = f"{node.module}.{alias.name}"
                assert hasattr(module, alias.name) or find_spec(nested), nested


def test_documented() -> None:
    """Each benchmark that a page or the Makefile names is there."""
    pages = [*FOLDER.parents[0].glob("*.md"), *FOLDER.parents[0].joinpath("docs").rglob("*.md")]
    named = {
        word.partition("python -m benchmarks.")[2].split("`")[0].split()[0].rstrip(":,")
        for page in pages
        for word in page.read_text(encoding="utf-8").replace("\n", " ").split("`")
        if "python -m benchmarks." in word
    }
    assert named
    assert {name for name in named if not (FOLDER / f"{name}.py").exists()} <= {"NAME"}
