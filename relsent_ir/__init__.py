"""Search and rerank MEDLINE sentences with Lucene: six published methods, measured by trec_eval.

::

    import relsent_ir as rir

    cf = rir.open_collection("indexes/cf")
    run = cf.search(rir.read_topics("topics.tsv"), rir.RM3())
    print(rir.evaluate(rir.read_qrels("qrels.txt"), {"RM3": run}, ["map", "P.10"]))

Nothing is loaded until it is used.
"""

from typing import TYPE_CHECKING, Final

from relsent_ir.lazy import lazily

if TYPE_CHECKING:
    from relsent_ir.aggregate import Aggregate
    from relsent_ir.api import Collection, fuse, open_collection
    from relsent_ir.errors import RelsentError
    from relsent_ir.hit import Hit
    from relsent_ir.hits import Hits, Run
    from relsent_ir.lucene.read.filters import Filters
    from relsent_ir.methods import (
        BM25,
        RM3,
        Answers,
        Boost,
        Fields,
        FromAssociations,
        FromMoves,
        FromRelated,
        MaxPassage,
        QueryLikelihood,
        Ranker,
        Related,
        Relations,
        RemoveQuery,
        Rerank,
        Rocchio,
        Similar,
        Smart,
        Themes,
    )
    from relsent_ir.rank import open_reranker as load_model
    from relsent_ir.records import Record, Sentence
    from relsent_ir.results import Results
    from relsent_ir.trec import compare_runs as compare
    from relsent_ir.trec import evaluate_runs as evaluate
    from relsent_ir.trec import (
        read_qrels,
        read_run,
        read_topics,
        write_qrels,
        write_run,
        write_topics,
    )

__version__ = "0.1.0"

_FACE: Final = {
    "aggregate": ("Aggregate",),
    "api": ("Collection", "fuse", "open_collection"),
    "errors": ("RelsentError",),
    "hit": ("Hit",),
    "hits": ("Hits", "Run"),
    "lucene.read.filters": ("Filters",),
    "methods": (
        *("BM25", "QueryLikelihood", "Smart", "Ranker", "RM3", "Rocchio", "FromMoves"),
        *("FromRelated", "FromAssociations", "Fields", "Boost", "Rerank", "MaxPassage"),
        *("RemoveQuery", "Related", "Answers", "Similar", "Themes", "Relations"),
    ),
    "rank": ("load_model",),
    "records": ("Record", "Sentence"),
    "results": ("Results",),
    "trec": (
        "compare",
        "evaluate",
        "read_qrels",
        "read_run",
        "read_topics",
        "write_qrels",
        "write_run",
        "write_topics",
    ),
}
_OWN: Final = {
    "load_model": "open_reranker",
    "compare": "compare_runs",
    "evaluate": "evaluate_runs",
}
"""Names that differ in the modules that define them."""

__all__ = ["__version__", *(name for names in _FACE.values() for name in names)]

__getattr__ = lazily(__name__, _FACE, _OWN)


def __dir__() -> list[str]:
    return sorted(__all__)
