"""Several collections searched as one: scores of one index, and shards that are not as listed."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from relsent_ir.errors import InputError, MismatchError, OutputError, UsageError
from relsent_ir.lucene.analyzers import Analysis
from relsent_ir.lucene.commits import SHARDS
from relsent_ir.lucene.read.collection import Indexes, check_index
from relsent_ir.lucene.read.filters import Filters
from relsent_ir.lucene.read.index import Index
from relsent_ir.lucene.read.search import Searcher
from relsent_ir.lucene.read.shards import list_shards
from relsent_ir.lucene.write.indexing import build_index
from relsent_ir.methods import BM25, QueryLikelihood
from relsent_ir.records import Record
from relsent_ir.trec import write_run

Build = Callable[..., Path]


@pytest.fixture(scope="module")
def records(invent: Callable[..., list[Record]]) -> list[Record]:
    """Ninety records."""
    return invent(90, 3)


@pytest.fixture(scope="module")
def whole(build: Build, records: list[Record]) -> Path:
    """All of them in one index."""
    return build(records)


@pytest.fixture(scope="module")
def parts(build: Build, records: list[Record]) -> list[Path]:
    """The same in three, unequal and not in their order; one of two segments."""
    return [build(records[60:]), build(records[:7], records[30:60]), build(records[7:30])]


@pytest.fixture(scope="module")
def joined(tmp_path_factory: pytest.TempPathFactory, parts: list[Path]) -> Path:
    """A list of the three."""
    folder = tmp_path_factory.mktemp("joined") / "all"
    facts = list_shards(folder, parts)
    assert [source.records for source in facts.sources] == [30, 7, 30, 23]
    return folder


@pytest.mark.parametrize("unit", ["abstracts", "sentences"])
@pytest.mark.parametrize("engine", ["lucene", "matrix"])
@pytest.mark.parametrize("similarity", [BM25(0.9, 0.4), QueryLikelihood(500)])
def test_runs_are_those_of_one_index(tmp_path, whole, joined, records, unit, engine, similarity):
    """To the byte, ties included."""
    topics = {str(n): record.title for n, record in enumerate(records[:30])}
    for folder in (whole, joined):
        with Index(folder, unit) as index:
            run = Searcher(index, similarity, engine=engine).search(topics, k=40, threads=2)
        write_run(tmp_path / folder.name, run, "t")
    assert (tmp_path / "all").read_bytes() == (tmp_path / "index").read_bytes()


@pytest.mark.parametrize("unit", ["abstracts", "sentences"])
def test_statistics_and_documents_are_those_of_one_index(whole, joined, unit):
    """Counts, frequencies, ids, stored fields, term vectors."""
    with Index(whole, unit) as one, Index(joined, unit) as many:
        alone, together = one.statistics(), many.statistics()
        assert together.pop("segments") == 4
        assert alone.pop("segments") == 1
        assert together == alone
        ids = one.ids()
        assert sorted(many.ids()) == sorted(ids)
        assert many.raw(ids) == one.raw(ids)
        a, b = one.vectors(ids), many.vectors(ids)
        assert a.terms == b.terms
        assert (a.counts != b.counts).nnz == 0
        assert one.frequencies(a.terms).tolist() == many.frequencies(a.terms).tolist()
        assert (one.mean_length, len(one)) == (many.mean_length, len(many))
        assert Searcher(one).search({"1": "x"}, k=5)["1"].ids.tolist() == []


def test_filters_explanations_and_collections(tmp_path, build, records, joined, whole):
    """What else reads an index reads shards."""
    with Indexes(joined) as many, Indexes(whole) as one:
        assert many.parts(["3", "80.0"]) == one.parts(["3", "80.0"])
        text = records[3].title
        found = [Searcher(c.abstracts).explain(text, "3").splitlines()[0] for c in (one, many)]
        assert found[0] == found[1]
        none = Searcher(many.abstracts, filters=Filters(years=(1999, None))).search({"1": text})
        assert len(none["1"]) == 0
    assert check_index(joined).startswith("3 shards are sound")


def test_a_shard_that_is_gone(tmp_path: Path, parts: list[Path]) -> None:
    """One line names it; so does a list of nothing."""
    shutil.copytree(parts[2], tmp_path / "last")
    list_shards(tmp_path / "all", [parts[0], tmp_path / "last"])
    shutil.rmtree(tmp_path / "last")
    with pytest.raises(InputError, match=r"last: there is no index; .*all lists it as a shard"):
        Index(tmp_path / "all")
    with pytest.raises(InputError, match=r"last: there is no index \("):
        list_shards(tmp_path / "all", [parts[0], tmp_path / "last"])
    with pytest.raises(UsageError, match="no shards"):
        list_shards(tmp_path / "all", [])


def test_a_shard_that_has_changed(tmp_path, parts, write, invent):
    """Records that came since, or another build: refused until the list is made again."""
    shard = shutil.copytree(parts[2], tmp_path / "last")
    shards = [parts[0], shard]
    list_shards(tmp_path / "all", shards)
    build_index([write(tmp_path / "more.jsonl", invent(3, 8, "m"))], shard, append=True)
    with pytest.raises(MismatchError, match=r"last: has been written since .*--shards\)"):
        Index(tmp_path / "all")
    list_shards(tmp_path / "all", shards)
    with Index(tmp_path / "all") as index:
        assert len(index) == 56
    shutil.rmtree(shard)
    build_index([write(tmp_path / "other.jsonl", invent(3, 8, "m"))], shard)
    with pytest.raises(MismatchError, match="last: has been written since"):
        Index(tmp_path / "all")


def test_a_shard_of_another_version(tmp_path: Path, parts: list[Path], monkeypatch: Any) -> None:
    """An index of another format is refused by name; so is a list of another format."""
    shard = shutil.copytree(parts[2], tmp_path / "last")
    list_shards(tmp_path / "all", [parts[0], shard])
    from relsent_ir.lucene import commits

    monkeypatch.setattr(commits, "FORMAT", 2)
    with pytest.raises(MismatchError, match=r"an index of format 1, this version reads format 2"):
        Index(tmp_path / "all")
    monkeypatch.undo()
    told = json.loads((tmp_path / "all" / SHARDS).read_text())
    (tmp_path / "all" / SHARDS).write_text(json.dumps({**told, "format": 9}))
    with pytest.raises(MismatchError, match="a list of format 9"):
        Index(tmp_path / "all")
    for damage in (
        "",
        "[]",
        '{"format": 1, "shards": []}',
        '{"format": 1, "shards": [{"path": 1}]}',
    ):
        (tmp_path / "all" / SHARDS).write_text(damage)
        with pytest.raises(InputError, match="the list of shards is damaged"):
            Index(tmp_path / "all")


def test_shards_that_do_not_belong_together(tmp_path, build, records, parts):
    """Other analysis, a record in common, an unfinished build; nothing is written."""
    krovetz = build(records[:7], analysis=Analysis.choose("krovetz"))
    with pytest.raises(MismatchError, match=r"analysis of this shard and of .* differ"):
        list_shards(tmp_path / "all", [parts[0], krovetz])
    with pytest.raises(MismatchError, match=r"record 8\d is in this shard and in"):
        list_shards(tmp_path / "all", [parts[0], parts[1], build(records[82:83])])
    assert not (tmp_path / "all").exists()


def test_a_list_is_no_index(tmp_path, joined, parts, write, invent):
    """Nothing is indexed into it, and it does not take an index's place."""
    more = write(tmp_path / "more.jsonl", invent(3, 8, "m"))
    with pytest.raises(InputError, match=r"lists shards.*name one of the shards"):
        build_index([more], joined, append=True)
    with pytest.raises(InputError, match="lists shards"):
        list_shards(tmp_path / "all", [joined])
    with pytest.raises(OutputError, match="has an index of its own"):
        list_shards(parts[0], parts[1:])
