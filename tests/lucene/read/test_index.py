"""Reading an index: ids, stored records, term vectors and statistics, against brute force."""

import json
import shutil
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from threading import Thread
from typing import Any

import numpy as np
import pytest

from relsent_ir.errors import InputError, MismatchError, RelsentError, UsageError
from relsent_ir.lucene.documents import abstract_document
from relsent_ir.lucene.jvm import call, exclusive
from relsent_ir.lucene.read.index import Index
from relsent_ir.lucene.read.search import Searcher
from relsent_ir.lucene.write.indexing import build_index
from relsent_ir.records import Record, read_records


@pytest.fixture(scope="module")
def records(invent: Callable[..., list[Record]], sample: tuple[Path, str]) -> list[Record]:
    """Invented ones, the sample's, and one with nothing but an id."""
    return [*invent(30, 1, "é"), *read_records(sample[0]), Record("😀"), *invent(5, 2, "z.")]


@pytest.fixture(scope="module")
def folder(build: Callable[..., Path], records: list[Record]) -> Path:
    """Their index, in three segments."""
    return build(records[:20], records[20:40], records[40:])


def texts(records: list[Record], unit: str) -> dict[str, str]:
    """What is searched, by id."""
    if unit == "abstracts":
        return {record.id: abstract_document(record)[1] for record in records}
    return {s.id: s.text for r in records for s in r.sentences()}


UNITS = pytest.mark.parametrize("unit", ["abstracts", "sentences"])


@UNITS
def test_ids(folder: Path, records: list[Record], unit: str) -> None:
    """All ids, once, in the order in which they were written."""
    with Index(folder, unit) as index:
        assert index.ids() == list(texts(records, unit))
        assert len(index) == len(texts(records, unit))
        assert index.statistics()["segments"] == 3


@UNITS
def test_documents(folder: Path, unit: str) -> None:
    """Lucene's numbers are found for ids in any order; -1 stands for an unknown id."""
    with Index(folder, unit) as index:
        ids = index.ids()
        numbers = index.documents([*reversed(ids), "nobody", ""])
        assert numbers.dtype == np.int32
        assert numbers.tolist() == [*reversed(range(len(ids))), -1, -1]
        assert index.documents([]).shape == (0,)


def test_ids_are_strings(build: Callable[..., Path], folder: Path) -> None:
    """001, 01 and 1 are three records; a string is no list of ids; two kinds of index."""
    with Index(build([Record("001", "Mice"), Record("01", "Rats"), Record("1", "Cats")])) as index:
        assert [record.title for record in index.records(["1", "001", "01"])] == [
            "Cats",
            "Mice",
            "Rats",
        ]
        assert index.documents(["1.0", "0001", "1 "]).tolist() == [-1, -1, -1]
    with pytest.raises(UsageError, match="one of abstracts, sentences"):
        Index(folder, "paragraphs")
    with Index(folder) as index:
        for read in (index.records, index.raw, index.documents, index.vectors):
            with pytest.raises(UsageError, match=r"'533' is one id.* \(write \['533'\]\)"):
                read("533")


def test_records_round_trip(folder: Path, records: list[Record]) -> None:
    """Records come back equal, in order, twice if asked twice; sentences as Anserini has them."""
    wanted = [*reversed(records), records[3], records[3]]
    with Index(folder) as index:
        assert index.records([record.id for record in wanted]) == wanted
        assert index.records([]) == []
    expected = [{"id": s.id, "contents": s.text} for r in records for s in r.sentences()]
    with Index(folder, "sentences") as index:
        assert [json.loads(line) for line in index.raw(index.ids())] == expected


@pytest.mark.parametrize("method", ["raw", "records", "vectors"])
def test_missing_id_is_named(folder: Path, method: str) -> None:
    """The first id that is not there is in the error, with the kind of index and its place."""
    with Index(folder) as index, pytest.raises(InputError) as caught:
        getattr(index, method)(["é1", "é999", "nobody"])
    assert str(caught.value) == f"{folder}: no document 'é999' among the abstracts"


def as_counters(index: Index, ids: list[str], field: str = "contents") -> list[Counter[str]]:
    """Term vectors as plain counters."""
    vectors = index.vectors(ids, field)
    assert vectors.counts.shape == (len(ids), len(vectors.terms))
    assert len(set(vectors.terms)) == len(vectors.terms)
    return [
        Counter({vectors.terms[c]: int(vectors.counts[row, c]) for c in np.flatnonzero(line)})
        for row, line in enumerate(vectors.counts.toarray())
    ]


