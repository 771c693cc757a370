"""A first search in another thread."""

from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

Run = Callable[..., "CompletedProcess[str]"]

SEARCH = """
from pathlib import Path
from relsent_ir.errors import RelsentError
from relsent_ir.lucene.read.index import Index
from relsent_ir.lucene.read.search import Searcher
from relsent_ir.lucene.read.search import warm_up

folder = Path({folder!r})
warm_up(folder)
try:
    with Index(folder, "sentences") as index:
        print(len(Searcher(index).search({{"1": "sentences of a record"}}, 5)["1"]) > 0)
except RelsentError as error:
    print(error)
"""


def test_both_threads_search(run_python: Run, sample_index: Path) -> None:
    """Whoever asks next waits, and Lucene answers as ever."""
    ran = run_python(SEARCH.format(folder=str(sample_index)))
    assert (ran.stdout, ran.stderr) == ("True\n", "")


def test_what_fails_is_told_once(run_python: Run, sample_index: Path, tmp_path: Path) -> None:
    """A missing index and a broken Java are told where they are used, without a traceback."""
    ran = run_python(SEARCH.format(folder=str(tmp_path / "nothing")))
    assert ran.stdout.startswith(f"{tmp_path / 'nothing'}: there is no index")
    assert (ran.stdout.count("\n"), ran.stderr) == (1, "")
    (tmp_path / "release").write_text('JAVA_VERSION="21.0.1"\n')
    ran = run_python(SEARCH.format(folder=str(sample_index)), JAVA_HOME=str(tmp_path))
    assert ran.stdout.startswith(f"{tmp_path}: Java 21 does not start: ")
    assert (ran.stdout.count("\n"), ran.stderr) == (1, "")
