"""What several test packages share."""

import os
from pathlib import Path

import pytest


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
