"""Filters: what passes is what a plain test of the records lets pass, with its score."""

import logging
import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from relsent_ir.errors import MismatchError, UsageError
from relsent_ir.lucene.commits import Facts
from relsent_ir.lucene.documents import MoveTagger, filter_values
from relsent_ir.lucene.read.index import Index
from relsent_ir.lucene.read.search import Filters, Searcher
from relsent_ir.methods import BM25, QueryLikelihood
from relsent_ir.moves import MOVES
from relsent_ir.records import Mesh, Record, Sentence

JOURNALS = ("J Odd Res", "Murine Lett", "")
TYPES = (("Journal Article",), ("Journal Article", "Clinical Trial, Phase II"), ())
YEARS = ("1989", "1990", "1999", "2000", "2001", "", "undated")

WANTED = [
    Filters((1990, 2000)),
    Filters((None, 1990)),
    Filters((2000, None)),
    Filters((1999, 1999)),
    Filters(journals=("MURINE LETT",)),
    Filters(journals=("J Odd  Res", "Murine Lett")),
    Filters(publication_types=("clinical trial, phase ii",)),
    Filters((1990, None), ("j odd res",), ("Journal Article",)),
    Filters(mesh=("LUNG",)),
    Filters(mesh="Lung", languages="ger"),
    Filters(authors="Okafor"),
    Filters(authors="okafor b"),
    Filters(authors=("Okafor BC", "Ode")),
    Filters(own="Arm=b"),
]


def passes(wanted: Filters, record: Record) -> bool:
    """Test a record in plain Python."""
    first, last = wanted.years
    year = int(record.year) if record.year.isdigit() else None
    dated = year is not None and (first or 0) <= year <= (last or 9999)
    journals = {" ".join(name.split()).lower() for name in wanted.journals}
    types = {name.lower() for name in wanted.publication_types}
    authors = [name.lower() for name in record.authors]
    written = [" ".join(name.lower().split()) for name in wanted.authors]
    return (
        (not wanted.mesh or "Lung" in [mesh.heading for mesh in record.mesh])
        and (not wanted.languages or "ger" in record.languages)
        and (not wanted.own or ("Arm", "B") in record.own)
        and (
            not written
            or any(
                name == one or name.startswith(one if " " in one else f"{one} ")
                for name in authors
                for one in written
            )
        )
        and (wanted.years == (None, None) or dated)
        and (not journals or record.journal.lower() in journals)
        and (not types or not types.isdisjoint(t.lower() for t in record.publication_types))
    )


def _tag(record: Record) -> list[Sentence]:
    body = [s for s in record.sentences() if s.n]
    return [replace(s, move=MOVES[(len(s.text) + s.n) % 4], score=0.5) for s in body]


@pytest.fixture(scope="module")
def records(invent: Callable[..., list[Record]]) -> list[Record]:
    """Records with and without what is asked for."""
    chance = random.Random(4)
    return [
        replace(
            record,
            journal=chance.choice(JOURNALS),
            publication_types=chance.choice(TYPES),
            year=chance.choice(YEARS),
            mesh=chance.choice(((), (Mesh("Lung", major=True),), (Mesh("Lung"), Mesh("Eye")))),
            authors=chance.choice(((), ("Okafor B", "Ode A"), ("Okafor BC",), ("Okaforson B",))),
            languages=chance.choice((("ger",), ("eng", "ger"), ())),
            own=chance.choice(((), (("Arm", "A"),), (("Arm", "B"), ("Dose", "2 mg")))),
        )
        for record in invent(150, 8)
    ]


@pytest.fixture(scope="module")
def folder(build: Callable[..., Path], records: list[Record]) -> Path:
    """Their indexes, in three segments, with moves."""
    return build(records[:60], records[60:140], records[140:], tagger=MoveTagger("mine", _tag))


