"""Saving and loading model folders."""

import errno
import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryFile
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from relsent_ir.errors import InputError, MismatchError, OutputError
from relsent_ir.files import unfinished
from relsent_ir.models import (
    Stored,
    check_columns,
    check_target,
    digest,
    figures,
    folders,
    load_folder,
    pack_strings,
    read_array,
    save_folder,
    unpack_strings,
    write_array,
)
from relsent_ir.models.folders import take_space

ARRAYS = {"weights": np.array([0.5, -1.0]), "none": np.zeros((0, 3), dtype=np.int32)}


def _names(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir()]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A saved model."""
    path = tmp_path / "made" / "model"
    save_folder(path, "test", {"seed": 3}, ARRAYS)
    return path


def test_round_trip(folder: Path):
    """Facts and arrays come back, mapped; a model of that name gives way, with all files."""
    stored = load_folder(folder)
    assert (stored.kind, stored.facts["seed"], stored.facts["format"]) == ("test", 3, 1)
    for name, array in ARRAYS.items():
        np.testing.assert_array_equal(stored.arrays[name], array)
        assert stored.arrays[name].dtype == array.dtype
    assert not stored.arrays["weights"].flags.writeable
    assert _names(folder.parent) == ["model"]
    save_folder(folder, "other", {}, {})
    assert load_folder(folder).kind == "other"
    assert _names(folder) == ["model.json"]
    assert _names(folder.parent) == ["model"]


def test_failure_leaves_the_old_model(folder: Path, monkeypatch: pytest.MonkeyPatch):
    """When an array cannot be written, what was there stays, and no half is left."""

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(folders, "write_array", full)
    with pytest.raises(OutputError, match="cannot be written: No space left"):
        save_folder(folder, "other", {}, ARRAYS)
    assert load_folder(folder).kind == "test"
    assert _names(folder.parent) == ["model"]


def test_failed_rename_brings_the_old_model_back(folder: Path, monkeypatch: pytest.MonkeyPatch):
    """The old model is back when the new one cannot take its name, without an exchange of names."""
    rename = Path.rename
    monkeypatch.setattr("relsent_ir.models.folders.sys", SimpleNamespace(platform="another"))

    def stuck(self: Path, target: Path) -> Path:
        if self.suffix == ".tmp":
            raise OSError(5, "Input/output error")
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", stuck)
    with pytest.raises(OutputError, match="Input/output error"):
        save_folder(folder, "other", {}, ARRAYS)
    assert load_folder(folder).kind == "test"


def test_target(tmp_path: Path):
    """A file, or a folder with something else, is not replaced; an empty folder is."""
    with pytest.raises(OutputError, match="standard output: a model is a folder"):
        check_target("-")
    (tmp_path / "file").write_text("x")
    with pytest.raises(OutputError, match="this is a file"):
        check_target(tmp_path / "file")
    with pytest.raises(OutputError, match="holds something else"):
        save_folder(tmp_path, "test", {}, {})
    with pytest.raises(OutputError, match="cannot be written"):
        check_target(tmp_path / "file" / "model")
    (tmp_path / "loop").symlink_to("loop")
    with pytest.raises(OutputError, match=r"loop: .*levels"):
        save_folder(tmp_path / "loop", "test", {}, {})
    (tmp_path / "empty").mkdir()
    save_folder(tmp_path / "empty", "test", {}, {})
    assert load_folder(tmp_path / "empty").kind == "test"


def test_no_model(tmp_path: Path):
    """Neither a missing folder, nor a file, nor any folder is a model."""
    with pytest.raises(InputError, match="no such model"):
        load_folder(tmp_path / "missing")
    with pytest.raises(InputError, match=r"no model\.json"):
        load_folder(tmp_path)
    (tmp_path / "file").write_text("x")
    with pytest.raises(InputError, match=r"no model\.json"):
        load_folder(tmp_path / "file")


def _describe(folder: Path, **changes: object) -> None:
    """Change the facts in model.json."""
    facts = json.loads((folder / "model.json").read_text())
    (folder / "model.json").write_text(json.dumps(facts | changes))


@pytest.mark.parametrize("text", ["{", "[]", '{"format": 1}', '{"arrays": 3}'])
def test_damaged_description(folder: Path, text: str):
    """A model.json that describes no model is named."""
    (folder / "model.json").write_text(text)
    with pytest.raises(InputError, match=r"model\.json: this"):
        load_folder(folder)


def test_other_description(folder: Path):
    """A model of another version says so; no name of an array leads out of the folder."""
    _describe(folder, format=99)
    with pytest.raises(MismatchError, match="format 99, this version reads format 1"):
        load_folder(folder)
    _describe(folder, format=1, arrays={"../weights": ["float64", [2]]})
    with pytest.raises(InputError, match="is no name of an array"):
        load_folder(folder)


def test_damaged_arrays(folder: Path):
    """Damaged, foreign, pickled and missing arrays are refused; a pickle is never run."""
    path = folder / "weights.npy"
    whole = path.read_bytes()
    headers = (b"{'descr': (", b"{'descr': '<i8', 'shape': (", b"((" * 40)  # Python's own errors
    for data, problem in (
        *((data, "the array is damaged") for data in (whole[:-3], whole[:20], b"", b"x" * 200)),
        *((whole[:10] + h.ljust(118) + whole[128:], "the array is damaged") for h in headers),
        (whole[:-1] + b"x", "the array is not as it was written"),
    ):
        path.write_bytes(data)
        with pytest.raises(InputError, match=rf"weights\.npy: {problem}"):
            load_folder(folder)
    np.save(path, np.array([{}], dtype=object), allow_pickle=True)
    with pytest.raises(InputError, match="the array is damaged"):
        load_folder(folder)
    np.save(path, np.zeros(3))
    with pytest.raises(InputError, match="not the one that"):
        load_folder(folder)
    path.unlink()
    with pytest.raises(InputError, match="the model lacks this file"):
        load_folder(folder)


@pytest.mark.parametrize("strings", [(), ("a",), ("β", "a b", "x_y")])
def test_strings_as_arrays(strings: tuple[str, ...]) -> None:
    """Strings come back as they were, in their order; none give an empty array."""
    array = pack_strings(strings)
    assert array.dtype == np.uint8
    assert unpack_strings(array) == strings


def test_saved_by_many_at_once(tmp_path: Path):
    """Whoever reads while others save finds a whole model each time, and the savers do not fail."""
    target = tmp_path / "model"
    save_folder(target, "test", {}, ARRAYS)
    with ThreadPoolExecutor(4) as pool:
        saved = [pool.submit(save_folder, target, "test", {}, ARRAYS) for _ in range(60)]
        while not all(one.done() for one in saved):
            assert (target / "model.json").exists()
        for one in saved:
            one.result()
    assert load_folder(target).kind == "test"
    assert _names(tmp_path) == ["model"]


KILLED = """
import os, random, signal, sys, time
from relsent_ir.models import load_folder, save_folder
import numpy as np

