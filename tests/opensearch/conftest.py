"""The clusters that tests share."""

import pytest

from tests.opensearch.nodes import HOME, Nodes


@pytest.fixture(scope="session")
def node(tmp_path_factory):
    """One node of a real OpenSearch."""
    if not (HOME / "classes").is_dir():
        pytest.skip("no OpenSearch here: make opensearch")
    with Nodes(tmp_path_factory.mktemp("one")) as nodes:
        yield nodes


@pytest.fixture(scope="session")
def three(tmp_path_factory):
    """Three nodes of a real OpenSearch."""
    if not (HOME / "classes").is_dir():
        pytest.skip("no OpenSearch here: make opensearch")
    with Nodes(tmp_path_factory.mktemp("three"), 3) as nodes:
        yield nodes
