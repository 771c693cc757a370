"""Two indexes as one: generations, deaths between two commits, and indexes that are not ours."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from relsent_ir.errors import InputError, MismatchError, RelsentError
from relsent_ir.lucene import commits
from relsent_ir.lucene.analyzers import Analysis
from relsent_ir.lucene.commits import Facts, SourceFile, open_directory, read_commits
from relsent_ir.lucene.jvm import java
from relsent_ir.lucene.read.index import Index
from relsent_ir.lucene.write.indexing import build_index
from relsent_ir.lucene.write.writer import CollectionWriter

Inputs = list[tuple[Path, str]]


@pytest.fixture
def inputs(tmp_path: Path, invent: Callable[..., Any], write: Callable[..., Any]) -> Inputs:
    """Three small files; the second also brings a new version of a record of the first."""
    groups = [invent(5, seed, prefix) for seed, prefix in enumerate("abc")]
    groups[1] += invent(2, 9, "a")
    return [write(tmp_path / f"{i}.jsonl", group) for i, group in enumerate(groups)]


def sources(folder: Path) -> list[str]:
    """The names of the files that a reader finds in the index."""
    with Index(folder) as abstracts, Index(folder, "sentences") as sentences:
        assert abstracts.facts == sentences.facts
        found = {name.rpartition(".")[0] for name in sentences.ids()}
        assert found == set(abstracts.ids())
        return [Path(source.path).name for source in abstracts.facts.sources]


def segment_files(folder: Path) -> list[int]:
    """How many commits each index keeps."""
    return [len(list((folder / unit).glob("segments_*"))) for unit in ("abstracts", "sentences")]


def test_facts_survive_their_json() -> None:
    """What is stored with a commit is read back the same."""
    facts = Facts(
        Analysis("s", ("étude", "the")),
        (SourceFile("/data/ü.xml", "ab12", 3, 20, 1, 0),),
        ("/data/ü.xml", "/data/b.xml"),
    )
    assert Facts.from_json(facts.to_json(), Path("x")) == facts


def test_no_index(tmp_path: Path) -> None:
    """No folder, an empty one, and one below a file hold no index."""
    (tmp_path / "file").write_text("x")
    assert read_commits(tmp_path / "missing") is None
    assert read_commits(tmp_path) is None
    assert read_commits(tmp_path / "file" / "below") is None
    with pytest.raises(InputError, match="there is no index"):
        Index(tmp_path)
    assert not (tmp_path / "abstracts").exists()


def test_finished_build_keeps_one_commit(tmp_path: Path, inputs: Inputs) -> None:
    """The commits of the files before the last are let go."""
    build_index(inputs, tmp_path / "index")
    assert segment_files(tmp_path / "index") == [1, 1]
    found = read_commits(tmp_path / "index")
    assert found
    assert found.generation == found.newest == 4  # the plan, then three files


@pytest.mark.parametrize("number", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("unit", ["abstracts", "sentences"])
def test_death_between_the_two_commits(
    tmp_path, inputs, contents, die_in_commit, monkeypatch, number, unit
):
    """Readers see the last common state, and the next build ends as if nothing had happened."""
    folder = tmp_path / "index"
    die_in_commit(number, unit)
    with pytest.raises(KeyboardInterrupt):
        build_index(inputs, folder)
    monkeypatch.undo()
    if number == 1:
        with pytest.raises(InputError, match="there is no index"):
            Index(folder)
    else:
        assert len(sources(folder)) == min(number - 2, 3)
    build_index(inputs, folder)
    build_index(inputs, tmp_path / "undisturbed")
    assert contents(folder) == contents(tmp_path / "undisturbed")
    if number < 5:  # else nothing was left to do, and nothing was written
        assert segment_files(folder) == [1, 1]


def test_two_deaths_in_a_row(tmp_path, inputs, contents, die_in_commit, monkeypatch):
    """A commit that only one index has is never taken for a later one of the same number."""
    folder = tmp_path / "index"
    for number in (3, 1, 2):  # of each build's own commits
        die_in_commit(number)
        with pytest.raises(KeyboardInterrupt):
            build_index(inputs, folder)
        monkeypatch.undo()
        assert sources(folder) == ["0.jsonl"]
    found = read_commits(folder)
    assert found
    assert found.newest > found.generation
    build_index(inputs, folder)
    build_index(inputs, tmp_path / "undisturbed")
    assert contents(folder) == contents(tmp_path / "undisturbed")
    assert segment_files(folder) == [1, 1]


@pytest.mark.parametrize("number", [1, 3])
def test_death_of_a_process(tmp_path, inputs, contents, run_python, number):
    """The same with a process that really ends there, its locks and prepared commit left over."""
    code = """
import os, sys
from pathlib import Path
from relsent_ir.lucene.write.indexing import build_index
from relsent_ir.lucene.write.writer import CollectionWriter

original, left = CollectionWriter._commit, int(sys.argv[1])

write = CollectionWriter._write

def dying(self, step, unit, *arguments):
    if (left, step, unit) == (0, "commit", "sentences"):
        os._exit(9)
    write(self, step, unit, *arguments)

def commit(self, facts):
    global left
    left -= 1
    original(self, facts)

