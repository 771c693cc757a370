"""Both indexes of a collection by one handle."""

from collections.abc import Callable
from pathlib import Path

import pytest

from relsent_ir.errors import InputError, MismatchError, UsageError
from relsent_ir.lucene.documents import Tagger
from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.lucene.read.index import Index
from relsent_ir.moves import default_model, tag_record
from relsent_ir.records import Record, Section, Sentence

A = Record("a", "Lung", sections=(Section("Mucus rose. Sodium fell."),))
B = Record("b.c", sections=(Section("Chloride matters."),))


def _tag(record: Record) -> list[Sentence]:
    return [Sentence(s.record, s.n, s.text, "RESULTS", 0.25) for s in record.sentences() if s.n]


def test_parts_of_hits(build: Callable[..., Path]) -> None:
    """A sentence is its own only part; a record has its title and its sentences, in order."""
    with Indexes(build([A, B])) as collection:
        assert collection.parts(["b.c", "a.2", "a", "a.2"]) == {
            "b.c": B.sentences(),
            "a.2": (Sentence("a", 2, "Sodium fell."),),
            "a": A.sentences(),
        }
        with pytest.raises(MismatchError, match="z is neither a sentence nor a record"):
            collection.parts(["a", "z"])
        with pytest.raises(UsageError, match="no unit 'words'"):
            collection.index("words")


def test_moves_that_are_stored(build: Callable[..., Path]) -> None:
    """The moves of the index are given, by whichever way a sentence is asked for."""
    with Indexes(build([A, B], tagger=Tagger("mine", _tag))) as collection:
        wanted = (Sentence("a", 0, "Lung"), *_tag(A))
        assert collection.tagged([A]) == [wanted]
        assert collection.parts(["a", "a.1"]) == {"a": wanted, "a.1": (wanted[1],)}


def test_moves_where_none_are_stored(build: Callable[..., Path]) -> None:
    """The packaged model tags; what is only asked for its text stays without."""
    with Indexes(build([A, B])) as collection:
        wanted = [
            (Sentence("a", 0, "Lung"), *tag_record(default_model(), A)),
            tuple(tag_record(default_model(), B)),
        ]
        assert collection.tagged([A, B]) == wanted


def test_moves_by_id(build: Callable[..., Path], monkeypatch: pytest.MonkeyPatch) -> None:
    """A record is tagged once; more records than are remembered are tagged again, not lost."""
    calls: list[str] = []

    def counted(model: object, record: Record) -> list[Sentence]:
        calls.append(record.id)
        return _tag(record)

    monkeypatch.setattr("relsent_ir.moves.tag_record", counted)
    monkeypatch.setattr("relsent_ir.lucene.read.collection.KEPT", 1)
    with Indexes(build([A, B])) as collection:
        a, b = (*A.title_sentence(), *_tag(A)), tuple(_tag(B))
        assert collection.moves(["a", "a"]) == [a, a]
        assert collection.moves(["a"]) == collection.tagged([A]) == [a]
        assert calls == ["a"]
        assert collection.moves(["b.c", "a"]) == [b, a]
        assert collection.moves(["a", "b.c"]) == [a, b]
        assert collection.moves([]) == []


def test_half_of_it_is_open(build: Callable[..., Path]) -> None:
    """The index that is given is used as it is; the other is opened beside it."""
    with Index(build([A, B]), "sentences") as sentences:
        collection = Indexes.of(sentences)
        assert collection.sentences is sentences
        assert collection.records(["a"]) == [A]
        assert collection.texts(["a.2", "a.0"]) == ["Sodium fell.", "Lung"]
        other = Indexes.of(collection.abstracts, sentences)
        assert (other.abstracts, other.sentences) == (collection.abstracts, sentences)
        collection.abstracts.close()


def test_one_id_in_the_place_of_several(build: Callable[..., Path]) -> None:
    """A string is no list of ids."""
    with Indexes(build([A])) as collection:
        for read in (collection.records, collection.parts, collection.moves, collection.texts):
            with pytest.raises(UsageError, match="'a' is one id"):
                read("a")


def test_no_index(tmp_path: Path) -> None:
    """A folder without an index is refused when it is read."""
    with pytest.raises(InputError, match="there is no index"):
        Indexes(tmp_path).records(["a"])
