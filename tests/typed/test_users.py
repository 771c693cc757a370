"""What a user's type checker sees of the face."""

import subprocess
import sys
from pathlib import Path

FILE = Path(__file__).parent / "users.py"


def test_mypy() -> None:
    """`mypy --strict` accepts users' lines, and no value in them is `Any`."""
    command = [sys.executable, "-m", "mypy", "--strict", str(FILE)]
    ran = subprocess.run(command, capture_output=True, text=True, check=False, cwd=FILE.parents[2])
    assert ran.stdout.startswith("Success"), ran.stdout
