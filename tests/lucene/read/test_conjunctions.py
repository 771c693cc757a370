"""Documents that have several things at once."""

from collections.abc import Iterator

import pytest

from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.lucene.read.search import Conjunctions
from relsent_ir.lucene.write.indexing import build_index
from relsent_ir.records import Record, Section

TEXTS = ("Tnfα binds abc 1.", "TNF alpha and no abc1.", "The abc is new.", "Alpha of tnf. Abc 1.")


@pytest.fixture(scope="module")
def conjunctions(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Conjunctions]:
    """Over the sentences of four records."""
    folder = tmp_path_factory.mktemp("conjunctions")
    records = [Record(f"r{n}", "", sections=(Section(text),)) for n, text in enumerate(TEXTS)]
    source = folder / "in.jsonl"
    source.write_text("".join(r.to_json() + "\n" for r in records), encoding="utf-8")
    build_index([(source, "jsonl")], folder / "index")
    with Indexes(folder / "index") as collection:
        yield Conjunctions(collection.sentences)


TNF = ((("tnf",), ("alpha", "α")), (("tnfα", "tnfalpha"),))
ABC = ((("abc",), ("1",)), (("abc1",),))


def _ids(conjunctions: Conjunctions, *things: object, most: int = 10) -> list[str]:
    queries = [conjunctions.query(thing) for thing in things]  # type: ignore[arg-type]
    return sorted(conjunctions.search([queries], most)[0].ids)


def test_both(conjunctions: Conjunctions) -> None:
    """Every thing is there, in any of its writings; words of one may stand apart."""
    assert _ids(conjunctions, TNF) == ["r0.1", "r1.1", "r3.1"]
    assert _ids(conjunctions, TNF, ABC) == ["r0.1", "r1.1"]


def test_at_most(conjunctions: Conjunctions) -> None:
    """So many documents and no more."""
    assert len(_ids(conjunctions, TNF, most=2)) == 2


def test_nowhere(conjunctions: Conjunctions) -> None:
    """A thing with a word that no document has is nowhere: it has no query."""
    assert conjunctions.query(((("tnf",), ("zzz",)),)) is None


def test_stop_words(conjunctions: Conjunctions) -> None:
    """What has only stop words may be anywhere; beside other words they do not count."""
    assert len(_ids(conjunctions, ((("no",),),))) == 5
    assert _ids(conjunctions, ((("the",), ("abc",)),), ((("new",),),)) == ["r2.1"]
