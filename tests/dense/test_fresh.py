"""The extra `dense` in an environment of its own, with the weights that the registry has."""

import os
import shutil
from pathlib import Path

import pytest

import relsent_ir as rir
from relsent_ir.datasets.bundled import SAMPLE
from relsent_ir.dense.minilm import NAME, PACKAGE, SUMS, VERSION
from relsent_ir.files import sha256
from relsent_ir.lucene.write.indexing import build_index
from relsent_ir.records import list_inputs
from tests.conftest import Run

ROOT = Path(__file__).parents[2]
SOURCES = ("pyproject.toml", "README.md", "LICENSE", "NOTICE", "relsent_ir")


@pytest.mark.slow
def test_from_nothing_to_vectors(tmp_path: Path, run: Run) -> None:
    """Two commands, the install and the encode; then the ranker takes the vectors, and says so."""
    out, err, code = run(f"python -m pip --retries 0 index versions {PACKAGE}", tmp_path)
    if code:
        pytest.skip(f"pip reaches no registry with {PACKAGE}, whose weights are needed: {err}")
    assert VERSION in out
    for name in SOURCES:  # pip builds in the folder itself
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        copy(ROOT / name, tmp_path / name)
    data = Path(os.environ.get("RELSENT_DATA", ""), "cystic-fibrosis")
    inputs = list_inputs([data])[0] if data.is_dir() else [(SAMPLE / "sample.xml", "pubmed-xml")]
    build_index(inputs, tmp_path / "cf")
    with rir.open_collection(tmp_path / "cf") as collection:
        records = len(collection)
    install = "python -m venv fresh && fresh/bin/pip install -q '.[dense]'"
    out, err, code = run(f"{install} && fresh/bin/pip install -q --no-deps pyserini", tmp_path)
    assert code == 0, err
    fresh = f"XDG_CACHE_HOME={tmp_path} fresh/bin/relsent-ir"
    out, err, code = run(f"{fresh} encode --index cf", tmp_path)
    assert code == 0, err
    assert f"{records} of them new" in out
    model = tmp_path / "relsent-ir" / NAME
    assert {name: sha256(model / name) for name in SUMS} == SUMS
    search = f"{fresh} search --index cf --ranker ranker --text 'calcium in mucus'"
    out, err, code = run(search, tmp_path)
    assert code == 0, err
    assert f"the ranker takes the vectors of {NAME} that lie beside the index" in err
    assert len(out.splitlines()) > 10
