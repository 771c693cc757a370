"""The compiled Java helper is made from its sources."""

import importlib.util
import subprocess
import zipfile
from pathlib import Path
from types import ModuleType

import pytest

from relsent_ir.lucene.jvm import anserini_jar, helper_jar


@pytest.fixture(scope="module")
def builder() -> ModuleType:
    """The build script, which is no module of the package."""
    path = Path(__file__).parents[2] / "tools" / "helper_jar.py"
    spec = importlib.util.spec_from_file_location("build_helper_jar", path)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_jar_is_of_these_sources(builder: ModuleType) -> None:
    """The checksum in the jar is that of the sources: nobody forgot to build."""
    with zipfile.ZipFile(helper_jar()) as jar:
        assert jar.read(builder.DIGEST).decode() == builder.sources_digest()


def test_jar_holds_our_classes_only(builder: ModuleType) -> None:
    """Every source has its class, and nothing else came along."""
    with zipfile.ZipFile(helper_jar()) as jar:
        names = {name for name in jar.namelist() if not name.startswith("META-INF/")}
        dates = {entry.date_time for entry in jar.infolist()}
    sources = {path.stem for path in builder.SOURCES.rglob("*.java")}
    assert {name.partition("$")[0].removesuffix(".class") for name in names} == {
        f"relsent/{source}" for source in sources
    }
    assert dates == {builder.JAR_EPOCH}


def test_rebuilding_gives_the_same_bytes(builder: ModuleType, tmp_path: Path) -> None:
    """The same compiler with the same Lucene makes the very jar that is shipped."""
    with zipfile.ZipFile(helper_jar()) as jar:
        wanted = jar.read(builder.COMPILER).decode()
    try:
        found = builder.compiler()
    except (OSError, subprocess.CalledProcessError):
        pytest.skip(f"{wanted} is not on PATH")
    if found != wanted:
        pytest.skip(f"the jar was made by {wanted}, on PATH is {found}")
    if anserini_jar().name != "anserini-1.7.1-fatjar.jar":
        pytest.skip(f"the jar was made against Anserini 1.7.1, here is {anserini_jar().name}")
    builder.build(tmp_path / "again.jar")
    assert (tmp_path / "again.jar").read_bytes() == helper_jar().read_bytes()
