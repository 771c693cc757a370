"""An archive of Java's classes, from which a process that answers one query starts faster.

Java reads, verifies and links the two thousand classes of a search anew in each process. From an
archive of them (class data sharing, https://openjdk.org/jeps/310) it maps them instead, which takes
a third off the processor time of one query. The first process that answers one query leaves a list
of the classes that it has loaded, and Java makes the archive of it, in the background, when that
process has ended: some seconds once, and 20 MB in ``$XDG_CACHE_HOME/relsent-ir/java``
(``~/.cache/relsent-ir/java``). Java itself checks that an archive fits the runtime and the jars.
Where one cannot be written, or does not fit, Java starts without, and says nothing.
"""

import atexit
import hashlib
import os
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from relsent_ir.files import cache_home


def sharing_options(home: Path, jars: Sequence[Path], *, record: bool) -> list[str]:
    """Return the options by which Java uses its archive of classes, or lists the classes it loads.

    Parameters
    ----------
    home : Path
        The Java runtime's folder.
    jars : sequence of Path
        The classpath.
    record : bool
        Whether to make the archive, if there is none, from the classes that this process loads.
    """
    with suppress(OSError, RuntimeError):  # no right to read or write, no home folder
        archive = _archive(home, jars)
        if archive.is_file():
            return [f"-XX:SharedArchiveFile={archive}", "-Xlog:disable"]
        if record:
            archive.parent.mkdir(parents=True, exist_ok=True)
            listed = archive.with_suffix(f".{os.getpid()}.classes")
            listed.touch()
            atexit.register(_make, home, jars, listed, archive)
            return [f"-XX:DumpLoadedClassList={listed}", "-Xlog:disable"]
    return []


def _archive(home: Path, jars: Sequence[Path]) -> Path:
    """Return where the archive is, or would be: another file for another runtime or other jars."""
    digest = hashlib.blake2b(digest_size=8)
    for path in (home / "release", *jars):
        about = path.stat()
        digest.update(f"{path} {about.st_size} {about.st_mtime_ns}\n".encode())
    return cache_home() / "java" / f"{digest.hexdigest()}.jsa"


def _make(home: Path, jars: Sequence[Path], listed: Path, archive: Path) -> None:
    """Begin to make the archive in a process of its own, which outlives this one.

    An archive's head is written last, so that nobody takes half of one for whole.
    """
    with suppress(OSError):
        if archive.is_file():  # of another process that ended before this one
            listed.unlink()
            return
        for other in archive.parent.glob("*.classes"):  # of processes that were killed, too
            if other != listed:
                other.unlink()
        command = [str(home / "bin" / "java"), "-Xshare:dump", "-Xlog:disable", "-Xmx256m"]
        process = subprocess.Popen(  # noqa: S603 (our own arguments)
            [
                *command,
                f"-XX:SharedClassListFile={listed}",
                f"-XX:SharedArchiveFile={archive}",
                *("-cp", os.pathsep.join(map(str, jars))),
            ],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=sys.platform != "win32",
        )
        process.returncode = 0  # nobody waits for it, and Python is not to warn of that
