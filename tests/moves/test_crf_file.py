"""CRFsuite's file, mutated: refused, or harmless."""

import subprocess
import sys
from pathlib import Path

import pytest

from relsent_ir.errors import InputError
from relsent_ir.moves import Abstract
from relsent_ir.moves.crf import CRF, check


@pytest.fixture(scope="module")
def weights(abstracts: list[Abstract]) -> bytes:
    """A small model."""
    return CRF.train(abstracts).data


def test_sound(weights: bytes) -> None:
    """What CRFsuite writes passes."""
    check(weights)


@pytest.mark.parametrize("word", range(48 // 4))
def test_header(weights: bytes, word: int) -> None:
    """No other number in the header passes where CRFsuite follows it."""
    for value in (2**32 - 1, 2**31, len(weights), len(weights) - 5):
        changed = weights[: 4 * word] + value.to_bytes(4, "little") + weights[4 * word + 4 :]
        if word in (3, 4) or changed == weights:  # the version, and a count that is always 0
            check(changed)
        else:
            with pytest.raises(InputError, match="no weights of a CRF"):
                check(changed)


def test_cut_off(weights: bytes) -> None:
    """No beginning of the file passes, nor one that says it is so long."""
    for end in range(0, len(weights), 97):
        with pytest.raises(InputError):
            check(weights[:end])
        with pytest.raises(InputError):
            check(weights[:4] + end.to_bytes(4, "little") + weights[8:end])


USE = """
import random, sys
from pathlib import Path
from relsent_ir.errors import InputError
from relsent_ir.moves.crf import CRF, CRFSettings

data = Path(sys.argv[1]).read_bytes()
rng = random.Random(int(sys.argv[2]))
refused = 0
for _ in range(int(sys.argv[3])):
    changed = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 8))):
        at = rng.randrange(0, len(data) - 4)
        if rng.random() < 0.5:
            at -= at % 4
            value = rng.choice((0, 1, 2**31, 2**32 - 1, len(data)))
            changed[at : at + 4] = value.to_bytes(4, "little")
        else:
            changed[at] ^= 1 << rng.randrange(8)
    try:
        model = CRF(bytes(changed), CRFSettings())
        for move, score in model.predict("Title 3", ["We aimed high.", "Rats 3 were fed."]):
            assert score == score
    except InputError:
        refused += 1
print(refused)
"""


def test_mutations_do_not_end_the_process(weights: bytes, tmp_path: Path) -> None:
    """Of 400 mutated files each is refused, or read without a crash, in a process of its own."""
    path = tmp_path / "crf"
    path.write_bytes(weights)
    ran = subprocess.run(
        [sys.executable, "-c", USE, str(path), "1", "400"],
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    assert int(ran.stdout) > 100
