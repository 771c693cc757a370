"""Models on disk: a folder of ``.npy`` arrays and ``model.json``, read by mapping it into memory.

Nothing is unpickled, so a model from an untrusted source cannot run code. A folder appears
completely or not at all. NumPy parses headers of arrays with ``ast.literal_eval``, which is not
thread-safe in Python 3.11, and trusts them: here a header must have exactly NumPy's form, and fit
the size of the file.

A model whose features have changed since its training is refused (`check_columns`). The definition
of a feature is recorded as its values for a few artificial sentences. So a changed exponent,
constant or rule is noticed even if nobody declares it, while rewritten code with the same values is
accepted. Parts that such sentences cannot show, like lists of words, are recorded by a digest.
"""

import ctypes
import errno
import hashlib
import json
import math
import os
import re
import sys
import zlib
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import IO, Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from relsent_ir import __version__
from relsent_ir.errors import InputError, MismatchError, OutputError
from relsent_ir.files import output_errors, real_path, unfinished

FORMAT: Final = 1
CHECKED: Final = 1 << 28  # bytes of trusted arrays up to which they are checked when loaded
DESCRIBED: Final = 1 << 26  # bytes of a description; parsing it takes many times as many
LARGEST: Final = 1e12  # a larger weight could overflow when it is summed or squared
_JSON: Final = "model.json"
_PIECE: Final = 1 << 20  # numbers checked, or bytes written, at once


@dataclass(frozen=True)
class Stored:
    """The contents of a model's folder.

    Attributes
    ----------
    path : Path
        The folder.
    kind : str
        The kind of the model, such as ``huber``.
    facts : dict of str to Any
        The facts given to `save_folder`, with ``format``, ``kind`` and ``version``.
    arrays : dict of str to ndarray
        Mapped into memory, read only.
    """

    path: Path
    kind: str
    facts: dict[str, Any]
    arrays: dict[str, NDArray[Any]]


def save_folder(
    path: str | Path, kind: str, facts: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]
) -> None:
    """Write a model completely or not at all; an existing model is replaced.

    Parameters
    ----------
    path : str or Path
        The folder of the model.
    kind : str
        The kind of the model.
    facts : mapping of str to JSON value
        The origin of the model (command, data, scores) and its settings.
    arrays : mapping of str to ndarray
        Arrays by name, which becomes the file's name; arrays of objects are not allowed.

    Raises
    ------
    OutputError
        If the folder cannot be written, or its name belongs to something else.
    """
    target = Path(path)
    check_target(target)
    shapes = {name: [str(array.dtype), list(array.shape)] for name, array in arrays.items()}
    described = {"format": FORMAT, "kind": kind, "version": __version__, **facts, "arrays": shapes}
    described["checksums"] = {name: _checksum(array) for name, array in arrays.items()}
    with output_errors(path):
        target = real_path(target)
        target.parent.mkdir(parents=True, exist_ok=True)
        with unfinished(target, folder=True) as beside:
            for name, array in arrays.items():
                write_array(beside / f"{name}.npy", array)
            text = json.dumps(described, ensure_ascii=False, indent=1)
            (beside / _JSON).write_text(text + "\n", encoding="utf-8")
            put_folder(beside, target)


def check_target(path: str | Path) -> None:
    """Check that a model can be saved under a name, before it is trained.

    Raises
    ------
    OutputError
        If the name belongs to a file or to a folder that is not a model, or the parent folder is
        not writable.
    """
    target = Path(path)
    if str(path) == "-":
        raise OutputError("a model is a folder", where="standard output", fix="name one")
    with output_errors(path):
        if target.is_dir():
            if not (target / _JSON).is_file() and any(target.iterdir()):
                raise OutputError(
                    "this folder holds something else", where=path, fix="name another"
                )
        elif target.exists():
            raise OutputError("this is a file", where=path, fix="name a folder")
        around = real_path(target).parent
        while not around.exists():
            around = around.parent
    if not around.is_dir() or not os.access(around, os.W_OK):
        raise OutputError("cannot be written: no permission", where=path)


