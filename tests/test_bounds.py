"""What readers refuse to take into memory, and damage in text formats that they see."""

import gzip
import io
import tarfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from recipes.relations.corpora import read_events
from relsent_ir import files
from relsent_ir.errors import InputError
from relsent_ir.files import atomic_writer, open_bytes, open_text
from relsent_ir.records import read_entries
from relsent_ir.records.cystic_fibrosis import read_cystic_fibrosis
from relsent_ir.records.record import Record
from relsent_ir.trec.qrels import read_qrels
from relsent_ir.trec.runs import read_run
from relsent_ir.trec.topics import read_topics
from tests.fuzzing.seeds import READERS


@pytest.mark.parametrize("name", sorted(READERS.keys() - {"mirror", "commit"}))
def test_bombs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """A small file that unpacks to a very large one is refused by every reader of files."""
    monkeypatch.setattr(files, "_UNSUSPECTED", 1 << 17)
    unpacked = 0

    def told(self: Any, buffer: Any) -> int:
        nonlocal unpacked
        unpacked += (given := readinto(self, buffer))
        return given

    readinto = files._Guarded.readinto
    monkeypatch.setattr(files._Guarded, "readinto", told)
    read, (seed, *_) = READERS[name]
    path = tmp_path / "bomb"
    for padding in (b" " * 1023 + b"\n", b"\n", b"\0"):
        path.write_bytes(gzip.compress(seed + padding * ((1 << 20) // len(padding))))
        with suppress(InputError):  # what a tar file or a table ends with is not read
            read(path)
            assert name in ("events", "masked", "named")
        assert 0 < unpacked < 1 << 20
        unpacked = 0


def test_bomb_in_a_hole(tmp_path: Path) -> None:
    """A member of a tar file that is mostly a hole is no larger than its text may be."""
    with tarfile.open(tmp_path / "a.tar", "w") as packed:
        member = tarfile.TarInfo("train/1.txt")
        member.pax_headers = {"GNU.sparse.size": str(1 << 40), "GNU.sparse.map": "0,1"}
        member.size = 1
        packed.addfile(member, io.BytesIO(b"x"))
    with pytest.raises(InputError, match=r"train/1.txt is too large"):
        read_events(tmp_path / "a.tar", "train")


@pytest.mark.parametrize("read", [read_run, read_qrels])
def test_a_device_without_end(read: Callable[[Path], object]) -> None:
    """A line has a limit, so that what has no line ends is not read on and on."""
    with pytest.raises(InputError, match="zero:1: the line has a megabyte or more"):
        read(Path("/dev/zero"))


def test_packed_ratio(tmp_path: Path) -> None:
    """Text that packs well is read; what unpacks to more than 200 times its size is not."""
    path = tmp_path / "a.gz"
    path.write_bytes(gzip.compress(b"0" * (files._UNSUSPECTED + 1)))
    with open_bytes(path) as file, pytest.raises(InputError, match=r"a.gz: it holds more than 32"):
        file.read()
    path.write_bytes(gzip.compress(b"0" * files._UNSUSPECTED))
    with open_bytes(path) as file:
        assert len(file.read()) == files._UNSUSPECTED


def test_long_texts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A text that is read as a whole has a limit, packed or not."""
    monkeypatch.setattr(files, "LARGEST_TEXT", 1 << 20)
    (tmp_path / "a").write_text("x" * (1 << 20))
    with open_text(tmp_path / "a") as file:
        assert len(file.read()) == 1 << 20
    (tmp_path / "a").write_text("x" * ((1 << 20) + 1))
    with pytest.raises(InputError, match="more than 1 MB"), open_text(tmp_path / "a") as file:
        file.read()


def test_rewriting_keeps_the_mode(tmp_path: Path) -> None:
    """A run that only its owner may read stays so."""
    path = tmp_path / "run"
    path.write_text("old")
    path.chmod(0o600)
    with atomic_writer(path) as file:
        file.write("new")
    assert (path.read_text(), path.stat().st_mode & 0o777) == ("new", 0o600)


MEDLINE = "".join(
    f"PMID- {n}\nOWN - NLM\nTI  - Mice {n} ran.\nAB  - They slept.\n\n" for n in range(1, 6)
)
OHSUMED = "".join(
    f".I {n}\n.U\n8700{n}\n.S\nAm J 8703; 4:1\n.T\nMice ran.\n.W\nThey slept.\n"
    for n in range(1, 6)
)


def read(path: Path) -> tuple[list[str], int]:
    """The ids of a file's records, and how many were skipped."""
    skipped: list[InputError] = []
    try:
        ids = [entry.id for entry in read_entries(path, on_skip=skipped.append)]
    except InputError as error:
        return [], len(skipped) + ("holds no" in error.problem)
    return ids, len(skipped)


@pytest.mark.parametrize(("times", "size"), [(1, 1), (1, 40), (1, 90), (40, 4096)])
def test_zeros_in_medline(tmp_path: Path, times: int, size: int) -> None:
    """A block of NULs, as a failing disk leaves, loses no record in silence."""
    text = MEDLINE * times
    for at in range(0, len(text) - size, 7 * times + times // 2):
        path = tmp_path / "a.txt"
        path.write_text(text[:at] + "\0" * size + text[at + size :])
        ids, skipped = read(path)
        assert len(ids) == 5 * times or skipped, at


def test_lone_carriage_returns(tmp_path: Path) -> None:
    """Lines that end in CR alone here and there are damage; CRLF is none."""
    path = tmp_path / "a.txt"
    path.write_bytes(MEDLINE.replace("\n", "\r\n").encode())
    assert read(path) == (["1", "2", "3", "4", "5"], 0)
    text = MEDLINE.split("PMID- 4")
    path.write_bytes((text[0] + "PMID- 4" + text[1].replace("\n", "\r")).encode())
    assert read(path) == (["1", "2", "3"], 1)


def test_edited_starts_of_ohsumed_records(tmp_path: Path) -> None:
    """No edit of one byte of a line .I or .U puts a record into the one before unseen."""
    path = tmp_path / "a.txt"
    path.write_text(OHSUMED)
    assert read(path) == ([f"8700{n}" for n in range(1, 6)], 0)
    for n in (2, 3, 5):
        start = OHSUMED.index(f".I {n}")
        for at in range(start, start + len(f".I {n}\n.U\n")):
            for byte in ".IUSTWX9 \n\0":
                path.write_text(OHSUMED[:at] + byte + OHSUMED[at + 1 :])
                ids, skipped = read(path)
                assert len(ids) == 5 or skipped, (at - start, byte)


def test_short_lines_count(tmp_path: Path) -> None:
    """A record of a million short lines is too large: each takes more than its characters."""
    path = tmp_path / "a.txt"
    path.write_text("PMID- 1\n" + "a\n" * 1_100_000)
    with pytest.raises(InputError, match="a record is longer than 64 MB"):
        list(read_entries(path))


@pytest.mark.parametrize(
    "text",
    [
        "<top>\n<num> 1\n<title> a\n</top>\n" * 1 + "<top>\n<num> {}\n<title> b\n",
        "<top><num> 1 <title> a" + "<title> b" * 60_000,
        ".I 1\n.B\n" + "a word\n" * 200_000,
        "QN 1\nQU " + "a word\n   " * 200_000,
    ],
)
def test_topics_in_linear_time(tmp_path: Path, text: str) -> None:
    """Many topics, and topics of many lines, are read in processor seconds, not minutes."""
    path = tmp_path / "topics"
    if "{}" in text:
        text = "".join(text.partition("<top>\n<num> {}")[1:]).replace("{}", "%d")
        path.write_text("".join(text % n for n in range(60_000)))
    else:
        path.write_text(text)
    start = time.process_time()
    assert read_topics(path)
    assert time.process_time() - start < 20


def test_digits_in_linear_time(tmp_path: Path) -> None:
    """A reference that is one long number is read in processor seconds."""
    path = tmp_path / "cf74"
    path.write_text("PN 74001\nRN 00001\nTI Mice.\nSO J. 1974.\nRF 001   " + "1" * 300_000 + "\n")
    start = time.process_time()
    assert all(isinstance(entry, Record) for entry in read_cystic_fibrosis(path))
    assert time.process_time() - start < 20


@pytest.mark.parametrize(
    ("form", "text"),
    [("trec", "1\ta b\n"), ("jsonl", '{"id": "1", "text": ' + "[" * 100_000 + "]" * 100_000 + "}")],
)
def test_topics_of_another_form(tmp_path: Path, form: str, text: str) -> None:
    """Topics that are read as what they are not, and nested ones, are one line."""
    path = tmp_path / "topics"
    path.write_text(text)
    with pytest.raises(InputError, match=r"no topics in this file|topics:1: no JSON"):
        read_topics(path, form)


def test_endless_grades(tmp_path: Path) -> None:
    """A grade of 5,000 digits is named by its first."""
    path = tmp_path / "qrels"
    path.write_text("1 0 d " + "9" * 5000 + "\n")
    with pytest.raises(InputError, match=r"qrels:1: the grade 9{40} is not a whole number"):
        read_qrels(path)
