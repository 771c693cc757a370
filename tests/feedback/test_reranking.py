"""Reranking by SMART weights."""

from pathlib import Path

import pytest

from relsent_ir.errors import MismatchError
from relsent_ir.feedback import Smart, SmartSearcher, TermMatrix
from relsent_ir.feedback.reranking import SmartReranker
from relsent_ir.hits import Hits
from relsent_ir.lucene.collection import Collection


def test_as_the_searcher(folder: Path, topics: dict[str, str]) -> None:
    """What a search by the scheme finds, in its order; sentences too; a mixture is refused."""
    with Collection(folder) as collection:
        for index in (collection.abstracts, collection.sentences):
            matrix = TermMatrix.read(index)
            scheme = Smart.parse("ltc.atn")
            found = SmartSearcher(matrix, scheme, index.facts.analysis).search(topics, 9)
            shuffled = {topic: Hits.ranked(h.ids, [0.0] * len(h)) for topic, h in found.items()}
            again = SmartReranker("ltc.atn").rerank(collection, shuffled, topics)
            for topic, hits in found.items():
                assert again[topic].ids.tolist() == hits.ids.tolist()
                assert again[topic].scores == pytest.approx(hits.scores)
        mixed = {"1": Hits.ranked(["r0", "r0.1"], [2.0, 1.0])}
        with pytest.raises(MismatchError, match=r"r0\.1 is neither a record nor"):
            SmartReranker("ltc.atn").rerank(collection, mixed, {"1": "mucus"})
        with pytest.raises(MismatchError, match="topic 9"):
            SmartReranker("ltc.atn").rerank(collection, {"9": mixed["1"]}, {})