CollectionWriter._write = dying
CollectionWriter._commit = commit
build_index([(Path(path), "jsonl") for path in sys.argv[3:]], Path(sys.argv[2]))
"""
    folder = tmp_path / "index"
    ran = run_python(code, number, folder, *(path for path, _ in inputs))
    assert ran.returncode == 9, ran.stderr
    assert list((folder / "sentences").glob("pending_segments_*"))
    build_index(inputs, folder)
    build_index(inputs, tmp_path / "undisturbed")
    assert contents(folder) == contents(tmp_path / "undisturbed")
    assert segment_files(folder) == [1, 1]


def test_other_format_is_refused(sample_index: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An index of another format is named with both formats, for readers and writers."""
    monkeypatch.setattr(commits, "FORMAT", 2)
    with pytest.raises(MismatchError, match=r"of format 1, this version reads format 2 \(build"):
        Index(sample_index)
    with pytest.raises(MismatchError, match="of format 1"):
        build_index([], sample_index)


def write_plain_index(folder: Path) -> None:
    """Write a Lucene index with one empty document, as any other program might."""
    analyzer = java("io.anserini.analysis.DefaultEnglishAnalyzer").newDefaultInstance()
    config = java("org.apache.lucene.index.IndexWriterConfig")(analyzer)
    writer = java("org.apache.lucene.index.IndexWriter")(open_directory(folder), config)
    writer.addDocument(java("org.apache.lucene.document.Document")())
    writer.close()


@pytest.mark.parametrize("units", [["abstracts"], ["sentences"], ["abstracts", "sentences"]])
def test_index_of_another_program(tmp_path: Path, sample: Any, units: list[str]) -> None:
    """Plain Lucene indexes under our names are refused, and stay as they are."""
    for unit in units:
        write_plain_index(tmp_path / unit)
    before = sorted(path.name for path in tmp_path.rglob("*"))
    with pytest.raises(InputError, match="was not built by relsent-ir"):
        Index(tmp_path)
    with pytest.raises(InputError, match="was not built by relsent-ir"):
        build_index([sample], tmp_path)
    assert sorted(path.name for path in tmp_path.rglob("*")) == before


def test_folder_that_is_a_lucene_index(tmp_path: Path, sample: Any, sample_index: Path) -> None:
    """An Anserini index, or one half of ours, is not mistaken for an empty folder."""
    write_plain_index(tmp_path)
    for folder in (tmp_path, sample_index / "abstracts"):
        with pytest.raises(MismatchError, match="this is one Lucene index"):
            Index(folder, "sentences")
        with pytest.raises(InputError, match="this is one Lucene index"):
            build_index([sample], folder)
    with pytest.raises(MismatchError, match="has no field named contents"):
        Index(tmp_path)
    assert not (sample_index / "abstracts" / "abstracts").exists()


def test_halves(tmp_path: Path, sample: Any, sample_index: Path, inputs: Inputs) -> None:
    """A collection that lost one of its indexes, or has another's, is refused."""
    shutil.copytree(sample_index, tmp_path / "index")
    shutil.rmtree(tmp_path / "index" / "sentences")
    with pytest.raises(InputError, match="only half there"):
        Index(tmp_path / "index")
    with pytest.raises(InputError, match="only half there"):
        build_index([sample], tmp_path / "index")
    assert (tmp_path / "index" / "abstracts" / "write.lock").exists()
    for name in ("one", "other"):
        build_index(inputs, tmp_path / name)
    shutil.rmtree(tmp_path / "one" / "sentences")
    shutil.copytree(tmp_path / "other" / "sentences", tmp_path / "one" / "sentences")
    with pytest.raises(MismatchError, match="abstracts and sentences are of two builds"):
        Index(tmp_path / "one")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        "null",
        "[" * 100_000,
        '{"format": 1}',
        '{"format": 1, "analysis": {"stemmer": "x", "stopwords": []}, "sources": [], "plan": []}',
        '{"format": 1, "analysis": {"stemmer": "s", "stopwords": [1]}, "sources": [], "plan": []}',
        '{"format": 1, "analysis": {"stemmer": "s", "stopwords": []}, "sources": [1], "plan": []}',
        '{"format": 1, "analysis": {"stemmer": "s", "stopwords": []}, "sources": [{}], "plan": []}',
        '{"format": 1, "analysis": {"stemmer": "s", "stopwords": []}, "sources": [], "plan": 1}',
        '{"format": 1, "analysis": {"stemmer": ["s"], "stopwords": []}, "sources": [], "plan": []}',
        '{"format": 1, "analysis": {"stemmer": "s", "stopwords": []}, "sources": [], "plan": [{}]}',
    ],
)
def test_damaged_facts(text: str) -> None:
    """Whatever stands where the facts were is one line."""
    with pytest.raises(InputError, match="what the index says of itself is damaged"):
        Facts.from_json(text, Path("x"))


@pytest.mark.parametrize("units", [("abstracts", "sentences"), ("sentences",)])
@pytest.mark.parametrize("number", [10**30, "", "-1", "\u0663"])
def test_altered_generations(tmp_path, inputs, monkeypatch, number, units):
    """A number of a commit that is none is one line, for readers and writers."""
    write = CollectionWriter._write

    def altered(self: CollectionWriter, step: str, unit: str, *data: Any) -> None:
        if step == "prepare" and unit in units:
            data = (data[0], [str(number), *data[1][1:]])
        write(self, step, unit, *data)

    monkeypatch.setattr(CollectionWriter, "_write", altered)
    build_index(inputs, tmp_path / "index")
    monkeypatch.undo()
    for use in (Index, lambda folder: build_index(inputs, folder)):
        with pytest.raises(RelsentError) as told:
            use(tmp_path / "index")
        assert "\n" not in str(told.value)