def load_folder(path: str | Path, *, trusted: bool = False) -> Stored:
    """Read the facts of a model and map its arrays.

    Parameters
    ----------
    path : str or Path
    trusted : bool
        Whether this machine wrote the model: then large arrays are not read to check them.

    Raises
    ------
    InputError
        If there is no model, or it is damaged.
    MismatchError
        If it has another format.
    """
    folder = Path(path)
    if not folder.exists():
        raise InputError("no such model", where=path, fix="relsent-ir train makes one")
    try:
        if (folder / _JSON).stat().st_size > DESCRIBED:
            raise ValueError("it is too long")
        text = (folder / _JSON).read_text(encoding="utf-8")
        facts = json.loads(text, parse_constant=_refuse)
    except (FileNotFoundError, NotADirectoryError):
        raise InputError("this is no model: it has no model.json", where=path) from None
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", where=folder / _JSON) from error
    except (ValueError, RecursionError) as error:
        raise InputError("this is no JSON", where=folder / _JSON, fix="train again") from error
    if not isinstance(facts, dict) or not isinstance(facts.get("arrays"), dict):
        raise InputError("this describes no model", where=folder / _JSON, fix="train again")
    if facts.get("format") != FORMAT:
        raise MismatchError(
            f"a model of format {facts.get('format')}, this version reads format {FORMAT}",
            where=path,
            fix="train it again",
        )
    arrays = {name: _array(folder, name, shape, trusted) for name, shape in facts["arrays"].items()}
    stored = Stored(folder, str(facts.get("kind")), facts, arrays)
    if not trusted or sum(array.nbytes for array in arrays.values()) <= CHECKED:
        check_folder(stored)
        _check_finite(stored)
    return stored


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is no number of JSON's")


def _check_finite(stored: Stored) -> None:
    """Refuse weights that lead to NaN or infinite scores, which JSON cannot represent."""
    for name, array in stored.arrays.items():
        if array.dtype.kind not in "fc":
            continue
        where = stored.path / f"{name}.npy"
        flat = np.ravel(array, order="K")
        for start in range(0, len(flat), _PIECE):
            most = float(np.abs(flat[start : start + _PIECE]).max())
            if not most <= LARGEST:
                what = "too large" if np.isfinite(most) else "not finite"
                problem = f"a number of the array is {what}"
                raise InputError(problem, where=where, fix="train again")


def check_folder(stored: Stored) -> None:
    """Compare the arrays of a model with the checksums stored with them, if there are any.

    Raises
    ------
    InputError
        If a checksum differs.
    """
    checksums = stored.facts.get("checksums")
    for name, array in stored.arrays.items():
        if isinstance(checksums, dict) and checksums.get(name, "") != _checksum(array):
            where = stored.path / f"{name}.npy"
            raise InputError("the array is not as it was written", where=where, fix="train again")


def _checksum(array: NDArray[Any]) -> str:
    flat: Any = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
    return f"{zlib.crc32(flat):08x}"


def pack_strings(strings: Iterable[str]) -> NDArray[np.uint8]:
    """Write strings without line breaks as an array of bytes."""
    return np.frombuffer("\n".join(strings).encode(), dtype=np.uint8)


def unpack_strings(array: NDArray[Any]) -> tuple[str, ...]:
    """Read the strings that `pack_strings` wrote."""
    text = array.tobytes().decode()
    return tuple(text.split("\n")) if text else ()


def _array(folder: Path, name: str, described: Any, trusted: bool) -> NDArray[Any]:
    path = folder / f"{name}.npy"
    if path.parent != folder:
        raise InputError(f"{name!r} is no name of an array", where=folder / _JSON)
    try:
        array = read_array(path, holes=trusted)
    except FileNotFoundError:
        raise InputError("the model lacks this file", where=path, fix="train again") from None
    if [str(array.dtype), list(array.shape)] != described:
        raise InputError("the array is not the one that model.json describes", where=path)
    return array


Columns: TypeAlias = Mapping[str, Sequence[float] | str]
"""For each feature, in the order of a model's weights: values for artificial input, or a digest."""