target, chance = sys.argv[1], random.Random(0)
save_folder(target, "test", {}, {"a": np.arange(9)})
for _ in range(40):
    child = os.fork()
    while not child:
        save_folder(target, "test", {}, {"a": np.arange(9)})
    time.sleep(chance.uniform(0.001, 0.01))
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    assert load_folder(target).arrays["a"].tolist() == list(range(9))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere two renames are needed")
def test_killed_while_it_is_replaced(tmp_path: Path):
    """Whenever a saving process is killed, the model that it replaces, or the new one, is there."""
    command = [sys.executable, "-c", KILLED, str(tmp_path / "model")]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_not_finite(tmp_path: Path, value: float):
    """A weight that is no number is refused when the model is loaded."""
    save_folder(tmp_path / "model", "test", {}, {"weights": np.array([1.0, value])})
    with pytest.raises(InputError, match=r"weights.npy: a number of the array is not finite"):
        load_folder(tmp_path / "model")


def test_folders_of_dead_savers(tmp_path: Path):
    """What a killed save left goes with the next save of that model; one at work is left alone."""
    target = tmp_path / "model"
    dead, other = tmp_path / ".model.0123abcd.tmp", tmp_path / ".model.b.0123abcd.tmp"
    for folder in (dead, other):
        folder.mkdir()
        (folder / "n.npy").write_bytes(b"half")
    with unfinished(target, folder=True) as beside:
        (beside / "n.npy").write_bytes(b"half")
        save_folder(target, "test", {}, ARRAYS)
        assert (beside / "n.npy").exists()
    assert sorted(_names(tmp_path)) == [".model.b.0123abcd.tmp", "model"]


