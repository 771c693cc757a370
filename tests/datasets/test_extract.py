"""Tests of unpacking archives that mean no good."""

import gzip
import io
import tarfile
from pathlib import Path

import pytest

from relsent_ir.datasets import extract as module
from relsent_ir.datasets.extract import extract
from relsent_ir.errors import InputError


def pack(path: Path, *members: tuple[str, bytes | tarfile.TarInfo]) -> Path:
    """Write a gzipped tar file; a member is a name with content, or made by hand."""
    with tarfile.open(path, "w:gz") as tar:
        for name, content in members:
            if isinstance(content, bytes):
                info = tarfile.TarInfo(name)
                info.size = len(content)
                tar.addfile(info, io.BytesIO(content))
            else:
                content.name = name
                tar.addfile(content)
    return path


def special(kind: bytes, target: str = "") -> tarfile.TarInfo:
    """Make a link, a device or a folder."""
    info = tarfile.TarInfo()
    info.type = kind
    info.linkname = target
    return info


def files(folder: Path) -> dict[str, bytes]:
    """Read all files below a folder."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() or path.is_symlink()
    }


@pytest.fixture
def places(tmp_path: Path) -> dict[str, Path]:
    """Want two files, going to two folders."""
    return {"a": tmp_path / "out" / "x" / "a", "b": tmp_path / "out" / "y" / "b"}


@pytest.fixture
def scratch(tmp_path: Path) -> Path:
    """Name a folder that is not there yet."""
    return tmp_path / "out" / "scratch"


def test_the_wanted_files_are_taken_wherever_they_lie(tmp_path, places, scratch):
    """Folders in the archive do not matter; only what has changed is replaced."""
    archive = pack(
        tmp_path / "t.tar.gz",
        ("top", special(tarfile.DIRTYPE)),
        ("top/early/a", special(tarfile.SYMTYPE, "../a")),
        ("top/a", b"first"),
        ("top/other", b"not wanted"),
        ("top/deep/er/b", b"second"),
        ("top/deep/a", b"another of that name"),
    )
    assert extract(archive, scratch, places) == {places["a"]: True, places["b"]: True}
    assert files(tmp_path / "out") == {"x/a": b"first", "y/b": b"second"}
    archive = pack(tmp_path / "t.tar.gz", ("a", b"first"), ("b", b"second"))
    extract(archive, scratch, places)
    before = places["a"].stat()
    places["b"].write_bytes(b"changed")
    assert extract(archive, scratch, places) == {places["a"]: False, places["b"]: True}
    assert places["a"].stat().st_ino == before.st_ino
    assert places["b"].read_bytes() == b"second"


def test_a_folder_serves_as_well(tmp_path: Path, places: dict[str, Path], scratch: Path) -> None:
    """Unpacked files are found at any depth, and may be gzipped."""
    (tmp_path / "in" / "deep").mkdir(parents=True)
    (tmp_path / "in" / "deep" / "a").write_bytes(b"first")
    (tmp_path / "in" / "b.gz").write_bytes(gzip.compress(b"second"))
    extract(tmp_path / "in", scratch, places)
    assert files(tmp_path / "out") == {"x/a": b"first", "y/b": b"second"}


@pytest.mark.parametrize("name", ["../a", "top/../../a", "/a", "../../../../etc/a"])
def test_a_path_out_of_the_folder_refuses_the_archive(tmp_path, places, scratch, name):
    """Even what came before it is not kept."""
    archive = pack(tmp_path / "t.tar.gz", ("b", b"second"), (name, b"first"))
    with pytest.raises(InputError, match=r"t.tar.gz: the member .* leave the folder"):
        extract(archive, scratch, places)
    assert set(files(tmp_path)) == {"t.tar.gz"}


@pytest.mark.parametrize(
    "member",
    [
        special(tarfile.SYMTYPE, "/etc/hosts"),
        special(tarfile.LNKTYPE, "../../outside"),
        special(tarfile.CHRTYPE),
        special(tarfile.FIFOTYPE),
    ],
)
def test_links_and_devices_are_never_made(tmp_path, places, scratch, member):
    """A wanted name that is one of them counts as missing."""
    archive = pack(tmp_path / "t.tar.gz", ("a", member), ("b", b"second"))
    with pytest.raises(InputError, match="there is no a in it"):
        extract(archive, scratch, places)
    assert set(files(tmp_path)) == {"t.tar.gz"}


def test_what_may_be_missing_may_be_missing(tmp_path, places, scratch):
    """Optional files are not complained about; the result says what there was."""
    archive = pack(tmp_path / "t.tar.gz", ("a", b"first"))
    assert extract(archive, scratch, places, optional=["b"]) == {places["a"]: True}
    with pytest.raises(InputError, match="no a and no b"):
        extract(pack(tmp_path / "empty.tar.gz"), scratch, places)


def test_a_cut_archive_leaves_everything_as_it_was(tmp_path, places, scratch):
    """Neither the damaged nor the earlier files are touched."""
    content = bytes(i * i % 251 for i in range(100_000))
    whole = pack(tmp_path / "t.tar.gz", ("a", b"new"), ("b", content)).read_bytes()
    archive = tmp_path / "cut.tar.gz"
    places["a"].parent.mkdir(parents=True)
    places["a"].write_bytes(b"old")
    for cut in (whole[: len(whole) // 2], b"no archive"):
        archive.write_bytes(cut)
        with pytest.raises(InputError, match=r"cut.tar.gz: the archive is damaged"):
            extract(archive, scratch, places)
    assert files(tmp_path / "out") == {"x/a": b"old"}


def test_an_archive_too_large_is_refused(tmp_path, places, scratch, monkeypatch):
    """Both limits count what is not wanted, too."""
    archive = pack(tmp_path / "t.tar.gz", *[(f"n{i}", b"12345") for i in range(10)])
    for limit, value in (("MEMBERS", 9), ("BYTES", 49)):
        with monkeypatch.context() as patch:
            patch.setattr(module, limit, value)
            with pytest.raises(InputError, match="more than"):
                extract(archive, scratch, places)
