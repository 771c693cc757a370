"""Tests of downloading, against a server that misbehaves."""

import errno
import hashlib
import socket
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from relsent_ir.datasets import web
from relsent_ir.datasets.download import Checksum, Origin, all_at_once, download
from relsent_ir.datasets.web import ATTEMPTS
from relsent_ir.errors import InputError, MissingError, OutputError
from relsent_ir.typing import Progress

# RFC 1321, A.5, and FIPS 180-2, B.1: the sums of "abc".
ABC = {
    "md5": "900150983cd24fb0d6963f7d28e17f72",
    "sha256": "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
}


@pytest.mark.parametrize("algorithm", ABC)
def test_the_sum_of_abc(tmp_path: Path, algorithm: str) -> None:
    """The published sums hold, and no others."""
    (tmp_path / "a").write_bytes(b"abc")
    (tmp_path / "b").write_bytes(b"abd")
    checksum = Checksum(algorithm, ABC[algorithm])
    assert checksum.holds(tmp_path / "a")
    assert checksum.problem(tmp_path / "b") == (
        f"its {algorithm} sum is {hashlib.new(algorithm, b'abd').hexdigest()} "
        f"where {ABC[algorithm]} is expected"
    )


def test_what_does_not_hold(tmp_path: Path) -> None:
    """A cut file is called short, not wrong; a missing file or a folder is not whole."""
    (tmp_path / "a").write_bytes(b"ab")
    problem = Checksum("md5", ABC["md5"], 3).problem(tmp_path / "a")
    assert problem == "the file has 2 bytes where 3 are expected"
    assert not Checksum("md5", ABC["md5"]).holds(tmp_path / "a")
    assert not Checksum("md5", ABC["md5"]).holds(tmp_path)


PAGE = bytes(range(256)) * 4096  # 1 MiB: several chunks
OTHER = PAGE[::-1]


def sum_of(content: bytes, algorithm: str = "sha256") -> Checksum:
    """Give the checksum, with the size, as an independent computation."""
    return Checksum(algorithm, hashlib.new(algorithm, content).hexdigest(), len(content))


def names(folder: Path) -> list[str]:
    """List what is in a folder."""
    return sorted(path.name for path in folder.iterdir())


def test_a_file_is_fetched_whole_and_reported_as_it_grows(site: Any, tmp_path: Path) -> None:
    """The bytes arrive, the last report is the size, and nothing else is left."""
    site.pages["/a"] = PAGE
    seen = []
    assert download(
        site.url + "a",
        tmp_path / "x" / "a",
        sum_of(PAGE),
        lambda done, total: seen.append((done, total)),
    )
    assert (tmp_path / "x" / "a").read_bytes() == PAGE
    assert seen[0] == (0, len(PAGE))
    assert seen[-1] == (len(PAGE), len(PAGE))
    assert seen == sorted(seen)
    assert names(tmp_path / "x") == ["a"]


def test_a_file_in_the_place(site: Any, tmp_path: Path) -> None:
    """The server hears nothing when it is right; one of the right size and the wrong sum goes."""
    (tmp_path / "a").write_bytes(PAGE)
    assert not download(site.url + "a", tmp_path / "a", sum_of(PAGE))
    assert site.requests == []
    site.pages["/a"] = PAGE
    (tmp_path / "a").write_bytes(OTHER)
    assert download(site.url + "a", tmp_path / "a", sum_of(PAGE, "md5"))
    assert (tmp_path / "a").read_bytes() == PAGE


HALF = len(PAGE) // 2


