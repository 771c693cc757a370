"""An encoder and an index of the sample."""

from pathlib import Path

import pytest

from relsent_ir.datasets.bundled import SAMPLE
from relsent_ir.lucene.write.indexing import build_index
from tests.dense.tiny import write_model


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tiny encoder's folder; for reading only."""
    return write_model(tmp_path_factory.mktemp("encoder") / "tiny")


@pytest.fixture
def sample(tmp_path: Path) -> Path:
    """An index of the sample, whose derived data are the test's own."""
    build_index([(SAMPLE / "sample.xml", "pubmed-xml")], tmp_path / "index")
    return tmp_path / "index"
