"""Facets are the counts of a plain loop over the records of a set."""

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from relsent_ir.errors import InputError, MismatchError, UsageError
from relsent_ir.lucene.commits import Facts
from relsent_ir.lucene.documents import MoveTagger
from relsent_ir.lucene.read.facets import count_facets
from relsent_ir.lucene.read.filters import FACETS, Filters
from relsent_ir.lucene.read.index import Index
from relsent_ir.lucene.read.search import Searcher
from relsent_ir.moves import MOVES
from relsent_ir.records import Mesh, Record, Sentence


def _tag(record: Record) -> list[Sentence]:
    body = [s for s in record.sentences() if s.n]
    return [replace(s, move=MOVES[len(s.text) % 4], score=0.5) for s in body]


def _counts(records: list[Record]) -> dict[str, Counter[str]]:
    """Count the values of records in plain Python."""
    return {
        "year": Counter(record.year for record in records if record.year.isdigit()),
        "journal": Counter(record.journal for record in records if record.journal),
        "publication_type": Counter(t for record in records for t in record.publication_types),
        "heading": Counter(h for record in records for h in {m.heading for m in record.mesh}),
        "language": Counter(name for record in records for name in record.languages),
    }


@pytest.fixture(scope="module")
def records(invent: Callable[..., list[Record]]) -> list[Record]:
    """Records with and without values."""
    chance = random.Random(7)
    return [
        replace(
            record,
            journal=chance.choice(("J Odd Res", "Murine Lett", "")),
            publication_types=chance.choice((("Letter",), ("Letter", "Review"), ())),
            year=chance.choice(("1989", "1990", "2001", "", "undated")),
            mesh=chance.choice(((), (Mesh("Lung"), Mesh("Eye"), Mesh("Lung", ("injuries",))))),
            languages=chance.choice((("ger",), ("eng", "ger"), ())),
        )
        for record in invent(150, 8)
    ]


@pytest.fixture(scope="module")
def folder(build: Callable[..., Path], records: list[Record]) -> Path:
    """Their indexes, in three segments, with moves."""
    return build(records[:60], records[60:140], records[140:], tagger=MoveTagger("mine", _tag))


def test_replaced_records(build: Callable[..., Path], records: list[Record]) -> None:
    """One that came again is counted once, as it is now, in a query's set as among hits."""
    again = [replace(record, year="2024") for record in records[:5]]
    present = [*again, *records[5:]]
    with Index(build(records, again)) as index:
        assert index.reader.numDeletedDocs() == 5
        query = Filters(years=(1500, None)).query(index)
        dated = [record for record in present if record.year.isdigit()]
        facets = count_facets(index, query, most=1000)
        assert facets.documents == len(dated) == index.count(query)
        assert facets.counts == {**_counts(dated), "move": {}}


def test_records(folder: Path, records: list[Record]) -> None:
    """Of hits by their ids, and of all that a filter lets pass."""
    by_id = {record.id: record for record in records}
    with Index(folder) as index:
        for topic in ("ba de", "li", "vo ku ra"):
            hits = Searcher(index).search({"1": topic}, 50)["1"]
            facets = count_facets(index, list(hits.ids), most=1000)
            assert facets.documents == len(hits)
            assert facets.counts == {**_counts([by_id[name] for name in hits.ids]), "move": {}}
        passing = [record for record in records if "Review" in record.publication_types]
        query = Filters(publication_types="review").query(index)
        facets = count_facets(index, query, ["journal", "year"])
        assert facets.documents == len(passing)
        assert facets.counts["journal"] == _counts(passing)["journal"]
        assert list(facets.counts["year"]) == sorted(_counts(passing)["year"])


def test_sentences(folder: Path, records: list[Record]) -> None:
    """A sentence has the values of its record, and its move."""
    tagged = [s for record in records for s in (*record.title_sentence(), *_tag(record))]
    years = {record.id: record.year for record in records}
    with Index(folder, "sentences") as index:
        facets = count_facets(index, [s.id for s in tagged])
        assert facets.counts["move"] == Counter(s.move for s in tagged if s.move)
        dated = Counter(years[s.record] for s in tagged if years[s.record].isdigit())
        assert facets.counts["year"] == dated


def test_most_frequent_first(build: Callable[..., Path], folder: Path) -> None:
    """Ties in alphabetical order, no more than asked for; of nothing every field is empty."""
    journals = ("B", "A", "C", "C", "D")
    records = [Record(str(n), "Lung", journal=name) for n, name in enumerate(journals)]
    with Index(build(records)) as index:
        facets = count_facets(index, index.ids(), most=3)
    assert list(facets.counts["journal"].items()) == [("C", 2), ("A", 1), ("B", 1)]
    with Index(folder) as index:
        facets = count_facets(index, [])
    assert (facets.documents, facets.counts) == (0, {field: {} for field in FACETS})


def test_what_cannot_be_counted(folder, build, monkeypatch):
    """An unknown id or field, no values, an index that is older."""
    with Index(folder) as index:
        with pytest.raises(InputError, match="no document 'nobody'"):
            count_facets(index, [index.ids()[0], "nobody"])
        with pytest.raises(UsageError, match=r"no facet 'mood' .*one of year, journal"):
            count_facets(index, [], ["mood"])
        with pytest.raises(UsageError, match="0 values"):
            count_facets(index, [], most=0)
    monkeypatch.setattr(
        "relsent_ir.lucene.write.indexing.begun",
        lambda analysis, moves: Facts(analysis, moves=moves, build="1", facets=False),
    )
    with Index(build([Record("1", "Lung")])) as old, pytest.raises(MismatchError, match="facets"):
        count_facets(old, ["1"])