@UNITS
def test_vectors_are_the_analysed_texts(folder: Path, records: list[Record], unit: str) -> None:
    """Counting the terms of each text gives the same as the index, over all segments."""
    with Index(folder, unit) as index:
        terms = index.facts.analysis.terms
        expected = {name: Counter(terms(text)) for name, text in texts(records, unit).items()}
        ids = sorted(expected)
        assert as_counters(index, ids) == [expected[name] for name in ids]
        vectors = index.vectors(ids)
        assert vectors.counts.sum() == sum(counter.total() for counter in expected.values())


def test_vectors_in_order(build: Callable[..., Path], folder: Path) -> None:
    """Columns are numbered as documents bring them; no ids, no text and no vectors are empty."""
    with Index(build([Record("1", "rats mice rats"), Record("2", "cats rats")])) as index:
        vectors = index.vectors(["1", "2"])
        assert vectors.terms == ["mice", "rat", "cat"]
        assert vectors.counts.toarray().tolist() == [[1, 2, 0], [0, 1, 1]]
        assert index.vectors(["2"]).terms == ["cat", "rat"]
    with Index(folder) as index:
        assert index.vectors([]).counts.shape == (0, 0)
        assert index.vectors(["😀", "é1"]).counts[[0]].sum() == 0
        assert index.vectors(["é1"], "title").counts.shape == (1, 0)


@UNITS
def test_statistics(folder: Path, records: list[Record], unit: str) -> None:
    """Counting by hand gives the numbers that Lucene keeps, over all segments."""
    with Index(folder, unit) as index:
        terms = index.facts.analysis.terms
        bags = [Counter(terms(text)) for text in texts(records, unit).values()]
        assert index.statistics() == {
            "unit": unit,
            "documents": len(bags),
            "deleted_documents": 0,
            "segments": 3,
            "non_empty_documents": sum(1 for bag in bags if bag),
            "unique_terms": len(set().union(*bags)),
            "postings": sum(map(len, bags)),
            "total_terms": sum(bag.total() for bag in bags),
        }


def test_statistics_of_an_index_without_words(build: Callable[..., Path]) -> None:
    """Where there are no terms at all everything is 0, and no sentence is there."""
    folder = build([Record("1")])
    with Index(folder) as index, Index(folder, "sentences") as sentences:
        assert index.statistics()["unique_terms"] == 0
        assert len(index) == 1
        assert len(sentences) == 0
        assert sentences.ids() == []
        assert sentences.documents(["1.0"]).tolist() == [-1]
        assert sentences.statistics()["documents"] == 0


def test_deleted_documents_are_gone(sample, sample_update, sample_index, tmp_path):
    """Neither ids nor numbers nor texts of a deleted record remain, and a revised one is new."""
    folder = tmp_path / "index"
    shutil.copytree(sample_index, folder)
    build_index([sample_update], folder, append=True)
    with Index(sample_index) as old, Index(folder) as new, Index(folder, "sentences") as parts:
        (gone,) = set(old.ids()) - set(new.ids())
        assert new.documents([gone]).tolist() == [-1]
        with pytest.raises(InputError, match=gone):
            new.raw([gone])
        assert not [name for name in parts.ids() if name.startswith(f"{gone}.")]
        changed = [
            record.id for record in new.records(new.ids()) if record != old.records([record.id])[0]
        ]
        assert len(changed) == 1
        assert new.documents(changed)[0] != old.documents(changed)[0]


def test_reader_keeps_what_it_opened(sample: Any, tmp_path: Path, sample_update: Any) -> None:
    """An open index is not touched by a build; opening it again shows the new state."""
    build_index([sample], tmp_path)
    with Index(tmp_path) as before:
        ids = before.ids()
        build_index([sample_update], tmp_path, append=True)
        assert before.ids() == ids
        assert len(before.raw(ids)) == len(ids)
        with Index(tmp_path) as after:
            assert len(after) == len(before) - 1


