"""Reading names every fault; writing is all or nothing."""

import gzip
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from relsent_ir.errors import InputError, OutputError
from relsent_ir.files import atomic_bytes, atomic_writer, open_bytes, open_text, sha256


def test_content(tmp_path: Path):
    """Gzip is seen by content, members are one file; a byte order mark and CRLF go."""
    (tmp_path / "packed.txt").write_bytes(gzip.compress(b"one\ntwo\n"))
    (tmp_path / "plain.gz").write_bytes(b"one\ntwo\n")
    for name in ("packed.txt", "plain.gz"):
        with open_bytes(tmp_path / name) as file:
            assert file.read() == b"one\ntwo\n"
    path = tmp_path / "joined.gz"
    path.write_bytes(gzip.compress(b"one\n") + gzip.compress(b"two\n"))
    with open_bytes(path) as file:
        assert list(file) == [b"one\n", b"two\n"]
    path = tmp_path / "windows.txt"
    path.write_bytes(b"\xef\xbb\xbfone\r\ntw\xc3\xb6\r\n")
    with open_text(path) as file:
        assert list(file) == ["one\n", "twö\n"]


def test_missing_folder_and_empty(tmp_path: Path):
    """What is no readable file is named with what is wrong."""
    (tmp_path / "empty").touch()
    (tmp_path / "empty.gz").write_bytes(gzip.compress(b""))
    for name, problem in (
        ("nothing", "no such file"),
        (".", "folder"),
        ("empty", "empty"),
        ("empty.gz", "empty"),
    ):
        with pytest.raises(InputError, match=problem) as caught, open_text(tmp_path / name):
            pass
        assert str(tmp_path / name) in str(caught.value)


def test_no_permission_to_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A file that may not be read is bad input, not a traceback."""
    path = tmp_path / "secret"
    path.write_text("x")

    def refuse(*_args, **_kwargs):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(InputError, match=r"secret: cannot be read \(Permission denied\)"):
        open_bytes(path)


@pytest.mark.parametrize(
    ("damage", "problem"),
    [("cut", "the gzip data end too early"), ("flipped", "the gzip data are damaged")],
)
def test_damaged_gzip(tmp_path: Path, damage: str, problem: str):
    """A gzip file that ends early or whose sum is wrong says so when it is read."""
    packed = bytearray(gzip.compress(bytes(range(256)) * 400))
    if damage == "cut":
        packed = packed[: len(packed) // 2]
    else:
        packed[-6] ^= 255
    path = tmp_path / "bad.gz"
    path.write_bytes(packed)
    with pytest.raises(InputError, match=rf"bad\.gz: {problem}"), open_bytes(path) as file:
        file.read()


@pytest.mark.parametrize("packed", [False, True])
def test_bytes_that_are_no_utf8(tmp_path: Path, packed: bool):
    """The line with the bad byte is named."""
    content = b"one\ntwo\nthr\xe9\xe9\n"
    path = tmp_path / "latin.txt"
    path.write_bytes(gzip.compress(content) if packed else content)
    with pytest.raises(InputError, match=r"latin\.txt:3: not UTF-8"), open_text(path) as file:
        file.read()


def test_written_file_replaces_at_the_end(tmp_path: Path):
    """Until the block ends, what was there stays; then nothing but the new file is left."""
    path = tmp_path / "out.txt"
    path.write_text("old")
    with atomic_writer(path) as file:
        file.write("néw\n")
        file.flush()
        assert path.read_text() == "old"
    assert path.read_bytes() == b"n\xc3\xa9w\n"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("error", [RuntimeError, KeyboardInterrupt])
def test_failure_leaves_what_was_there(tmp_path: Path, error: type[BaseException]):
    """An error in the block, or control-C, changes nothing on disk."""
    path = tmp_path / "out.txt.gz"
    path.write_text("old")
    with pytest.raises(error), atomic_writer(path) as file:  # noqa: PT012 - the block is the test
        file.write("new")
        raise error
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_gzip_by_name_with_same_bytes(tmp_path: Path):
    """The same text gives the same gzip file, whatever it is called and whenever."""
    for name in ("a.gz", "b.gz"):
        with atomic_writer(tmp_path / name) as file:
            file.write("text\n" * 9)
    assert (tmp_path / "a.gz").read_bytes() == (tmp_path / "b.gz").read_bytes()
    assert gzip.decompress((tmp_path / "a.gz").read_bytes()) == b"text\n" * 9


def test_folders_are_made_and_links_stay(tmp_path: Path):
    """Missing folders are made; a link still points to the file; the umask says who reads."""
    with atomic_bytes(tmp_path / "a" / "b" / "file") as file:
        file.write(b"1")
    (tmp_path / "link").symlink_to(tmp_path / "a" / "b" / "file")
    with atomic_bytes(tmp_path / "link") as file:
        file.write(b"2")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "a" / "b" / "file").read_bytes() == b"2"
    old = os.umask(0o022)
    try:
        with atomic_bytes(tmp_path / "file") as file:
            file.write(b"1")
    finally:
        os.umask(old)
    assert stat.S_IMODE((tmp_path / "file").stat().st_mode) == 0o644


def test_places_that_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A folder, a place under a file, and one without permission are output errors."""
    (tmp_path / "file").touch()
    for path, problem in ((tmp_path, "folder"), (tmp_path / "file" / "x", "cannot be written")):
        with pytest.raises(OutputError, match=problem), atomic_writer(path):
            pass
    (tmp_path / "loop").symlink_to("loop")
    with pytest.raises(OutputError, match=r"loop: .*levels"), atomic_writer(tmp_path / "loop"):
        pass

    def refuse(*_args, **_kwargs):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)
    with (
        pytest.raises(OutputError, match=r"out: cannot be written: Permission denied"),
        atomic_writer(tmp_path / "out"),
    ):
        pass


