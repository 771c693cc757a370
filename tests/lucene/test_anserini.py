"""Anserini's own searcher, in the jar, opens our indexes, and ranks as we do."""

from pathlib import Path

import pytest

from relsent_ir.lucene.read.index import Index
from relsent_ir.lucene.read.search import Searcher
from relsent_ir.methods import BM25
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


DEPTHS = [(1, 100), (10, 1000), pytest.param(1, 1000, marks=pytest.mark.slow)]


@pytest.mark.parametrize(("step", "k"), DEPTHS)
def test_cystic_fibrosis(data: Path, cystic_fibrosis: Path, step: int, k: int) -> None:
    """Its 100 topics, or every tenth: what is slow is to fetch each hit of theirs from Java."""
    topics = dict(list(read_topics(data / "cystic-fibrosis" / "cfquery").items())[::step])
    theirs = search_with_anserini(str(cystic_fibrosis / "abstracts"), topics, k)
    with Index(cystic_fibrosis) as index:
        assert_same_run(Searcher(index, BM25(0.9, 0.4)).search(topics, k), theirs)
