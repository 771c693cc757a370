"""Stems of words."""

import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from relsent_ir.text.stems import stem

ENDS = ("ation", "ations", "e", "es", "ed", "ing", "ingly", "or", "ors", "iveness", "fulness", "al")


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("reduce", "reduces", "reduced", "reducing"), "reduc"),
        (("activate", "activates", "activation", "activator", "activated"), "activ"),
        (("therapy", "therapies"), "therapi"),
        (("12",), "12"),
        (("",), ""),
    ],
)
def test_stem(words: tuple[str, ...], expected: str) -> None:
    """Forms of a word have one stem; numbers stay."""
    assert {stem(word) for word in words} == {expected}


def test_threads() -> None:
    """Stems that threads ask for at once are those of one thread."""
    words = [f"{start}{end}" for start in ("activ", "relat", "induc", "hop") for end in ENDS]
    expected = [stem(word) for word in words]
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(8) as threads:
            found = list(threads.map(lambda _: [stem.__wrapped__(w) for w in words], range(40)))
    finally:
        sys.setswitchinterval(interval)
    assert all(one == expected for one in found)
