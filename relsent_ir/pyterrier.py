"""PyTerrier transformers over our indexes; frames have PyTerrier's column names.

They need the package pyterrier (``relsent-ir[pyterrier]``) but never start PyTerrier's Java.

    bm25 = Retrieve(collection)
    pt.Experiment([bm25, Retrieve(collection, RM3())], topics, qrels, ["map"])
    bm25 % 100 >> Rerank(collection, "answers")
    bm25 % 100 >> pt.text.get_text(collection, ["title", "text"]) >> a_reranker_of_another_package
    Retrieve(collection, BM25() >> RM3()) >> Rerank(collection, rir.Rerank("I1.5", depth=100))
"""

from typing import Unpack

import pandas as pd

from relsent_ir import methods
from relsent_ir.api import AnyMethod, AnyReranker, Collection, Options, RerankOptions
from relsent_ir.errors import MissingError
from relsent_ir.hits import Run
from relsent_ir.methods import BM25
from relsent_ir.trec.topics import topics_of

try:
    import pyterrier as pt
except ImportError as error:
    raise MissingError(
        "pyterrier is not installed", fix="pip install 'relsent-ir[pyterrier]'"
    ) from error


class Retrieve(pt.Transformer):  # type: ignore[misc]  # pyterrier has no types
    """Search a collection for the queries of a frame.

    Parameters
    ----------
    collection : Collection
    method : Method, Pipeline or str
        A method in any form that `Collection.search` accepts.
    k : int
        Number of hits for each query.
    **options
        Options of `Collection.search`: unit, stopwords, filters, runs.
    """

    def __init__(
        self,
        collection: Collection,
        method: AnyMethod = BM25(),
        k: int = 1000,
        **options: Unpack[Options],
    ) -> None:
        super().__init__()
        self.collection, self.method, self.k, self.options = collection, method, k, options

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """Return the hits of each query: qid, query, docno, score, rank."""
        topics = topics_of(inp)
        run = self.collection.search(topics, self.method, self.k, **self.options)
        return run.to_dataframe(topics)

    def fuse_rank_cutoff(self, k: int) -> "Retrieve | None":
        """Search no deeper than the cutoff ``% k``; with feedback, the ranks stay the same."""
        if k >= self.k:
            return None
        return Retrieve(self.collection, self.method, k, **self.options)


class Rerank(pt.Transformer):  # type: ignore[misc]
    """Reorder the hits of a frame with a reranker.

    Parameters
    ----------
    collection : Collection
    reranker : Rerank, Ranker, Reranker, callable, str or Path
        As for `Collection.rerank`, such as ``Rerank(collection, rir.Rerank("I1.5", depth=100))``.
    **options
        Options of `Collection.rerank`: depth, interpolate, aggregate.
    """

    def __init__(
        self, collection: Collection, reranker: AnyReranker, **options: Unpack[RerankOptions]
    ) -> None:
        super().__init__()
        self.collection, self.reranker, self.options = collection, reranker, options

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """Return the same hits with new scores and ranks."""
        topics = topics_of(inp)
        run = Run.from_dataframe(inp) if len(inp) else Run()
        reranked = self.collection.rerank(run, topics, self.reranker, **self.options)
        return reranked.to_dataframe(topics)


class Similar(pt.Transformer):  # type: ignore[misc]
    """Find the records that are similar to the records whose ids are the query ids.

    Parameters
    ----------
    collection : Collection
    method : relsent_ir.methods.Similar or str
        A method in any form that `Collection.similar` accepts.
    k : int
    """

    def __init__(
        self, collection: Collection, method: methods.Similar | str = "pmra", k: int = 1000
    ) -> None:
        super().__init__()
        self.method = methods.Similar(method) if isinstance(method, str) else method
        self.collection, self.k = collection, k

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """Return the hits for each record, without the record itself."""
        from relsent_ir.citation.similar import find_similar

        topics = topics_of(inp)
        run = find_similar(self.collection.indexes, list(topics), self.method, self.k)
        return run.to_dataframe(topics)
