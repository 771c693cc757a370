"""Both indexes of a collection by one handle."""

from collections.abc import Callable
from pathlib import Path

import pytest

from relsent_ir.errors import InputError, MismatchError, UsageError
from relsent_ir.lucene.collection import Collection
from relsent_ir.lucene.documents import Tagger
from relsent_ir.moves import default_model, tag_record
from relsent_ir.records import Record, Section, Sentence

A = Record("a", "Lung", sections=(Section("Mucus rose. Sodium fell."),))
B = Record("b.c", sections=(Section("Chloride matters."),))


def _tag(record: Record) -> list[Sentence]:
    return [Sentence(s.record, s.n, s.text, "RESULTS", 0.25) for s in record.sentences() if s.n]


def test_parts_of_hits(build: Callable[..., Path]) -> None:
    """A sentence is its own only part; a record has its title and its sentences, in order."""
    with Collection(build([A, B])) as collection:
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
    with Collection(build([A, B], tagger=Tagger("mine", _tag))) as collection:
        wanted = (Sentence("a", 0, "Lung"), *_tag(A))
        assert collection.tagged([A]) == [wanted]
        assert collection.parts(["a", "a.1"]) == {"a": wanted, "a.1": (wanted[1],)}


def test_moves_where_none_are_stored(build: Callable[..., Path]) -> None:
    """The packaged model tags; what is only asked for its text stays without."""
    with Collection(build([A, B])) as collection:
        wanted = [
            (Sentence("a", 0, "Lung"), *tag_record(default_model(), A)),
            tuple(tag_record(default_model(), B)),
        ]
        assert collection.tagged([A, B]) == wanted


def test_no_index(tmp_path: Path) -> None:
    """A folder without an index is refused when it is read."""
    with pytest.raises(InputError, match="there is no index"):
        Collection(tmp_path).records(["a"])