@pytest.mark.parametrize("wanted", WANTED, ids=str)
@pytest.mark.parametrize("unit", ["abstracts", "sentences"])
def test_brute_force(folder: Path, records: list[Record], unit: str, wanted: Filters) -> None:
    """The hits of a deep run that pass, in their order, with the same scores to the last bit."""
    by_id = {record.id: record for record in records}
    topics = {record.id: f"{record.title} {record.title}" for record in records[:12]}
    with Index(folder, unit) as index:
        for settings in ({}, {"model": QueryLikelihood()}, {"model": BM25(1.2, 0.75)}):
            plain = Searcher(index, **settings).search(topics, 10_000)
            for k in (3, 10_000):
                found = Searcher(index, filters=wanted, **settings).search(topics, k)
                for topic, hits in plain.items():
                    expected = [
                        (name, score)
                        for name, score in zip(hits.ids, hits.scores, strict=True)
                        if passes(wanted, by_id[name.partition(".")[0]])
                    ]
                    assert (
                        list(zip(found[topic].ids, found[topic].scores, strict=True))
                        == (expected[:k])
                    )
                    assert any(hits.ids)
                    assert k == 3 or len(expected) < len(hits)


@pytest.mark.parametrize("wanted", WANTED, ids=str)
@pytest.mark.parametrize("unit", ["abstracts", "sentences"])
def test_passing(folder: Path, records: list[Record], unit: str, wanted: Filters) -> None:
    """Every document that passes by plain Python is marked at Lucene's number, and no other."""
    by_id = {record.id: record for record in records}
    with Index(folder, unit) as index:
        ids = index.ids()
        passing = wanted.passing(index)
        marked = passing[index.documents(ids)].tolist()
    assert len(passing) == len(ids)
    assert marked == [passes(wanted, by_id[name.partition(".")[0]]) for name in ids]
    assert 0 < sum(marked) < len(ids)


def test_moves_and_years(folder: Path, records: list[Record]) -> None:
    """Both must hold; weighted terms and fields are filtered too."""
    wanted = Filters((1990, 2000), moves=("RESULTS", "METHODS"))
    allowed = {
        sentence.id
        for record in records
        for sentence in _tag(record)
        if sentence.move in wanted.moves and passes(Filters(wanted.years), record)
    }
    with Index(folder, "sentences") as index:
        text = " ".join(record.abstract for record in records)
        weights = dict.fromkeys(index.facts.analysis.terms(text), 1.0)
        for settings in ({}, {"fields": {"contents": 2.0}}):
            run = Searcher(index, filters=wanted, **settings).search({"1": text, "2": weights}, 999)
            assert set(run["1"].ids) == set(run["2"].ids) == allowed


def test_an_account_of_a_filtered_score(folder: Path, records: list[Record]) -> None:
    """A document that passes has its score explained; one that does not has none."""
    inside = next(r for r in records if r.year == "1999")
    outside = next(r for r in records if r.year == "")
    with Index(folder) as index:
        searcher = Searcher(index, filters=Filters((1990, 2000)))
        score = Searcher(index).search({"1": inside.title}, 150)["1"]
        (own,) = score.scores[score.ids == inside.id]
        assert float(searcher.explain(inside.title, inside.id).split()[0]) == pytest.approx(own)
        assert searcher.explain(outside.title, outside.id).startswith("0.0")


def test_without_year(folder: Path, records: list[Record]) -> None:
    """Records without a year, or with something else in its place, are counted."""
    undated = [record for record in records if record.year in ("", "undated")]
    with Index(folder) as abstracts, Index(folder, "sentences") as sentences:
        assert abstracts.without_year == len(undated)
        assert sentences.without_year == sum(len(record.sentences()) for record in undated)


def test_pmid(build: Callable[..., Path]) -> None:
    """It is there where the source gave one, and no id is taken for one."""
    from relsent_ir.lucene.jvm import java

    with Index(build([Record("x", "Lung", pmid="123"), Record("456", "Lung")])) as index:
        term = java("org.apache.lucene.index.Term")
        assert [int(index.reader.docFreq(term("pmid", name))) for name in ("123", "456")] == [1, 0]
        assert [record.pmid for record in index.records(["x", "456"])] == ["123", ""]


