"""What several test packages share."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from relsent_ir.lucene.write.indexing import build_index
from relsent_ir.records import list_inputs

Run = Callable[[str, Path], tuple[str, str, int]]


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


@pytest.fixture(scope="session")
def run() -> Run:
    """Run a command in a folder as a user would; what it prints and says, and its exit code."""

    def call(command: str, folder: Path) -> tuple[str, str, int]:
        known = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        environment = {**os.environ, "PATH": known, "NO_COLOR": "1", "COLUMNS": "80"}
        ran = subprocess.run(
            ["bash", "-c", command],
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        return ran.stdout, ran.stderr, ran.returncode

    return call