def check_columns(stored: Stored, columns: Columns, tolerance: float = 1e-6) -> None:
    """Refuse a model whose columns (``columns`` in model.json) differ from those of this version.

    Parameters
    ----------
    stored : Stored
    columns : Columns
        The columns of this version.
    tolerance : float
        Relative difference of values that count as equal.

    Raises
    ------
    MismatchError
        If its columns have another order or meaning, or are not recorded.
    """
    recorded = stored.facts.get("columns")
    if not isinstance(recorded, dict):
        problem = "the model does not say what its features are"
        raise MismatchError(problem, where=stored.path, fix="train it again with this version")
    changed = [name for name in recorded if name not in columns]
    for name, value in columns.items():
        told = recorded.get(name)
        same = told == value
        if isinstance(told, list) and not isinstance(value, str) and len(told) == len(value):
            numbers = np.array(told, dtype=float), np.array(value)
            same = np.allclose(*numbers, rtol=tolerance, atol=tolerance / 1000)
        if not same:
            changed.append(name)
    if changed or list(recorded) != list(columns):
        names = ", ".join(changed[:3]) + (", …" if len(changed) > 3 else "") or "their order"
        problem = f"a model with other features than this version's: {names}"
        raise MismatchError(problem, where=stored.path, fix="train it again with this version")


def figures(values: Iterable[float]) -> list[float]:
    """Round values to nine digits, the recorded precision."""
    return [float(f"{value:.9g}") for value in values]


def digest(*facts: object) -> str:
    """Return twelve hex digits that identify lists, patterns and constants."""
    text = json.dumps(facts, ensure_ascii=False, default=sorted)
    return hashlib.blake2b(text.encode(), digest_size=6).hexdigest()


_HERE = -100  # AT_FDCWD
_EXCHANGE = 2  # RENAME_EXCHANGE
_TRIES = 100


def put_folder(new: Path, target: Path) -> None:
    """Rename a folder to `target`; an existing folder of that name is renamed to `new`, or removed.

    On Linux one of the two folders exists at any time, and if several processes do this at once,
    the last one wins. On other systems there is a moment without either.

    Raises
    ------
    OSError
        If the renaming fails; both folders then keep their names.
    """
    for _ in range(_TRIES):
        with suppress(FileNotFoundError):
            if _exchange(new, target):
                return
        try:
            new.rename(target)
        except OSError as error:
            if error.errno not in (errno.ENOTEMPTY, errno.EEXIST):
                raise
        else:
            return
    raise OSError(errno.EBUSY, os.strerror(errno.EBUSY))


def _exchange(new: Path, target: Path) -> bool:
    """Swap two names; if the system cannot, return False with the target moved out of the way."""
    if sys.platform == "linux":
        library = ctypes.CDLL(None, use_errno=True)
        rename = getattr(library, "renameat2", None)
        if rename is not None:
            if not rename(_HERE, os.fsencode(new), _HERE, os.fsencode(target), _EXCHANGE):
                return True
            number = ctypes.get_errno()
            if number not in (errno.EINVAL, errno.ENOSYS):
                raise OSError(number, os.strerror(number), str(target))
    old = new.with_name(f"{new.name}.old")
    target.rename(old)
    try:
        new.rename(target)
    except OSError:
        with suppress(OSError):
            old.rename(target)
        raise
    old.rename(new)
    return True


_MAGIC: Final = b"\x93NUMPY"
_HEADER: Final = re.compile(
    r"\{'descr': '([<>|=][biufcSU][0-9]{1,4})', 'fortran_order': (True|False), "
    r"'shape': \(((?:[0-9]{1,18}, ?)*(?:[0-9]{1,18})?)\), *\} *\n"
)
_DIMENSIONS: Final = 32
_HEADER_MAX: Final = 10_000  # bytes of a header; NumPy's limit
_LARGE: Final = 1 << 26  # bytes of a file from which holes are refused
_DENSE: Final = 64  # size relative to the space on disk: more cannot come from compression
_NO_ALLOCATION: Final = (errno.EINVAL, errno.EOPNOTSUPP, errno.ENOSYS)


