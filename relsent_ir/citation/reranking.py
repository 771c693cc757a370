"""Reranking by pmra."""

from collections.abc import Iterator, Mapping

from relsent_ir.citation.candidates import Candidates
from relsent_ir.counts.weighting import pmra_weights
from relsent_ir.hits import Run
from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.rank import RecordReranker
from relsent_ir.typing import Floats


class PmraReranker(RecordReranker):
    """Orders records by PubMed's similar-articles model (`relsent_ir.citation.similar`).

    A topic that is no article of the index is weighed as if its text were one.
    """

    def __init__(self, name: str = "pmra") -> None:
        self.name = name

    def score(self, collection: Indexes, run: Run, topics: Mapping[str, str]) -> Iterator[Floats]:
        """Score hits, which are records; see `relsent_ir.rank.RecordReranker`."""
        read = Candidates.read(collection, run, topics)
        for topic in run:
            weights = pmra_weights(read.of(topic))
            yield (weights[1:] @ weights[[0]].T).toarray().ravel()