def test_values_of_a_record() -> None:
    """Case and white space are one; what is no year, or too long for Lucene, is left out."""
    record = Record("1", year="1999", journal="J  Odd RES", publication_types=("A b", "a B", "C"))
    assert filter_values(record)[:4] == (
        (),
        ("1999",),
        ("j odd res\tJ Odd RES",),
        ("a b\tA b", "c\tC"),
    )
    odd = Record("1", year="19999", journal="x" * 9000, pmid="7")
    assert filter_values(odd)[:4] == (("7",), (), (), ())
    assert not any(filter_values(Record("1", year="१९९९")))


def test_a_value_that_no_record_has(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Nothing is found, and it is said why."""
    with Index(folder) as index, caplog.at_level(logging.WARNING):
        searcher = Searcher(index, filters=Filters(journals=("J Od Res", "J Odd Res")))
        assert len(searcher.search({"1": "x"})["1"]) == 0
    assert [record.getMessage() for record in caplog.records] == [
        f"no journal 'J Od Res' in {folder}"
    ]


def test_no_filter() -> None:
    """What asks for nothing is false, and a searcher does without it."""
    assert not Filters()
    assert Filters((None, 1990))
    assert Filters(moves=("RESULTS",))


@pytest.mark.parametrize("years", [(2000, 1990), (10_000, None), (None, -1)])
def test_impossible_years(years: tuple[int | None, int | None]) -> None:
    """A range in which no year can be is refused."""
    with pytest.raises(UsageError, match=r"no year from .* to .* \(write 1990:2000"):
        Filters(years)


def test_unknown_move() -> None:
    """The known ones are named."""
    with pytest.raises(UsageError, match=r"no move 'RESULT' \(one of PURPOSE"):
        Filters(moves=("RESULT",))


def test_moves_that_an_index_lacks(sample_index: Path) -> None:
    """Neither abstracts nor sentences that were not tagged."""
    for unit in ("abstracts", "sentences"):
        with Index(sample_index, unit) as index, pytest.raises(MismatchError, match="no moves"):
            Searcher(index, filters=Filters(moves=("RESULTS",)))
        with Index(sample_index, unit) as index, pytest.raises(MismatchError, match="no moves"):
            Filters(moves=("RESULTS",)).passing(index)


def test_an_older_index(
    build: Callable[..., Path], monkeypatch: pytest.MonkeyPatch, write: Callable[..., object]
) -> None:
    """It is searched as ever; filters are refused, also after records were added to it."""
    import json

    from relsent_ir.lucene.write.indexing import build_index

    to_json = Facts.to_json

    def without(self: Facts) -> str:
        values = json.loads(to_json(self))
        del values["filters"]
        return json.dumps(values)

    with monkeypatch.context() as patch:
        patch.setattr(Facts, "to_json", without)
        folder = build([Record("1", "Lung", year="1990")])
    more = write(folder / "more.jsonl", [Record("2", "Lung", year="1990")])
    build_index([more], folder, append=True)
    with Index(folder) as index:
        assert not index.facts.filters
        assert len(Searcher(index).search({"1": "lung"})["1"]) == 2
        with pytest.raises(MismatchError, match=r"older than filters .* \(build it again\)"):
            Searcher(index, filters=Filters((1990, 1990)))


def test_an_index_older_than_headings(
    build: Callable[..., Path], monkeypatch: pytest.MonkeyPatch, write: Callable[..., object]
) -> None:
    """Years are filtered, headings are refused, also after records were added to it."""
    from relsent_ir.lucene.write.indexing import build_index

    monkeypatch.setattr(
        "relsent_ir.lucene.write.indexing.begun",
        lambda analysis, moves: Facts(analysis, moves=moves, build="1", facets=False),
    )
    folder = build([Record("1", "Lung", year="1990")])
    build_index([write(folder / "more.jsonl", [Record("2", "Lung")])], folder, append=True)
    with Index(folder) as index:
        assert len(Searcher(index, filters=Filters(1990)).search({"1": "lung"})["1"]) == 1
        with pytest.raises(MismatchError, match=r"older than filters of headings"):
            Searcher(index, filters=Filters(mesh="Lung"))


@pytest.mark.parametrize("condition", ["arm", "arm=", "=", "arm= "])
def test_a_condition_without_a_value(condition: str) -> None:
    """Own fields are asked for by name and value."""
    with pytest.raises(UsageError, match=r"FIELD=VALUE"):
        Filters(own=condition)