def test_loaded_by_many_threads(folder: Path):
    """Headers are not read by Python's own parser, which threads of 3.11 cannot share."""

    def load(_: int) -> float:
        return float(load_folder(folder).arrays["weights"].sum())

    with ThreadPoolExecutor(16) as pool:
        assert set(pool.map(load, range(4000))) == {-0.5}


def test_a_hole(tmp_path: Path):
    """A file of a few bytes that says it is gigabytes is refused; ours may have holes."""
    save_folder(tmp_path / "model", "test", {}, {"n": np.arange(9)})
    path = tmp_path / "model" / "n.npy"
    many = 2**30
    with path.open("wb") as file:
        header = {"descr": "<i8", "fortran_order": False, "shape": (many,)}
        np.lib.format.write_array_header_1_0(file, header)
        file.truncate(file.tell() + 8 * many)
    _describe(tmp_path / "model", arrays={"n": ["int64", [many]]})
    with pytest.raises(InputError, match=r"n\.npy: the array is damaged"):
        load_folder(tmp_path / "model")
    assert len(load_folder(tmp_path / "model", trusted=True).arrays["n"]) == many


def test_large_arrays_are_checked(folder: Path, monkeypatch: pytest.MonkeyPatch):
    """A model's arrays are compared with their checksums, however large; ours up to a size."""
    monkeypatch.setattr(folders, "CHECKED", 4)
    path = folder / "weights.npy"
    path.write_bytes(path.read_bytes()[:-1] + b"x")
    with pytest.raises(InputError, match="not as it was written"):
        load_folder(folder)
    assert load_folder(folder, trusted=True).kind == "test"


def test_a_description_without_end(folder: Path, monkeypatch: pytest.MonkeyPatch):
    """A description is not read that would fill the memory."""
    monkeypatch.setattr(folders, "DESCRIBED", 9)
    with pytest.raises(InputError, match=r"model\.json: this is no JSON"):
        load_folder(folder)


TOLD = {"length": [1.0, 0.25], "cues": "0a1b"}


def _stored(**facts: Any) -> Stored:
    return Stored(Path("models/m"), "test", facts, {})


def test_unchanged() -> None:
    """Values that agree to six digits are the same; sets in any order have one digest."""
    check_columns(_stored(columns=TOLD), {"length": [1.0 + 1e-8, 0.25], "cues": "0a1b"})
    assert figures([1 / 3, 2.0]) == [0.333333333, 2.0]
    assert digest(frozenset("ab"), 1) == digest(frozenset("ba"), 1) != digest(frozenset("ab"), 2)


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"length": [1.0, 0.26], "cues": "0a1b"}, "other features than this version's: length"),
        ({"length": [1.0, 0.25], "cues": "0a1c"}, "other features than this version's: cues"),
        ({"length": [1.0], "cues": "0a1b"}, "this version's: length"),
        ({"length": "0a", "cues": "0a1b"}, "this version's: length"),
        ({**TOLD, "new": [1.0]}, "this version's: new"),
        ({"cues": "0a1b"}, "this version's: length"),
        ({"cues": "0a1b", "length": [1.0, 0.25]}, "this version's: their order"),
        ({}, "this version's: length, cues"),
    ],
)
def test_changed(columns: dict[str, Any], message: str) -> None:
    """A value, a digest, a column more or less, or another order: one line says to train again."""
    with pytest.raises(MismatchError, match=message) as raised:
        check_columns(_stored(columns=TOLD), columns)
    assert str(raised.value).startswith("models/m: ")
    assert str(raised.value).endswith("(train it again with this version)")


def test_not_recorded() -> None:
    """A model of before is refused too."""
    with pytest.raises(MismatchError, match="does not say what its features are"):
        check_columns(_stored(), TOLD)


