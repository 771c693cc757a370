"""Documents that have several things at once."""

from collections.abc import Iterator

import pytest

from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.lucene.read.conjunctions import Conjunctions, _cuts
from relsent_ir.records import Record, Section
from tests.invented import index_of

TEXTS = (
    "Tnfα binds abc 1.",
    "TNF alpha and no abc1.",
    "The abc is new.",
    "Alpha of tnf. Abc 1.",
    "E.coli and sjögren.",
    "Made in the U.S. of 2.5 mg.",
    "Q 1 w 2 e 3 r 5 y 6 u.",
    "Q1 1w w2 2e e3 3r r5 5y y6 6u.",
)


@pytest.fixture(scope="module")
def conjunctions(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Conjunctions]:
    """Over the sentences of four records."""
    folder = tmp_path_factory.mktemp("conjunctions")
    records = [Record(f"r{n}", "", sections=(Section(text),)) for n, text in enumerate(TEXTS)]
    with Indexes(index_of(folder, records)) as collection:
        yield Conjunctions(collection.sentences)


TNF = (("tnf",), ("alpha", "α"))
ABC = (("abc",), ("1",))


def _ids(conjunctions: Conjunctions, *things: object, most: int = 10) -> list[str]:
    queries = [conjunctions.name(thing) for thing in things]  # type: ignore[arg-type]
    return sorted(conjunctions.search([queries], most)[0].ids)


def test_both(conjunctions: Conjunctions) -> None:
    """Every thing is there, its pieces side by side or in one word, by any name."""
    assert _ids(conjunctions, TNF) == ["r0.1", "r1.1"]
    assert _ids(conjunctions, ABC) == ["r0.1", "r1.1", "r3.2"]
    assert _ids(conjunctions, TNF, ABC) == ["r0.1", "r1.1"]
    names = (TNF, (("new",),), (("zzz",),))
    query = conjunctions.either(map(conjunctions.name, names))
    assert sorted(conjunctions.search([[query]], 10)[0].ids) == ["r0.1", "r1.1", "r2.1"]
    assert conjunctions.count(query) == 3
    assert len(_ids(conjunctions, ABC, most=2)) == 2


@pytest.mark.parametrize(
    ("spellings", "found"),
    [
        ((("coli",),), ["r4.1"]),
        ((("e",), ("coli",)), ["r4.1"]),
        ((("sjogren",),), ["r4.1"]),
        ((("u",), ("s",)), ["r5.1"]),
        ((("2",), ("5",)), ["r5.1"]),
        ((("25",),), []),
    ],
)
def test_unusual_words(conjunctions, spellings, found):
    """What Lucene takes for one word is found by what is in it, with accents or without."""
    query = conjunctions.name(spellings)
    assert (sorted(conjunctions.search([[query]], 10)[0].ids) if query else []) == found


def test_many_pieces(conjunctions: Conjunctions) -> None:
    """A name with 144 ways to be cut is found in any order; 2,000 pieces are cut at once."""
    pieces = [[piece] for piece in ["q", "1", "w", "2", "e", "3", "r", "5", "y", "6", "u"]]
    assert _ids(conjunctions, pieces) == ["r6.1", "r7.1"]
    assert _ids(conjunctions, (("abc",),) * 2000) == []
    assert conjunctions.name((("s",),) * 2000 + (("zebra",),)) is None


def test_words(conjunctions: Conjunctions) -> None:
    """A word of no document has no query; stop words may be anywhere; near words are told."""
    assert conjunctions.name((("tnf",), ("zzz",))) is None
    assert conjunctions.words("tnf zzz") is None
    assert conjunctions.count(None) == 0
    query = conjunctions.name((("no",),))
    assert conjunctions.is_anything(query)
    assert _ids(conjunctions, (("the",), ("abc",)), (("new",),)) == ["r2.1"]
    hits = conjunctions.search([[conjunctions.words("1 the abc")]], 10)[0]
    assert sorted(hits.ids) == ["r0.1", "r3.2"]
    assert conjunctions.near("sjogrem") == ["sjögren"]
    assert conjunctions.near("the") == []


def test_cuts() -> None:
    """Every row of known runs from the first piece to the last, shortest runs first."""
    known = {(0, 1), (1, 2), (0, 2), (2, 3), (1, 4)}
    assert list(_cuts(3, known)) == [[(0, 1), (1, 2), (2, 3)], [(0, 2), (2, 3)]]
    assert list(_cuts(4, known)) == [[(0, 1), (1, 4)]]
    assert list(_cuts(5, known)) == []
