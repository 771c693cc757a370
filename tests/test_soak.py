"""The soak itself, for a few seconds."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.mark.slow
def test_soak() -> None:
    """At least one update with a kill, and all is found as it must be."""
    program = [sys.executable, "-m", "benchmarks.soak"]
    environment = {**os.environ, "SOAK_S": "5"}
    ran = subprocess.run(
        program, cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert "all as they must be" in ran.stdout, ran.stderr
