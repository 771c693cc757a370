"""Anserini's own searcher, in the jar, opens our indexes, and ranks as we do."""

from pathlib import Path

import pytest

from relsent_ir.lucene.index import Index
from relsent_ir.lucene.indexing import build_index
from relsent_ir.lucene.search import BM25, Searcher
from relsent_ir.records import list_inputs
from relsent_ir.trec import read_topics
from tests.anserini import assert_same_run, search_with_anserini, searched


@pytest.mark.parametrize("unit", ["abstracts", "sentences"])
@pytest.mark.parametrize("rm3", [False, True])
@pytest.mark.parametrize("k", [7, 1000])
def test_sample(sample_index: Path, topics: dict[str, str], unit: str, rm3: bool, k: int) -> None:
    """Searches of both indexes agree, to the cut-off and its ties."""
    theirs = search_with_anserini(str(sample_index / unit), topics, k, rm3=rm3)
    with Index(sample_index, unit) as index:
        assert_same_run(searched(index, topics, k, rm3=rm3), theirs)


def test_cystic_fibrosis(data: Path, tmp_path: Path) -> None:
    """All 100 topics, 1,000 hits each."""
    source = data / "cystic-fibrosis"
    build_index(list_inputs([source])[0], tmp_path / "index")
    topics = read_topics(source / "cfquery")
    theirs = search_with_anserini(str(tmp_path / "index/abstracts"), topics, 1000)
    with Index(tmp_path / "index") as index:
        assert_same_run(Searcher(index, BM25(0.9, 0.4)).search(topics, 1000), theirs)
