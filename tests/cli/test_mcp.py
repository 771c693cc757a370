"""``relsent-ir mcp``: what keeps it from beginning; the tools are in tests/web/test_agents.py."""

import pytest


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (("--token", "x"), 2, "--host, --allow-host and --token go with --http"),
        (("--http", "--token", ""), 2, "--token is empty"),
        (("--host", "203.0.113.9", "--http"), 2, "cannot listen at 203.0.113.9"),
        (("--ranker", "nobody"), 2, "no model 'nobody'"),
    ],
)
def test_mistakes(refused, sample_indexes, arguments, code, told):
    """Each is one line and an exit code."""
    refused(code, told, "mcp", "--index", sample_indexes, *arguments)


def test_no_index(refused, tmp_path):
    """A folder without an index is refused before a client waits for it."""
    refused(4, "there is no index", "mcp", "--index", tmp_path)
