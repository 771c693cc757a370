"""The notebook of PyTerrier says what its cells give."""

import json
import subprocess
import sys
import warnings
from pathlib import Path

import pytest

from tests.notebooks import outputs, stored

NOTEBOOK = Path(__file__).parents[1] / "docs" / "pyterrier.ipynb"


def test_cells() -> None:
    """A cell's output is what it prints, and its last value."""
    cells = [{"cell_type": "code", "source": ["x = 2\n", "print(x)\n", "x + 1"]}, {"cell_type": ""}]
    assert outputs({"cells": [*cells, {"cell_type": "code", "source": ["y = x"]}]}) == [
        "2\n3\n",
        "",
    ]


def test_figures() -> None:
    """The experiment that is stored has the figures of `evaluate`."""
    texts = stored(json.loads(NOTEBOOK.read_text(encoding="utf-8")))
    assert any("BM25 0.2912" in text and "RM3 0.3437" in text for text in texts)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_notebook(data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every cell gives what is stored; only Huber+ is trained on fewer pairs here."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        pytest.importorskip("pyterrier")
    monkeypatch.chdir(tmp_path)
    relsent = str(Path(sys.executable).with_name("relsent-ir"))
    for arguments in (
        "fetch cystic-fibrosis",
        "index --input collections/cystic-fibrosis --index indexes/cf",
        "train related --model huber-plus --pairs 300 --index indexes/cf"
        " --output models/huber-plus",
    ):
        subprocess.run([relsent, *arguments.split()], check=True, capture_output=True)
    notebook = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
    for found, expected in zip(outputs(notebook), stored(notebook), strict=True):
        lines = zip(found.splitlines(), expected.splitlines(), strict=True)
        assert all(one == other or one.startswith("and Huber+") for one, other in lines)
