"""The clusters that tests share, and the sample in them."""

import logging
from importlib.resources import files
from pathlib import Path

import pytest

from relsent_ir.cli.main import main
from relsent_ir.lucene.write.changing import model_tagger
from relsent_ir.lucene.write.indexing import build_index
from tests.opensearch.nodes import HOME, Nodes

SAMPLE = Path(str(files("relsent_ir") / "datasets" / "sample"))


def export(folder, address, *flags):
    """Send a collection, as the command does."""
    code = main(["export", "--index", str(folder), "--to", address, *flags])
    logging.getLogger("relsent_ir").handlers = []
    return code


def _nodes(tmp_path_factory, name, count):
    if not (HOME / "classes").is_dir():
        pytest.skip("no OpenSearch here: make opensearch")
    return Nodes(tmp_path_factory.mktemp(name), count)


@pytest.fixture(scope="session")
def node(tmp_path_factory):
    """One node of a real OpenSearch."""
    with _nodes(tmp_path_factory, "one", 1) as nodes:
        yield nodes


@pytest.fixture(scope="session")
def three(tmp_path_factory):
    """Three nodes of a real OpenSearch."""
    with _nodes(tmp_path_factory, "three", 3) as nodes:
        yield nodes


@pytest.fixture(scope="session")
def sample(tmp_path_factory):
    """The sample's index, with moves; for reading only."""
    folder = tmp_path_factory.mktemp("sample") / "index"
    build_index([(SAMPLE / "sample.xml", "pubmed-xml")], folder, tagger=model_tagger(None))
    return folder


@pytest.fixture(scope="session")
def sent(node, sample):
    """The address of the sample in one shard of one node."""
    address = f"{node.address}/sample"
    assert export(sample, address) == 0
    return address