def test_what_killed_writers_left_goes(tmp_path: Path):
    """The next writer of a file removes it; not what another writes at this moment."""
    target = tmp_path / "run.txt"
    command = (
        "import os, sys; from relsent_ir.files import atomic_bytes\n"
        "with atomic_bytes(sys.argv[1]) as file: file.write(b'half'); os.kill(os.getpid(), 9)"
    )
    subprocess.run([sys.executable, "-c", command, str(target)], check=False)
    assert [path.suffix for path in tmp_path.iterdir()] == [".tmp"]
    with atomic_bytes(target) as first:
        first.write(b"first")
        with atomic_bytes(target) as second:
            second.write(b"second")
    assert target.read_bytes() == b"first"
    assert list(tmp_path.iterdir()) == [target]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full on this system")
@pytest.mark.parametrize("amount", [1, 10_000_000])
def test_full_disk(amount: int):
    """No space is an output error, be it noticed while writing or at the end."""
    with (
        pytest.raises(OutputError, match=r"/dev/full: cannot be written: No space left"),
        atomic_writer("/dev/full") as file,
    ):
        file.write("x" * amount)


def test_full_disk_under_gzip(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """No space for the hidden file leaves the old file and no hidden one."""
    path = tmp_path / "out.gz"
    path.write_text("old")
    real = Path.open

    def full(self: Path, mode: str = "r", *args, **kwargs):
        if mode == "wb":
            return real(Path("/dev/full"), "wb")
        return real(self, mode, *args, **kwargs)

    if not Path("/dev/full").exists():
        pytest.skip("no /dev/full on this system")
    monkeypatch.setattr(Path, "open", full)
    with pytest.raises(OutputError, match="No space left"), atomic_writer(path) as file:
        file.write("x" * 100_000)
    monkeypatch.undo()
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_pipe_is_written_directly(tmp_path: Path):
    """A named pipe stays a pipe and passes the text on."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        with atomic_writer(pipe) as file:
            file.write("through\n")
        assert os.read(reader, 100) == b"through\n"
    finally:
        os.close(reader)
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_sha256(tmp_path: Path) -> None:
    """That of FIPS 180-4's example; a file that is not there is the caller's to tell."""
    (tmp_path / "a").write_bytes(b"abc")
    assert sha256(tmp_path / "a") == (
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    )
    with pytest.raises(FileNotFoundError):
        sha256(tmp_path / "b")
