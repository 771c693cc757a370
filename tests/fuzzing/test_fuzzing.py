"""Damaged files and models are read or refused: nothing else ever comes out."""

import random
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from relsent_ir.errors import RelsentError
from relsent_ir.models import plugins
from relsent_ir.models.registry import KINDS
from tests.fuzzing.mutation import mutated
from tests.fuzzing.seeds import READERS
from tests.fuzzing.stored import MAKERS, load_crafted, made, use

FOUND = Path(__file__).parent / "found"
SHARED = settings(
    max_examples=30,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
pytestmark = [pytest.mark.filterwarnings("ignore::RuntimeWarning")]


@pytest.mark.parametrize("name", READERS)
def test_seeds(name: str, tmp_path: Path) -> None:
    """Each reader takes the sound files that damage starts from."""
    read, seeds = READERS[name]
    for seed in seeds:
        (tmp_path / "file").write_bytes(seed)
        if name != "abstracts":  # one of them has labels enough for training
            read(tmp_path / "file")


@pytest.mark.parametrize("name", READERS)
@SHARED
@given(number=st.integers(0, 2**32))
def test_damaged_files(name: str, number: int, tmp_path: Path) -> None:
    """A reader gives what it read, or one of our errors."""
    read, seeds = READERS[name]
    rng = random.Random(number)
    (tmp_path / "file").write_bytes(mutated(rng.choice(seeds), rng))
    try:
        read(tmp_path / "file")
    except RelsentError as error:
        assert "\n" not in str(error)  # noqa: PT017 (most are read, or refused)


@pytest.mark.parametrize("file", sorted(FOUND.glob("*.*")), ids=lambda file: file.name)
def test_found(file: Path) -> None:
    """What fuzzing found once, by the name of its reader."""
    try:
        READERS[file.name.partition(".")[0]][0](file)
    except RelsentError as error:
        assert "\n" not in str(error)  # noqa: PT017 (most are read, or refused)


def test_kinds() -> None:
    """There is a model of every kind, and each does its work."""
    ours = {name for name, point in plugins(KINDS).items() if "relsent_ir" in point.value}
    assert set(MAKERS) == ours
    for kind in MAKERS:
        use(made(kind).family, made(kind))


@pytest.mark.parametrize("kind", MAKERS)
@SHARED
@given(number=st.integers(0, 2**32))
def test_crafted_models(kind: str, number: int, tmp_path: Path) -> None:
    """A model whose parts do not fit is refused; one that is taken gives numbers."""
    assert load_crafted(tmp_path / "model", kind, random.Random(number)) in ("read", "refused")


STRANGE = """
import logging, random, resource, sys, time, warnings
from pathlib import Path

from tests.fuzzing.stored import MAKERS, load_strange, made, use

logging.disable(logging.CRITICAL)
warnings.simplefilter("ignore")

def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024

for kind in MAKERS:
    use(made(kind).family, made(kind))
sound, slowest = peak(), (0.0, 0)
kinds = sorted(MAKERS)
outcomes = set()
for number in range(int(sys.argv[2])):
    began = time.process_time()
    outcomes.add(load_strange(Path(sys.argv[1]), kinds[number % len(kinds)], random.Random(number)))
    slowest = max(slowest, (time.process_time() - began, number))
print(*sorted(outcomes), slowest[0] <= 5 or slowest, peak() - sound <= 500 or peak() - sound)
"""


@pytest.mark.slow
def test_models_of_strangers(tmp_path: Path) -> None:
    """A thousand, in a process that none of them ends: five seconds each, and 500 MB at most."""
    command = [sys.executable, "-c", STRANGE, str(tmp_path / "model"), "1000"]
    root = Path(__file__).parents[2]
    ran = subprocess.run(command, capture_output=True, text=True, check=False, cwd=root)
    assert ran.returncode == 0, ran.stderr[-2000:]
    assert ran.stdout == "read refused True True\n"
