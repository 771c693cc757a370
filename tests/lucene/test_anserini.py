"""Anserini's own searcher, in the jar, opens our indexes, and ranks as we do."""

from pathlib import Path

import pytest

from relsent_ir.lucene.read.index import Index
from relsent_ir.lucene.read.search import Searcher
from relsent_ir.methods import BM25
from relsent_ir.trec import read_topics
from tests.anserini import assert_same_run, search_with_anserini

DEPTHS = [(1, 100), (10, 1000), pytest.param(1, 1000, marks=pytest.mark.slow)]


@pytest.mark.parametrize(("step", "k"), DEPTHS)
def test_cystic_fibrosis(data: Path, cystic_fibrosis: Path, step: int, k: int) -> None:
    """Its 100 topics, or every tenth: what is slow is to fetch each hit of theirs from Java."""
    topics = dict(list(read_topics(data / "cystic-fibrosis" / "cfquery").items())[::step])
    theirs = search_with_anserini(str(cystic_fibrosis / "abstracts"), topics, k)
    with Index(cystic_fibrosis) as index:
        assert_same_run(Searcher(index, BM25(0.9, 0.4)).search(topics, k), theirs)