@pytest.mark.parametrize(
    ("server", "left", "asked"),
    [
        ({"faults": ["cut", "cut"]}, None, [0, HALF, HALF * 3 // 2]),
        ({"faults": ["cut"] * (ATTEMPTS + 2)}, None, None),  # each attempt gets further
        ({}, (PAGE[:1000], PAGE), [1000]),  # of a killed run
        ({}, (PAGE, None), []),  # killed before the renaming
        ({"validators": False, "faults": ["cut"]}, None, [0, 0]),  # the halves might not fit
        ({}, (PAGE[:1000], b"\0\xff\r\nX: y"), [0]),  # a damaged version is not sent
        ({"weak": True, "faults": ["cut"]}, None, [0, HALF]),  # the date serves
        ({"ranges": False, "faults": ["cut"]}, None, [0, HALF]),  # the whole is sent again
        ({}, (OTHER[:HALF], OTHER), [HALF]),  # the file has changed in between
        ({"shift": 7, "faults": ["cut"]}, None, [0, HALF, 0]),  # a range of another place
        ({}, (PAGE + b"more", PAGE), [len(PAGE) + 4, 0]),  # 416
    ],
)
def test_resumed(site, tmp_path, server, left, asked):
    """What an earlier attempt left is kept if it fits; only the rest is asked for."""
    if left:
        part, version = left
        (tmp_path / ".a.part").write_bytes(part)
        if version in (PAGE, OTHER):
            site.pages["/a"] = version
            version = site.tag("/a").encode()
        if version:
            (tmp_path / ".a.part.version").write_bytes(version)
    site.pages["/a"] = PAGE
    vars(site).update(server)
    assert download(site.url + "a", tmp_path / "a", sum_of(PAGE))
    assert (tmp_path / "a").read_bytes() == PAGE
    assert names(tmp_path) == ["a"]
    if asked is not None:
        assert site.requests == [("/a", f"bytes={start}-" if start else None) for start in asked]


def test_wrong_answers(site: Any, tmp_path: Path) -> None:
    """What has the wrong sum never gets the name; no more than a byte over the size is read."""
    site.pages["/a"] = OTHER
    (tmp_path / "a").write_bytes(b"old")
    with pytest.raises(InputError, match=r"/a: its sha256 sum is .* deleted .*--url"):
        download(site.url + "a", tmp_path / "a", sum_of(PAGE))
    assert names(tmp_path) == ["a"]
    assert (tmp_path / "a").read_bytes() == b"old"
    site.pages["/a"] = PAGE
    site.lengths = False
    seen = []
    with pytest.raises(InputError, match="has 101 bytes where 100 are expected"):
        download(
            site.url + "a", tmp_path / "b", sum_of(PAGE[:100]), lambda done, _: seen.append(done)
        )
    assert max(seen) == 101
    assert names(tmp_path) == ["a"]


@pytest.mark.parametrize("status", [404, 403, 410, 400])
def test_a_refusal_is_not_repeated(site: Any, tmp_path: Path, status: int) -> None:
    """4xx names the address and the way out, at once."""
    site.faults = [status]
    with pytest.raises(MissingError, match=rf"/a: the server answers {status} .*--from DIR"):
        download(site.url + "a", tmp_path / "a", sum_of(PAGE))
    assert len(site.requests) == 1
    assert names(tmp_path) == []


@pytest.mark.parametrize("fault", [500, 503, 429, "drop", "slow"])
def test_a_passing_fault_is_repeated(site, tmp_path, fault, monkeypatch):
    """A busy, broken or silent server is asked again."""
    if fault == "slow":
        monkeypatch.setattr(web, "TIMEOUT", 0.5)
    site.pages["/a"] = PAGE
    site.faults = [fault, fault]
    download(site.url + "a", tmp_path / "a", sum_of(PAGE))
    assert (tmp_path / "a").read_bytes() == PAGE
    assert len(site.requests) == 3


@pytest.mark.parametrize(
    ("fault", "words"),
    [(500, "answers 500"), ("drop", "cut"), ("slow", "no answer within 0.2 seconds")],
)
def test_a_lasting_fault_is_given_up(site, tmp_path, fault, words, monkeypatch):
    """After a few attempts the error says what the last one met."""
    if fault == "slow":
        monkeypatch.setattr(web, "TIMEOUT", 0.2)
    site.faults = [fault] * ATTEMPTS
    with pytest.raises(MissingError, match=words):
        download(site.url + "a", tmp_path / "a", sum_of(PAGE))
    assert len(site.requests) == ATTEMPTS


def test_a_cut_that_never_gets_further_is_given_up(site: Any, tmp_path: Path) -> None:
    """A server that ignores Range and always hangs up at the half does not keep us for ever."""
    site.pages["/a"] = PAGE
    site.ranges = False
    site.faults = ["cut"] * 20
    with pytest.raises(MissingError, match="cut"):
        download(site.url + "a", tmp_path / "a", sum_of(PAGE))
    assert len(site.requests) == ATTEMPTS
    assert "a" not in names(tmp_path)


def test_nobody_there_is_said_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A refused connection is not tried again: offline users wait for nothing."""
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    monkeypatch.setattr(web.time, "sleep", lambda _: pytest.fail("it waited"))
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}/a"
        with pytest.raises(MissingError, match=r"cannot be reached: .*--from DIR"):
            download(url, tmp_path / "x" / "a", sum_of(PAGE))
    assert names(tmp_path) == []


def test_redirects_stay_on_the_web(site: Any, tmp_path: Path) -> None:
    """One to http is followed, one to a file or an ftp server is not."""
    site.pages["/a"] = PAGE
    site.redirects = {"/b": site.url + "a", "/c": "ftp://127.0.0.1/a", "/d": "file:///etc/hosts"}
    assert download(site.url + "b", tmp_path / "b", sum_of(PAGE))
    for bad in "cd":
        with pytest.raises(MissingError, match=r"(?i)redirect"):
            download(site.url + bad, tmp_path / bad, sum_of(PAGE))


def test_a_full_disk_is_an_output_error(site, tmp_path, monkeypatch):
    """The system's reason is given, with the file."""
    site.pages["/a"] = PAGE

    def full(*_: Any, **__: Any) -> Any:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "open", full)
    with pytest.raises(
        OutputError, match=r"a: cannot be written: No space left on device .*--output"
    ):
        download(site.url + "a", tmp_path / "a", sum_of(PAGE))


def test_a_file_where_the_folder_belongs_is_an_output_error(site: Any, tmp_path: Path) -> None:
    """The place to write to is named."""
    site.pages["/a"] = PAGE
    (tmp_path / "x").write_text("")
    with pytest.raises(OutputError, match="x/a: cannot be written"):
        download(site.url + "a", tmp_path / "x" / "a", sum_of(PAGE))


CONTENT = b"an invented file"
SUM = Checksum("sha256", hashlib.sha256(CONTENT).hexdigest(), len(CONTENT))


def silent(_done: int, _total: int | None) -> None:
    """Report nothing."""


def test_a_file_comes_from_the_folder_once(tmp_path: Path) -> None:
    """It is copied, and left alone when it is there."""
    source, path = tmp_path / "from", tmp_path / "to" / "a"
    source.mkdir()
    (source / "a").write_bytes(CONTENT)
    origin = Origin("http://127.0.0.1:9/", source)
    assert origin.bring("a", path, SUM, silent)
    assert path.read_bytes() == CONTENT
    assert not origin.bring("a", path, SUM, silent)


def test_without_a_folder_it_comes_from_the_web(site: Any, tmp_path: Path) -> None:
    """The name is appended to the address."""
    site.pages["/x/a"] = CONTENT
    assert Origin(site.url + "x/").bring("a", tmp_path / "a", SUM, silent)
    assert (tmp_path / "a").read_bytes() == CONTENT


@pytest.mark.parametrize(
    ("content", "problem"),
    [(None, "No such file"), (b"short", "5 bytes where 16"), (CONTENT[::-1], "its sha256 sum is")],
)
def test_a_wrong_source_is_named_and_nothing_copied(tmp_path, content, problem):
    """Missing, cut or changed: the old copy stays."""
    source, path = tmp_path / "from", tmp_path / "a"
    source.mkdir()
    path.write_bytes(b"old")
    if content is not None:
        (source / "a").write_bytes(content)
    with pytest.raises(InputError, match=rf"from/a: .*{problem}"):
        Origin("http://127.0.0.1:9/", source).bring("a", path, SUM, silent)
    assert path.read_bytes() == b"old"


def test_a_folder_in_the_way_is_an_output_error(tmp_path: Path) -> None:
    """The place is named."""
    (tmp_path / "a").write_bytes(CONTENT)
    (tmp_path / "to" / "a").mkdir(parents=True)
    with pytest.raises(OutputError, match="to/a"):
        Origin("http://127.0.0.1:9/", tmp_path).bring("a", tmp_path / "to" / "a", SUM, silent)


def test_as_many_as_are_asked_for() -> None:
    """Two at a time, results in order, bytes added up."""
    at_once = threading.Barrier(2, timeout=10)
    lock = threading.Lock()
    running, most = 0, 0
    seen: list[tuple[int, int | None]] = []

    def job(size: int, tick: Progress) -> bool:
        nonlocal running, most
        with lock:
            running += 1
            most = max(most, running)
        at_once.wait()
        tick(size, None)
        with lock:
            running -= 1
        return size > 2

    jobs = [lambda tick, size=size: job(size, tick) for size in (1, 2, 3, 4)]
    found = all_at_once(jobs, 2, lambda *told: seen.append(told), 10)
    assert found == [False, False, True, True]
    assert most == 2
    assert seen[-1] == (10, 10)
    assert seen == sorted(seen)


def test_a_failure_ends_the_others() -> None:
    """At their next call; those that have not begun never do."""
    began = []

    def endless(tick: Progress) -> bool:
        began.append("endless")
        deadline = time.monotonic() + 10
        while time.monotonic() < deadline:
            tick(1, None)
        raise AssertionError

    def bad(_: Progress) -> bool:
        raise InputError("a wrong sum")

    with pytest.raises(InputError, match="a wrong sum"):
        all_at_once([endless, bad, endless], 2, lambda *_: None, None)
    assert began == ["endless"]


def test_nothing_to_do() -> None:
    """No job, no result."""
    assert all_at_once([], 2, lambda *_: None, None) == []
