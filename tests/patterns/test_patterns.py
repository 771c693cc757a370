"""No regular expression of the package takes long on any text."""

import re
import subprocess
import sys

import pytest

from tests.patterns.found import Found
from tests.patterns.pumped import slow


def test_nested_repeats():
    """Repeats within repeats are found, and a pattern that is plain is not."""
    assert slow(Found(re.compile(r"(\w+ )*\w+$"), "here", True))
    assert slow(Found(re.compile(r"(?:\w+ ?)*$"), "here", False))
    assert slow(Found(re.compile(r"(?:a|aa|b)+c"), "here", False))
    assert not slow(Found(re.compile(r"(?:\w+ )\w+"), "here", False))


def test_search():
    """A run that begins anywhere is long when it is looked for, and quick at one place."""
    assert slow(Found(re.compile(r"\d+x"), "here", True))
    assert not slow(Found(re.compile(r"\d+x"), "here", False))


@pytest.mark.parametrize("every", [16, pytest.param(1, marks=pytest.mark.slow)])
def test_package(every):
    """Those of the package, one of sixteen here, are none of them."""
    command = [sys.executable, "-m", "tests.patterns", "--every", str(every)]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
