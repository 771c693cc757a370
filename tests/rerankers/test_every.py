"""What every reranker of the package keeps to, whatever its method."""

from collections.abc import Iterator

import numpy as np
import pytest

from relsent_ir.api import Collection
from relsent_ir.datasets.bundled import SAMPLE
from relsent_ir.hits import Hits, Run
from relsent_ir.lucene.write.indexing import build_index
from relsent_ir.rank import open_reranker, reranker_names

NAMES = [name.replace("???.???", "ltc.atn") for name in reranker_names()]
TOPICS = {"1": "vitamin D and asthma in children", "2": "inhaled saline", "3": "ants"}


@pytest.fixture(scope="module")
def collection(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Collection]:
    """The sample's."""
    folder = tmp_path_factory.mktemp("every") / "index"
    build_index([(SAMPLE / "sample.xml", "pubmed-xml")], folder)
    with Collection(folder) as opened:
        yield opened


@pytest.mark.parametrize("name", NAMES)
def test_hits_and_order(collection: Collection, name: str) -> None:
    """All topics and hits come back, once each, by descending score; the same again and opened new.

    A topic without hits stays empty.
    """
    run = Run({**collection.search({t: TOPICS[t] for t in "12"}, k=15), "3": Hits.ranked([], [])})
    reranker = open_reranker(name)
    found = reranker.rerank(collection, run, TOPICS)
    assert list(found) == list(run)
    for topic, hits in found.items():
        assert sorted(hits.ids) == sorted(run[topic].ids)
        assert (np.diff(hits.scores) <= 0).all()
    assert found == reranker.rerank(collection, run, TOPICS)
    assert found == open_reranker(name).rerank(collection, run, TOPICS)
    alone = reranker.rerank(collection, Run({"2": run["2"]}), TOPICS)
    assert alone["2"].ids.tolist() == found["2"].ids.tolist()
