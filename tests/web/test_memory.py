"""Memory that goes back to the system."""

import ctypes
import subprocess
import sys

import pytest

BLOCKS = """
import ctypes, sys

from relsent_ir.web.memory import give_back

class Told(ctypes.Structure):
    _fields_ = [(name, ctypes.c_size_t) for name in "abcdefghij"]  # d: blocks, each mapped alone

library = ctypes.CDLL(None)
library.mallinfo2.restype = Told
library.malloc.restype, library.free.argtypes = ctypes.c_void_p, [ctypes.c_void_p]
if sys.argv[1] == "yes":
    give_back()
library.free(library.malloc(8 << 20))
before = library.mallinfo2().d
block = library.malloc(4 << 20)
print(library.mallinfo2().d - before)
"""


@pytest.mark.skipif(not hasattr(ctypes.CDLL(None), "mallinfo2"), reason="needs the GNU C library")
@pytest.mark.parametrize(("given", "mapped"), [("yes", 1), ("no", 0)])
def test_large_blocks(given: str, mapped: int) -> None:
    """One is mapped alone after a larger one was freed, which it is not by default."""
    ran = subprocess.run(
        [sys.executable, "-c", BLOCKS, given], capture_output=True, text=True, check=True
    )
    assert int(ran.stdout) == mapped


def test_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another library is left as it is."""
    from relsent_ir.web.memory import give_back

    monkeypatch.setattr(ctypes, "CDLL", lambda _: object())
    give_back()