def test_frequencies(folder: Path, records: list[Record]) -> None:
    """In how many documents a term is, over all segments; 0 for one that is nowhere."""
    with Index(folder) as index:
        analyse = index.facts.analysis.terms
        found = Counter(
            t for text in texts(records, "abstracts").values() for t in {*analyse(text)}
        )
        terms = [*list(found)[:50], "nowhere", "naïv"]
        assert index.frequencies(terms).tolist() == [found[term] for term in terms]
        assert index.frequencies([]).shape == (0,)
        again = []
        for term in terms:  # what is remembered is forgotten each time
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr("relsent_ir.lucene.read.index._COUNTED", 0)
                again += index.frequencies([term]).tolist()
            assert len(index._frequencies) == 1
        assert again == [found[term] for term in terms]


def test_content_waits_for_nobody(folder: Path) -> None:
    """While one thread has Java to itself another is told the content: it waits for no lock."""
    told = []
    with Index(folder) as index, exclusive():
        asking = Thread(target=lambda: told.append(index.content), daemon=True)
        asking.start()
        asking.join(10)
        assert told == [index.content]


def test_content_names_what_is_there(folder: Path, sample: Any, tmp_path: Path) -> None:
    """Opening, optimising nothing and asking again change nothing; a deletion or a record does."""
    copy = tmp_path / "index"
    shutil.copytree(folder, copy)
    with Index(folder) as index, Index(copy) as same, Index(copy, "sentences") as other:
        before = index.content
        assert same.content == before
        assert other.content != before
    build_index([sample], copy, append=True)
    with Index(copy) as index:
        assert index.content != before


def test_values(sample_index: Path) -> None:
    """The values of a field that is filtered by, with their documents, counted by hand."""
    with Index(sample_index) as index:
        records = index.records(index.ids())
        journals = Counter(record.journal.lower() for record in records if record.journal)
        types = Counter(t.lower() for record in records for t in set(record.publication_types))
        full = Counter(
            value.lower() for r in records for name, value in r.own if name == "journal_title"
        )
        assert index.values("journal") == dict(sorted((journals | full).items()))
        assert index.values("publication_type") == types
        assert index.values("nothing") == {}


def test_closed(folder: Path) -> None:
    """Whatever is read of it then is one error of ours."""
    index = Index(folder)
    name = index.ids()[0]
    searcher = Searcher(index)
    index.close()
    index.close()
    reads: list[Callable[[], object]] = [
        index.ids,
        index.live,
        index.segments,
        index.statistics,
        lambda: index.raw([name]),
        lambda: index.vectors([name]),
        lambda: index.frequencies(["x"]),
        lambda: index.values("journal"),
        lambda: index.without_year,
        lambda: searcher.search({"1": "mucus"}),
        lambda: searcher.explain("mucus", name),
    ]
    for read in reads:
        with pytest.raises(RelsentError, match="it was closed while it was used"):
            read()


def test_a_plain_lucene_index(build, invent):
    """As Pyserini builds one: searched as the half of ours that it is; it has no sentences."""
    from relsent_ir.feedback.engine import Engine
    from relsent_ir.lucene.read.collection import Indexes
    from relsent_ir.lucene.read.search import Searcher
    from relsent_ir.methods import BM25, RM3
    from relsent_ir.searching import Search

    folder = build(invent(50, 3))
    runs = []
    for place in (folder, folder / "abstracts"):
        with Indexes(place) as collection:
            search = Search(Engine(collection), BM25() >> RM3())
            runs.append(search.search({"1": "ba de li"}, 20))
            runs.append(Searcher(collection.abstracts).search({"1": "ba de li"}, 20))
    assert runs[:2] == runs[2:]
    assert len(runs[0]["1"])
    with pytest.raises(MismatchError, match=r"one Lucene index, which has no sentences .*BM25"):
        Index(folder / "abstracts", "sentences")


def test_closed_while_it_was_read(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A thread that closes an index under another: that one is told, and reads no empty answer."""
    index = Index(folder)
    name = index.ids()[0]

    def closing(method: str, *arguments: Any, where: Path) -> Any:
        answer = call(method, *arguments, where=where)
        if method == "Bulk.documents":
            index.close()
            answer = [-1]  # as Lucene answers where it has just forgotten the terms
        return answer

    monkeypatch.setattr("relsent_ir.lucene.read.index.call", closing)
    with pytest.raises(RelsentError, match="closed while it was used"):
        index.records([name])
    with pytest.raises(RelsentError, match="closed while it was used"):
        index.values("journal")
