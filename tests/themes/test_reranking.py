"""Reranking by the theme of the first hits."""

from pathlib import Path

from relsent_ir.hits import Hits
from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.lucene.read.search import Searcher
from relsent_ir.themes.reranking import ThemeReranker


def test_order(insects: Path) -> None:
    """All hits stay, finite, and a topic without hits too."""
    told = []
    with Indexes(insects) as collection:
        names = collection.abstracts.ids()
        record = collection.records(names[:1])[0]
        run = Searcher(collection.abstracts).search({"1": record.title}, 50)
        run["2"] = Hits.ranked([], [])
        topics = {"1": record.title, "2": "nothing"}
        found = ThemeReranker().rerank(
            collection, run, topics, progress=lambda *step: told.append(step)
        )
    assert sorted(found["1"].ids) == sorted(run["1"].ids)
    assert list(found) == ["1", "2"]
    assert len(found["2"]) == 0
    assert told == [(1, 2), (2, 2)]
    assert set(run["1"].ids[:1]) <= set(found["1"].ids[:10])
