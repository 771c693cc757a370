"""Damaged files and models are read or refused: nothing else ever comes out."""

import random
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
pytestmark = [
    pytest.mark.filterwarnings("ignore::RuntimeWarning"),
]


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
    assert set(MAKERS) == ours - {"ranker-lambdamart"}
    for kind in MAKERS:
        use(made(kind).family, made(kind))


@pytest.mark.parametrize("kind", MAKERS)
@SHARED
@given(number=st.integers(0, 2**32))
def test_crafted_models(kind: str, number: int, tmp_path: Path) -> None:
    """A model whose parts do not fit is refused; one that is taken gives numbers."""
    assert load_crafted(tmp_path / "model", kind, random.Random(number)) in ("read", "refused")
