"""What the pages say is what the verbs print."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[1] / "docs"


@pytest.mark.slow
def test_cookbook(tmp_path: Path) -> None:
    """Every block of the cookbook, in its order, in an empty folder."""
    known = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": known, "NO_COLOR": "1"}
    environment.pop("RELSENT_DATA", None)
    blocks = re.findall(r"```console\n\$ (.*)\n((?:.*\n)*?)```", (DOCS / "cookbook.md").read_text())
    assert len(blocks) == 30
    for command, expected in blocks:
        ran = subprocess.run(
            ["bash", "-c", command], cwd=tmp_path, env=environment, capture_output=True, text=True,
            check=False,
        )  # fmt: skip
        assert ran.stdout == expected, f"{command}\n{ran.stderr}"
