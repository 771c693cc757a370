"""The nodes that the other tests stand on."""

import pytest

pytestmark = pytest.mark.slow


def test_a_node_answers(node):
    """The node is of the line that the manual names."""
    assert node.ask("/")["version"]["number"].startswith("2.19.")
