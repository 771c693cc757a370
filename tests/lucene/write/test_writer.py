"""Writing both indexes of a collection: blocks of documents, locks, and rolling back."""

import json
from pathlib import Path

import pytest

from relsent_ir.errors import InputError, MismatchError, OutputError, RelsentError
from relsent_ir.lucene.analyzers import Analysis
from relsent_ir.lucene.commits import Facts, SourceFile, read_commits
from relsent_ir.lucene.read.index import Index
from relsent_ir.lucene.write import batches
from relsent_ir.lucene.write.batches import BATCH, BATCH_CHARACTERS
from relsent_ir.records import Record, Section
from tests.lucene.writing import RecordWriter

SOURCE = SourceFile("a.jsonl", "ab12", 1, 1, 0, 0)


def facts(*sources: SourceFile) -> Facts:
    """Facts with Porter's analysis."""
    return Facts(Analysis.choose(), sources)


def mice(number: object, *sentences: str) -> Record:
    """A record with a title and an abstract of these sentences."""
    return Record(str(number), f"Mice {number}.", sections=(Section(" ".join(sentences)),))


def fail_after(folder: Path, *records: Record, source: SourceFile | None = None) -> None:
    """Commit the first record, if a source is given, add the others, and fail."""
    with RecordWriter(folder, facts(), None) as writer:
        for number, record in enumerate(records):
            writer.add(record)
            if number == 0:
                writer.commit(facts(source) if source else facts())
        raise ZeroDivisionError


def ids(folder: Path, unit: str) -> list[str]:
    """What is committed, sorted."""
    with Index(folder, unit) as index:
        return sorted(index.ids())


def test_ids_that_begin_alike_are_apart(tmp_path: Path) -> None:
    """Replacing 1 leaves 11 and 1.1, though all their sentences' ids begin with 1."""
    with RecordWriter(tmp_path / "new" / "index", facts(), None) as writer:
        for name in ("1", "11", "1.1"):
            assert writer.add(mice(name, "They ran.")) == 2
        assert writer.add(Record("1")) == 0
        writer.delete("11")
        writer.commit(facts(SOURCE))
    assert ids(tmp_path / "new" / "index", "abstracts") == ["1", "1.1"]
    assert ids(tmp_path / "new" / "index", "sentences") == ["1.1.0", "1.1.1"]


def test_any_characters_go_through(tmp_path: Path) -> None:
    """Ids and texts come back as they were; a record that comes after its deletion stays."""
    record = Record('α"\\😀', 'Tab "β"\\n \u2028 𝒳 mice.', journal="𝒳")
    with RecordWriter(tmp_path, facts(), None) as writer:
        writer.add(record)
        writer.commit(facts(SOURCE))
    with Index(tmp_path) as index:
        assert index.records([record.id]) == [record]
    with Index(tmp_path, "sentences") as index:
        assert index.ids() == [f"{record.id}.0"]
    with RecordWriter(tmp_path / "again", facts(), None) as writer:
        writer.delete("1")
        writer.add(mice(1))
        writer.add(mice(2))
        writer.delete("2")
        writer.commit(facts(SOURCE))
    assert ids(tmp_path / "again", "abstracts") == ["1"]
    assert ids(tmp_path / "again", "sentences") == ["1.0"]


def test_only_one_writer_at_a_time(tmp_path: Path) -> None:
    """The second is turned away, and the first one's index is left alone."""
    with RecordWriter(tmp_path / "index", facts(), None) as writer:
        with pytest.raises(MismatchError, match="another process is writing"):
            RecordWriter(tmp_path / "index", facts(), None)
        writer.add(mice(1))
        writer.commit(facts(SOURCE))
    assert ids(tmp_path / "index", "abstracts") == ["1"]


def test_index_that_changed_before_the_lock(tmp_path: Path) -> None:
    """Going on from commits that are no longer the newest is refused, and harms nothing."""
    folder = tmp_path / "index"
    with RecordWriter(folder, facts(), None) as writer:
        writer.add(mice(1))
        writer.commit(facts(SOURCE))
    with pytest.raises(MismatchError, match="has written to this index meanwhile"):
        RecordWriter(folder, facts(), None)
    stale = read_commits(folder)
    with RecordWriter(folder, facts(SOURCE), stale) as writer:
        writer.add(mice(2))
        writer.commit(facts(SOURCE))
    with pytest.raises((MismatchError, InputError)):
        RecordWriter(folder, facts(SOURCE), stale)
    assert ids(folder, "abstracts") == ["1", "2"]


