"""Search and rerank MEDLINE sentences with Lucene: published methods, measured by trec_eval.

::

    import relsent_ir as rir

    cf = rir.open_collection("indexes/cf")
    run = cf.search(rir.read_topics("topics.tsv"), rir.RM3())
    print(rir.evaluate(rir.read_qrels("qrels.txt"), {"RM3": run}, ["map", "P.10"]))

Modules are imported when one of their names is first used.
"""

from typing import TYPE_CHECKING, Final

from relsent_ir.lazy import lazily

if TYPE_CHECKING:
    from relsent_ir.aggregate import Aggregate as Aggregate
    from relsent_ir.api import Collection as Collection
    from relsent_ir.api import fuse as fuse
    from relsent_ir.api import open_collection as open_collection
    from relsent_ir.datasets import fetch as fetch
    from relsent_ir.errors import RelsentError as RelsentError
    from relsent_ir.hit import Hit as Hit
    from relsent_ir.hits import Hits as Hits
    from relsent_ir.hits import Run as Run
    from relsent_ir.lucene.read.filters import Filters as Filters
    from relsent_ir.making import index as index
    from relsent_ir.making import train_ranker as train_ranker
    from relsent_ir.making import tune as tune
    from relsent_ir.methods import BM25 as BM25
    from relsent_ir.methods import RM3 as RM3
    from relsent_ir.methods import Answers as Answers
    from relsent_ir.methods import Cite as Cite
    from relsent_ir.methods import Dense as Dense
    from relsent_ir.methods import Fields as Fields
    from relsent_ir.methods import FromMoves as FromMoves
    from relsent_ir.methods import Hybrid as Hybrid
    from relsent_ir.methods import MaxPassage as MaxPassage
    from relsent_ir.methods import QueryLikelihood as QueryLikelihood
    from relsent_ir.methods import Ranker as Ranker
    from relsent_ir.methods import Related as Related
    from relsent_ir.methods import Relations as Relations
    from relsent_ir.methods import RemoveQuery as RemoveQuery
    from relsent_ir.methods import Rerank as Rerank
    from relsent_ir.methods import Rocchio as Rocchio
    from relsent_ir.methods import Similar as Similar
    from relsent_ir.methods import Smart as Smart
    from relsent_ir.methods import Themes as Themes
    from relsent_ir.rank import open_reranker
    from relsent_ir.records import Record as Record
    from relsent_ir.records import Sentence as Sentence
    from relsent_ir.results import Results as Results
    from relsent_ir.trec import compare_runs, evaluate_runs
    from relsent_ir.trec import read_qrels as read_qrels
    from relsent_ir.trec import read_run as read_run
    from relsent_ir.trec import read_topics as read_topics
    from relsent_ir.trec import run_scores as run_scores
    from relsent_ir.trec import write_qrels as write_qrels
    from relsent_ir.trec import write_run as write_run
    from relsent_ir.trec import write_topics as write_topics

    load_model, compare, evaluate = open_reranker, compare_runs, evaluate_runs

__version__ = "0.1.0"

_FACE: Final = {
    "aggregate": ("Aggregate",),
    "api": ("Collection", "fuse", "open_collection"),
    "datasets": ("fetch",),
    "errors": ("RelsentError",),
    "hit": ("Hit",),
    "hits": ("Hits", "Run"),
    "lucene.read.filters": ("Filters",),
    "making": ("index", "train_ranker", "tune"),
    "methods": (
        *("BM25", "QueryLikelihood", "Smart", "Dense", "Ranker", "RM3", "Rocchio", "FromMoves"),
        *("Fields", "Hybrid", "Rerank", "MaxPassage"),
        *("RemoveQuery", "Related", "Answers", "Similar", "Cite", "Themes", "Relations"),
    ),
    "rank": ("load_model",),
    "records": ("Record", "Sentence"),
    "results": ("Results",),
    "trec": (
        *("compare", "evaluate", "read_qrels", "read_run", "read_topics", "run_scores"),
        *("write_qrels", "write_run", "write_topics"),
    ),
}
_OWN: Final = {
    "load_model": "open_reranker",
    "compare": "compare_runs",
    "evaluate": "evaluate_runs",
}
"""Public names that have another name in the module that defines them."""

__all__ = ["__version__", *(name for names in _FACE.values() for name in names)]

__getattr__ = lazily(__name__, _FACE, _OWN)


def __dir__() -> list[str]:
    return sorted(__all__)
