"""What several test packages share."""

import os
from pathlib import Path

import pytest

from relsent_ir.lucene.write.indexing import build_index
from relsent_ir.records import list_inputs


@pytest.fixture(scope="session", autouse=True)
def _cache(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Keep what commands cache out of the home folder."""
    os.environ["XDG_CACHE_HOME"] = str(tmp_path_factory.mktemp("cache"))


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder with the real collections; tests that need it skip when it is not there."""
    folder = os.environ.get("RELSENT_DATA")
    if not folder:
        pytest.skip("real data: RELSENT_DATA is not set")
    path = Path(folder)
    if not path.is_dir():
        pytest.fail(f"RELSENT_DATA names {folder}, which is no folder")
    return path


@pytest.fixture(scope="session")
def cystic_fibrosis(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The real collection's index; for reading only."""
    folder = tmp_path_factory.mktemp("cystic-fibrosis") / "index"
    build_index(list_inputs([data / "cystic-fibrosis"])[0], folder)
    return folder
