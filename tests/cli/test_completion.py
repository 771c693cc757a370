"""Shell completion, which click does, and the help that stands in for a manual."""

import os
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("relsent-ir se", {"search", "serve"}),
        ("relsent-ir fetch cy", {"cystic-fibrosis"}),
        ("relsent-ir search --max-passage-", {"--max-passage-hits", "--max-passage-delimiter"}),
        ("relsent-ir search --unit s", {"sentences"}),
    ],
)
def test_completed(line, found):
    """Verbs, collections, flags and their values."""
    told = {"COMP_WORDS": line, "COMP_CWORD": str(line.count(" "))}
    environment = {**os.environ, **told, "_RELSENT_IR_COMPLETE": "bash_complete"}
    program = Path(sys.executable).with_name("relsent-ir")
    ran = subprocess.run([program], env=environment, capture_output=True, text=True, check=False)
    assert {line.partition(",")[2] for line in ran.stdout.splitlines()} == found


def test_help(relsent):
    """It has what a manual's page has: exit codes, the environment, files, completion."""
    out = relsent("--help").out
    for part in ("Exit codes", "Environment", "RELSENT_DATA", "Files:", "Completion:"):
        assert part in out