EVERY_KIND = [
    np.arange(12, dtype=np.int32).reshape(3, 4),
    np.asfortranarray(np.arange(12.0).reshape(3, 4)),
    np.array([True, False]),
    np.array(7, dtype=np.uint16),
    np.zeros((0, 3)),
    np.array([b"ab", b"c"]),
    np.array(["αβ", "c"]),
    np.arange(3).astype(">i8"),
    np.array([1 + 2j]),
    np.zeros(1, dtype=np.int8),
]


@pytest.mark.parametrize("array", EVERY_KIND, ids=lambda array: f"{array.dtype}{array.shape}")
def test_as_numpy_reads_it(tmp_path: Path, array: np.ndarray):
    """Numbers and strings of any order of bytes and axes, mapped and read only."""
    np.save(tmp_path / "a.npy", array)
    found = read_array(tmp_path / "a.npy")
    expected = np.load(tmp_path / "a.npy", mmap_mode="r")
    np.testing.assert_array_equal(found, expected)
    assert (found.dtype, found.shape) == (expected.dtype, expected.shape)
    assert found.flags.f_contiguous == expected.flags.f_contiguous
    assert not found.flags.writeable
    write_array(tmp_path / "b.npy", array)
    assert (tmp_path / "b.npy").read_bytes() == (tmp_path / "a.npy").read_bytes()


def _header(text: str, version: bytes = b"\1\0", size: int | None = None) -> bytes:
    head = text.encode("latin-1") + b"\n"
    width = 2 if version == b"\1\0" else 4
    return b"\x93NUMPY" + version + (size or len(head)).to_bytes(width, "little") + head


GOOD = "{'descr': '<i4', 'fortran_order': False, 'shape': (2,), }"


def test_versions(tmp_path: Path):
    """The three versions of the format differ in the width of a number."""
    for version in (b"\1\0", b"\2\0", b"\3\0"):
        (tmp_path / "a.npy").write_bytes(_header(GOOD, version) + bytes(8))
        assert read_array(tmp_path / "a.npy").tolist() == [0, 0]


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\x93NUMPY\1",
        b"\x93NUMPY\4\0" + _header(GOOD)[8:] + bytes(8),
        b"PK" + bytes(200),
        _header(GOOD) + bytes(7),
        _header(GOOD) + bytes(9),
        _header(GOOD, size=60000) + bytes(60000),
        _header(GOOD.replace("<i4", "|O")) + bytes(16),
        _header(GOOD.replace("<i4", "<i3")) + bytes(6),
        _header(GOOD.replace("'<i4'", "[('a', '<i4')]")) + bytes(8),
        _header(GOOD.replace("(2,)", "(-2,)")),
        _header(GOOD.replace("(2,)", "(999999999999999999,)")),
        _header(GOOD.replace("(2,)", "(" + "9999999, " * 9 + "0)")),
        _header(GOOD.replace("(2,)", "__import__('os')")) + bytes(8),
        _header("(" * 500),
    ],
)
def test_damaged(tmp_path: Path, data: bytes):
    """One line for a header that is none of NumPy's, or does not fit the file."""
    (tmp_path / "a.npy").write_bytes(data)
    with pytest.raises(InputError, match=r"a\.npy: the array is damaged"):
        read_array(tmp_path / "a.npy")


def test_no_file(tmp_path: Path):
    """A missing file is the caller's to tell of; a folder cannot be read."""
    with pytest.raises(FileNotFoundError):
        read_array(tmp_path / "a.npy")
    with pytest.raises(InputError, match="cannot be read"):
        read_array(tmp_path)


@pytest.mark.parametrize("error", [None, errno.EOPNOTSUPP, errno.ENOSPC])
def test_space(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: int | None):
    """Where the file system cannot allot, zeros are written; no space is an error."""

    def fail(*_: object) -> None:
        assert error is not None
        raise OSError(error, os.strerror(error))

    if error is not None:
        monkeypatch.setattr(folders.os, "posix_fallocate", fail)
    with TemporaryFile(dir=tmp_path) as file:
        if error == errno.ENOSPC:
            with pytest.raises(OSError, match="No space"):
                take_space(file, 3_000_000)
            return
        take_space(file, 3_000_000)
        about = os.fstat(file.fileno())
        assert about.st_size == 3_000_000
        assert about.st_blocks * 512 >= 3_000_000