def test_error_rolls_back_to_the_last_commit(tmp_path: Path) -> None:
    """What came after the last commit is forgotten, and the next writer finds no lock."""
    folder = tmp_path / "index"
    with pytest.raises(ZeroDivisionError):
        fail_after(folder, mice(1), mice(2), source=SOURCE)
    assert ids(folder, "abstracts") == ["1"]
    with RecordWriter(folder, facts(SOURCE), read_commits(folder)) as writer:
        writer.add(mice(3))
        writer.commit(facts(SOURCE))
    assert ids(folder, "abstracts") == ["1", "3"]


def test_nothing_is_left_of_an_index_without_a_source(tmp_path: Path) -> None:
    """Folders that were made are taken away; the one that was there stays, with what it held."""
    (tmp_path / "old" / "sentences").mkdir(parents=True)
    (tmp_path / "old" / "sentences" / "mine.txt").write_text("mine")
    for folder in (tmp_path / "new", tmp_path / "old"):
        with pytest.raises(ZeroDivisionError):
            fail_after(folder, mice(1), mice(2))
    assert not (tmp_path / "new").exists()
    assert not (tmp_path / "old" / "abstracts").exists()
    assert (tmp_path / "old" / "sentences" / "mine.txt").read_text() == "mine"


def test_failure_at_the_end_rolls_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """When even closing fails the locks are given back."""
    writer = RecordWriter(tmp_path, facts(), None)
    writer.add(mice(1))
    writer.commit(facts(SOURCE))
    monkeypatch.setattr(writer, "_commit", lambda facts: 1 / 0)
    with pytest.raises(ZeroDivisionError), writer:
        pass
    with RecordWriter(tmp_path, facts(SOURCE), read_commits(tmp_path)):
        pass
    assert ids(tmp_path, "abstracts") == ["1"]


@pytest.mark.parametrize("name", ["file", "file/below"])
def test_folder_that_cannot_be_made(tmp_path: Path, name: str) -> None:
    """A file in the way is named, and stays."""
    (tmp_path / "file").write_text("mine")
    with pytest.raises(OutputError, match="cannot make the folder"):
        RecordWriter(tmp_path / name, facts(), None)
    assert (tmp_path / "file").read_text() == "mine"


def test_file_where_the_second_index_belongs(tmp_path: Path) -> None:
    """The first index that was made already goes away again."""
    (tmp_path / "sentences").write_text("mine")
    with pytest.raises(OutputError, match="sentences: cannot make the folder"):
        RecordWriter(tmp_path, facts(), None)
    assert [path.name for path in tmp_path.iterdir()] == ["sentences"]


def test_trouble_on_the_writing_thread_arrives(tmp_path, monkeypatch):
    """What a batch meets in Java is raised by a later call, and the commit does not happen."""
    monkeypatch.setattr(batches, "sentence_documents", lambda *_: [("too", "few")])
    with pytest.raises(RelsentError, match="sentences: Lucene failed: NoSuchElementException"):
        fail_after(tmp_path / "index", mice(1), source=SOURCE)
    assert not (tmp_path / "index").exists()


def test_long_documents_go_in_small_batches(tmp_path, monkeypatch):
    """A batch is ended by its records or by its characters, whichever comes first."""
    sizes: list[int] = []
    original = RecordWriter.send

    def send(self: RecordWriter, unit: str, batch: bytes) -> None:
        if unit == "abstracts":
            sizes.append(len(json.loads(batch)))
        original(self, unit, batch)

    monkeypatch.setattr(RecordWriter, "send", send)
    with RecordWriter(tmp_path, facts(), None) as writer:
        for number in range(BATCH + 1):
            writer.add(mice(number))
        writer.add(mice("long", "x" * BATCH_CHARACTERS))
        writer.commit(facts(SOURCE))
    assert sizes == [BATCH, 2]
    assert len(ids(tmp_path, "abstracts")) == BATCH + 2
