"""Opening: gzip by its content, bytes and lines in pieces, and what can go wrong."""

import gzip
import os
from pathlib import Path

import pytest

from relsent_ir.errors import InputError
from relsent_ir.records import source
from relsent_ir.records.source import read_chunks, read_head, read_lines, read_whole

TEXT = "".join(f"line {n}: {n * n}\n" for n in range(30_000)).encode()


def test_gzip(tmp_path):
    """It is told by its first bytes; members are one content; a cut one gives what comes before."""
    (tmp_path / "plain.gz").write_bytes(TEXT)
    (tmp_path / "packed.txt").write_bytes(gzip.compress(TEXT))
    assert b"".join(read_chunks(tmp_path / "plain.gz")) == TEXT
    assert b"".join(read_chunks(tmp_path / "packed.txt")) == TEXT
    path = tmp_path / "two.gz"
    path.write_bytes(gzip.compress(b"one\n") + gzip.compress(b"two\n"))
    assert list(read_lines(path)) == [(1, "one"), (2, "two")]
    packed = gzip.compress(TEXT)
    path = tmp_path / "cut.gz"
    path.write_bytes(packed[: len(packed) // 2])
    got = []
    with pytest.raises(InputError, match=r"cut\.gz: the gzip data end too early"):
        got.extend(read_chunks(path))
    assert len(b"".join(got)) > len(TEXT) // 4
    assert TEXT.startswith(b"".join(got))


@pytest.mark.parametrize("damage", ["middle", "sum", "tail"])
def test_damaged_gzip(tmp_path, damage):
    """Changed bytes, a wrong check sum and rubbish at the end are found."""
    packed = bytearray(gzip.compress(TEXT))
    if damage == "middle":
        packed[len(packed) // 2 : len(packed) // 2 + 40] = bytes(40)
    elif damage == "sum":
        packed[-8] ^= 1
    else:
        packed += b"rubbish"
    path = tmp_path / "bad.gz"
    path.write_bytes(packed)
    with pytest.raises(InputError, match=r"bad\.gz: the gzip data are damaged"):
        list(read_chunks(path))


def test_missing_folder_and_pipe(tmp_path):
    """Only regular files are opened: a pipe would wait for ever."""
    with pytest.raises(InputError, match="there is no such file"):
        list(read_chunks(tmp_path / "missing"))
    with pytest.raises(InputError, match="is a folder"):
        list(read_chunks(tmp_path))
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(InputError, match="is no regular file"):
        list(read_chunks(tmp_path / "pipe"))


def test_no_permission(tmp_path, monkeypatch):
    """What the system says is passed on with the file's name."""

    def refuse(self, mode):
        raise PermissionError(13, "Permission denied", str(self))

    path = tmp_path / "secret.xml"
    path.write_bytes(b"x")
    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(InputError, match=r"secret\.xml: cannot be read \(Permission denied\)"):
        list(read_chunks(path))


def test_lines_have_numbers_and_no_ends(tmp_path):
    """A byte order mark and both kinds of line ends go; with the mask every byte is seven bits."""
    path = tmp_path / "lines"
    path.write_bytes("\ufeffone\r\n\r\ntwo\u2028half\x0bpage\n\nthree".encode())
    assert list(read_lines(path)) == [
        (1, "one"),
        (2, ""),
        (3, "two\u2028half\x0bpage"),
        (4, ""),
        (5, "three"),
    ]
    path = tmp_path / "masked"
    path.write_bytes(bytes(byte | 0x80 if byte != 10 else byte for byte in b"AB\nCD"))
    assert list(read_lines(path, mask=True)) == [(1, "AB"), (2, "CD")]


def test_lines_across_chunks(tmp_path, monkeypatch):
    """Where pieces end makes no difference; a bad byte's line is counted; endless is refused."""
    text = "äöü\nß\n\n€uro and 𝛼\nlast"
    path = tmp_path / "lines"
    path.write_bytes(text.encode())
    for size in (1, 2, 3, 5, 100):
        monkeypatch.setattr(source, "CHUNK", size)
        assert [line for _, line in read_lines(path)] == text.split("\n")
    path = tmp_path / "latin"
    path.write_bytes(b"one\ntwo\nthree\nna\xefve\nfive\n")
    for size in (4, 10, 100):
        monkeypatch.setattr(source, "CHUNK", size)
        with pytest.raises(InputError, match=r"latin:4: byte 0xEF is not UTF-8"):
            list(read_lines(path))
    monkeypatch.setattr(source, "MAX_RECORD", 1 << 20)
    path = tmp_path / "long"
    path.write_bytes(b"short\n" + bytes(2 << 20))
    with pytest.raises(InputError, match=r"long:2: a line is longer than 1 MB"):
        list(read_lines(path))


def test_whole_and_head(tmp_path):
    """Content has a bound; a head is cut at its size, and what can be read is enough."""
    path = tmp_path / "whole"
    path.write_bytes(gzip.compress(TEXT))
    assert read_whole(path, len(TEXT), "too long", "split it") == TEXT
    with pytest.raises(InputError, match=r"whole: too long \(split it\)"):
        read_whole(path, len(TEXT) - 1, "too long", "split it")
    (tmp_path / "whole").write_bytes(TEXT)
    assert read_head(tmp_path / "whole") == TEXT[: source.HEAD]
    (tmp_path / "cut.gz").write_bytes(gzip.compress(TEXT)[:5_000])
    assert TEXT.startswith(read_head(tmp_path / "cut.gz"))
    (tmp_path / "stub.gz").write_bytes(gzip.compress(TEXT)[:5])
    with pytest.raises(InputError, match="too early"):
        read_head(tmp_path / "stub.gz")
