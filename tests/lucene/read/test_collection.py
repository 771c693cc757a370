"""Both indexes of a collection by one handle."""

from collections.abc import Callable
from pathlib import Path

import pytest

from relsent_ir.errors import InputError, MismatchError, UsageError
from relsent_ir.hits import Hits, Run
from relsent_ir.lucene.documents import MoveTagger
from relsent_ir.lucene.read.collection import Indexes, Passage
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
    with Indexes(build([A, B], tagger=MoveTagger("mine", _tag))) as collection:
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


def test_mistakes(build: Callable[..., Path], tmp_path: Path) -> None:
    """A folder without an index is refused when it is read; a string is no list of ids."""
    with pytest.raises(InputError, match="there is no index"):
        Indexes(tmp_path).records(["a"])
    with Indexes(build([A])) as collection:
        for read in (collection.records, collection.parts, collection.moves, collection.texts):
            with pytest.raises(UsageError, match="'a' is one id"):
                read("a")


AMBIGUOUS = (
    Record("10", "Lung", sections=(Section("Mucus rose. Sodium fell. It " + "ended. " * 8),)),
    Record("10.2", "Heart", sections=(Section("Rhythm changed."),)),
    Record("10.2.1", "Liver", sections=(Section("Bile stopped."),)),
)


def _run(*topics: list[str]) -> Run:
    return Run((str(n), Hits.ranked(ids, [1.0] * len(ids))) for n, ids in enumerate(topics))


def test_ids_of_records_that_are_ids_of_sentences(build: Callable[..., Path]) -> None:
    """The unit of a run decides: among records if all of it are, else among sentences first."""
    ten, heart, liver = AMBIGUOUS
    sodium = (Sentence("10", 2, "Sodium fell."),)
    rhythm = (Sentence("10.2", 1, "Rhythm changed."),)
    with Indexes(build(AMBIGUOUS)) as collection:
        assert collection.ambiguous() == ["10.2", "10.2.1"]
        of_records = {"10": ten.sentences(), "10.2": heart.sentences()}
        assert collection.parts(["10", "10.2"]) == of_records
        assert collection.parts(["10.1", "10.2", "10.2.1"]) == {
            "10.1": (Sentence("10", 1, "Mucus rose."),),
            "10.2": sodium,
            "10.2.1": rhythm,
        }
        of_sentences = collection.resolving(_run(["10.1"], ["10.2", "10.2.1"]))
        assert of_sentences.parts(["10.2"]) == {"10.2": sodium}
        assert of_sentences.resolving(_run(["10.2"])) is of_sentences
        assert collection.resolving(_run(["10.2"])).parts(["10.2"]) == {"10.2": heart.sentences()}
        assert collection.among("sentences").parts(["10.2.1", "10"])["10"] == ten.sentences()
        assert of_sentences.read(["10.2.1"], moves=False) == [
            Passage("10.2.1", heart, rhythm, False)
        ]
        assert collection.read(["10.2.1"], moves=False) == [
            Passage("10.2.1", liver, liver.sentences(), True)
        ]


def test_records_and_sentences_in_one_pass(build, monkeypatch):
    """Each record is parsed once, whatever of it is read, and in whichever way again."""
    parsed: list[str] = []
    from_json = Record.from_json

    def counted(line: str) -> Record:
        parsed.append(line)
        return from_json(line)

    monkeypatch.setattr(Record, "from_json", counted)
    with Indexes(build([A, B], tagger=MoveTagger("mine", _tag))) as collection:
        a = (Sentence("a", 0, "Lung"), *_tag(A))
        assert collection.read(["a.2", "b.c", "a"]) == [
            Passage("a.2", A, a[2:], False),
            Passage("b.c", B, tuple(_tag(B)), True),
            Passage("a", A, a, True),
        ]
        assert len(parsed) == 2
        assert collection.read(["a.1"])[0].sentences == a[1:2]
        assert collection.parts(["a"]) == {"a": a}
        assert collection.moves(["a", "b.c"]) == [a, tuple(_tag(B))]
        assert collection.records(["b.c", "a"]) == [B, A]
        assert len(parsed) == 2
        with pytest.raises(MismatchError, match="z is neither a sentence nor a record"):
            collection.read(["a", "z"])


def test_records_that_are_cached(build, monkeypatch):
    """More records than are cached are read again, not lost."""
    monkeypatch.setattr("relsent_ir.lucene.read.collection.PARSED", 1)
    with Indexes(build([A, B])) as collection:
        assert collection.records(["b.c", "a", "b.c"]) == [B, A, B]
        assert collection.records(["a"]) == [A]
        assert collection.records(["b.c", "a"]) == [B, A]
