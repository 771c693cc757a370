"""``relsent-ir mcp``: what keeps it from beginning; the tools are in tests/web/test_agents.py."""

from collections.abc import Callable
from pathlib import Path

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
def test_mistakes(
    relsent: Callable[..., object],
    sample_indexes: Path,
    arguments: tuple[str],
    code: int,
    told: str,
) -> None:
    """Each is one line and an exit code."""
    ran = relsent("mcp", "--index", sample_indexes, *arguments)
    assert (ran.code, told in ran.err) == (code, True), ran.err  # type: ignore[attr-defined]


def test_no_index(relsent: Callable[..., object], tmp_path: Path) -> None:
    """A folder without an index is refused before a client waits for it."""
    ran = relsent("mcp", "--index", tmp_path)
    assert (ran.code, "there is no index" in ran.err) == (4, True)  # type: ignore[attr-defined]
