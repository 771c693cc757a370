"""What Java throws, put into our words."""

from pathlib import Path
from typing import Any

from relsent_ir.errors import (
    InputError,
    MismatchError,
    MissingError,
    OutputError,
    RelsentError,
)


def translate(error: Any, where: str | Path | None) -> RelsentError:
    """Give the error of ours that says what a JavaException says, about the place `where`."""
    name, text = str(error.classname), str(error.innermessage or error)
    trace = error.stacktrace or []
    if name.endswith("AlreadyClosedException") and "Caused by:" in trace:
        name, _, text = trace[trace.index("Caused by:") + 1].partition(": ")
    name = name.rsplit(".", 1)[-1]
    match name:
        case "LockObtainFailedException":
            return MismatchError(
                "another process is writing to this index", where=where, fix="wait until it ends"
            )
        case "IndexNotFoundException" | "NoSuchFileException" | "FileNotFoundException":
            return InputError(f"no Lucene index: {text}", where=where, fix="build it again")
        case "IndexFormatTooNewException" | "IndexFormatTooOldException":
            return MismatchError(
                f"written by another Lucene: {text}", where=where, fix="build it again"
            )
        case "CorruptIndexException" | "EOFException":
            return InputError(f"a damaged index: {text}", where=where, fix="build it again")
        case "InvalidPathException":
            return MissingError(
                "the locale does not have this path's letters", where=where, fix="LC_ALL=C.UTF-8"
            )
        case "OutOfMemoryError":
            return MissingError("Java's heap is full", where=where, fix="give a larger --heap")
        case "AccessDeniedException" | "ReadOnlyFileSystemException" | "FileSystemException":
            return OutputError(f"cannot write: {text}", where=where, fix="check its permissions")
    if "indexCreatedVersionMajor" in text:
        return MismatchError(
            "written by a newer Lucene", where=where, fix="update pyserini, or build it again"
        )
    for reason in ("No space left on device", "Disk quota exceeded", "File too large"):
        if reason in text:
            return OutputError(f"cannot write: {reason}", where=where, fix="free some, run again")
    return RelsentError(f"Lucene failed: {name}: {text}", where=where)