def read_array(path: Path, *, holes: bool = True) -> NDArray[Any]:
    """Map the array of a file into memory, read-only.

    The result is not of NumPy's memory map class, whose accesses are ten times as slow.

    Parameters
    ----------
    path : Path
        A ``.npy`` file of numbers or strings.
    holes : bool
        Whether the file may be sparse: a few bytes on disk, but gigabytes in memory.

    Raises
    ------
    FileNotFoundError
        If the file does not exist.
    InputError
        If the file cannot be read, or is damaged.
    """
    try:
        with path.open("rb") as file:
            about = os.fstat(file.fileno())
            start, header = _header(file)
            dtype = np.dtype(header[1])
            shape = tuple(int(size) for size in re.findall("[0-9]+", header[3]))
            if len(shape) > _DIMENSIONS or math.prod(size or 1 for size in shape) >= 1 << 60:
                raise ValueError("its shape is none")
            if start + math.prod(shape) * dtype.itemsize != about.st_size:
                raise ValueError("its size is another")
            on_disk = 512 * getattr(about, "st_blocks", 0)
            if not holes and about.st_size > _LARGE and 0 < on_disk * _DENSE < about.st_size:
                raise ValueError("it is a hole")
            order: Any = "F" if header[2] == "True" else "C"
            return np.asarray(np.memmap(file, dtype, "r", start, shape, order))
    except FileNotFoundError:
        raise
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", where=path) from error
    except (ValueError, TypeError, ArithmeticError) as error:
        raise InputError("the array is damaged", where=path, fix="train again") from error


def _header(file: IO[bytes]) -> tuple[int, re.Match[str]]:
    """Read the header, and the position where the numbers start."""
    head = file.read(8)
    if head[:6] != _MAGIC or head[6:7] not in (b"\1", b"\2", b"\3"):
        raise ValueError("no array")
    width = 2 if head[6:7] == b"\1" else 4
    size = int.from_bytes(file.read(width), "little")
    header = _HEADER.fullmatch(file.read(size).decode("latin-1")) if size <= _HEADER_MAX else None
    if header is None:
        raise ValueError("no header of NumPy's")
    return 8 + width + size, header


def write_array(path: Path, array: NDArray[Any]) -> None:
    """Write an array like `numpy.save`, but with errors that tell why a write failed.

    Raises
    ------
    OSError
        If the array cannot be written.
    """
    with path.open("wb") as file:
        plain: Any = SimpleNamespace(write=file.write)  # given a file, NumPy would write by itself
        np.lib.format.write_array(plain, np.asanyarray(array), allow_pickle=False)


def take_space(file: IO[bytes], size: int) -> None:
    """Extend a file with zeros, so that it can be mapped and written to.

    Writing to a map of a file with holes ends the process by SIGBUS when the disk is full.

    Raises
    ------
    OSError
        If the disk has no space.
    """
    if hasattr(os, "posix_fallocate"):
        try:
            os.posix_fallocate(file.fileno(), 0, size)
        except OSError as error:
            if error.errno not in _NO_ALLOCATION:
                raise
        else:
            return
    for start in range(0, size, _PIECE):
        file.write(bytes(min(_PIECE, size - start)))
    file.flush()


_KINDS: Final = {"float": "f", "int": "iu", "bytes": "u"}


def check_arrays(
    arrays: Mapping[str, NDArray[Any]], shapes: Mapping[str, str], **sizes: int
) -> None:
    """Check that arrays are present, and that their kinds and shapes match each other.

    Parameters
    ----------
    arrays : mapping of str to ndarray
    shapes : mapping of str to str
        The kind of each array (``float``, ``int``, ``bytes``) and its sizes: a number, the name of
        one of `sizes`, or another name, which must have the same size everywhere.
    **sizes : int
        Known sizes.

    Raises
    ------
    KeyError
        If an array is missing.
    ValueError
        If an array is of another kind or shape.
    """
    agreed = dict(sizes)
    for name, described in shapes.items():
        kind, *shape = described.split()
        array = arrays[name]
        fits = array.dtype.kind in _KINDS[kind] and array.ndim == len(shape)
        fits = fits and (kind != "bytes" or array.dtype == np.uint8)
        for size, actual in zip(shape, array.shape, strict=False):
            fits = fits and actual == (
                int(size) if size.isdigit() else agreed.setdefault(size, actual)
            )
        if not fits:
            raise ValueError(f"{name} does not fit the other arrays")


def check_starts(starts: NDArray[Any], total: int) -> None:
    """Check that offsets start at 0, never decrease and end at `total`, as for sparse rows.

    Raises
    ------
    ValueError
        If the offsets are invalid.
    """
    if starts[0] != 0 or starts[-1] != total or (starts[1:] < starts[:-1]).any():
        raise ValueError("offsets that are out of order")


def check_places(places: NDArray[Any], size: int) -> None:
    """Check that indices are from 0 to below `size`.

    Raises
    ------
    ValueError
        If an index is not.
    """
    if len(places) and (places.min() < 0 or places.max() >= size):
        raise ValueError("indices that are out of bounds")
