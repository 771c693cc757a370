"""PyTerrier's transformers over our indexes: frames in, frames out, with its names of columns.

They need the package pyterrier (``relsent-ir[pyterrier]``) and never start PyTerrier's own Java.

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
    """Searches a collection for the queries of a frame.

    Parameters
    ----------
    collection : Collection
    method : Method, Pipeline or str
        As `Collection.search` takes it.
    k : int
        Hits a query.
    **options
        Those of `Collection.search`: unit, stopwords, filters, runs.
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
        """Search no deeper than ``% k`` asks; of feedback and its like, the same ranks."""
        if k >= self.k:
            return None
        return Retrieve(self.collection, self.method, k, **self.options)


class Rerank(pt.Transformer):  # type: ignore[misc]
    """Puts the hits of a frame into the order of a reranker.

    Parameters
    ----------
    collection : Collection
    reranker : Rerank, Ranker, Reranker, callable, str or Path
        As `Collection.rerank` takes it: ``Rerank(collection, rir.Rerank("I1.5", depth=100))``.
    **options
        Those of `Collection.rerank`: depth, interpolate, aggregate.
    """

    def __init__(
        self, collection: Collection, reranker: AnyReranker, **options: Unpack[RerankOptions]
    ) -> None:
        super().__init__()
        self.collection, self.reranker, self.options = collection, reranker, options

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """Return the same hits with their new scores and ranks."""
        topics = topics_of(inp)
        run = Run.from_dataframe(inp) if len(inp) else Run()
        reranked = self.collection.rerank(run, topics, self.reranker, **self.options)
        return reranked.to_dataframe(topics)


class Similar(pt.Transformer):  # type: ignore[misc]
    """Finds the articles that are similar to those whose ids the queries' ids are.

    Parameters
    ----------
    collection : Collection
    method : relsent_ir.methods.Similar or str
        As `Collection.similar` takes it.
    k : int
    """

    def __init__(
        self, collection: Collection, method: methods.Similar | str = "pmra", k: int = 1000
    ) -> None:
        super().__init__()
        self.method = methods.Similar(method) if isinstance(method, str) else method
        self.collection, self.k = collection, k

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """Return the hits of each article; its own record is not among them."""
        from relsent_ir.citation.similar import find_similar

        topics = topics_of(inp)
        run = find_similar(self.collection.indexes, list(topics), self.method, self.k)
        return run.to_dataframe(topics)
