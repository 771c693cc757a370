"""Search a collection with any ranking, feedback and source of feedback terms.

For example::

with Indexes("indexes/cf") as cf:
    engine = Engine(cf)
    run = engine.searcher(feedback=RM3(fb_docs=5), source=FromMoves({"CONCLUSION": 1.0})).search(
        {"1": "calcium and mucus"}, threads=2
    )
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from relsent_ir import methods
from relsent_ir.counts.matrix import TermMatrix
from relsent_ir.errors import UsageError
from relsent_ir.feedback.pool import Documents
from relsent_ir.feedback.search import FeedbackSearcher
from relsent_ir.feedback.smart import SmartSearcher
from relsent_ir.hits import Hits, Run
from relsent_ir.lucene.memory.postings import open_postings
from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.lucene.read.filters import Filters
from relsent_ir.lucene.read.search import Searcher, open_searcher
from relsent_ir.method import Method, Pipeline
from relsent_ir.rank import Reranker, TopicSearcher
from relsent_ir.text.vocabulary import Vocabulary

if TYPE_CHECKING:
    from relsent_ir.dense.retrieval import DenseSearcher, Vectors
    from relsent_ir.feedback.sources import Tags

_KEPT: Final = 100
"""Number of rankings, with their stop words and filters, whose first hits are cached."""


class Engine:
    """Create searchers of one index of a collection, which share computed data.

    They share the matrix of term counts, the moves of sentences, and the first hits, from which
    feedback takes documents.

    Parameters
    ----------
    collection : Indexes
    unit : {"abstracts", "sentences"}
    engine : {"auto", "lucene", "matrix"}
        How to search; see `relsent_ir.lucene.memory.matrix`.
    """

    def __init__(self, collection: Indexes, unit: str = "abstracts", engine: str = "auto") -> None:
        self.collection = collection
        self.engine = engine
        self.index = collection.index(unit)
        self._known: dict[Any, dict[str, tuple[int, Hits]]] = {}

    def searcher(
        self,
        model: methods.BM25 | methods.QueryLikelihood = methods.BM25(),
        *,
        smart: methods.Smart | None = None,
        feedback: methods.RM3 | methods.Rocchio | None = None,
        source: methods.FromMoves | None = None,
        fields: methods.Fields | None = None,
        stopwords: Sequence[str] = (),
        filters: Filters | None = None,
    ) -> Searcher | SmartSearcher | FeedbackSearcher:
        """Create a `rank.TopicSearcher`.

        Parameters
        ----------
        model : BM25 or QueryLikelihood
            The ranking; with `smart`, the ranking that finds its candidates.
        smart : Smart, optional
            Rank by SMART weights instead: all documents, or a number of hits of `model`.
        feedback : RM3 or Rocchio, optional
            Expand the topics.
        source : FromMoves, optional
            The source of feedback terms; if None, whole documents.
        fields : Fields, optional
            Only without `smart` and feedback, which use the terms of `contents`.
        stopwords, filters
            As in `relsent_ir.lucene.read.search.Searcher`.
        """
        lucene = open_searcher(
            self.index,
            model,
            fields=fields.weights if fields else None,
            stopwords=stopwords,
            filters=filters,
            engine=self.engine,
        )
        ranker: Searcher | SmartSearcher = lucene
        if smart:
            first = lucene if smart.candidates else None
            ranker = SmartSearcher(self.matrix, smart, lucene.analysis, first=first)
        if feedback is None or (smart and smart.candidates):
            return ranker
        if len(self._known) >= _KEPT:
            self._known.clear()
        cached = self._known.setdefault((smart or model, tuple(stopwords), filters), {})
        terms = None
        if source:
            from relsent_ir.feedback.sources import MoveSentences

            terms = MoveSentences(self.tags, source.weights)
        return FeedbackSearcher(
            ranker, self.index, feedback, terms, known=cached, documents=self.documents
        )

    @cached_property
    def documents(self) -> Documents:
        """The reader of the documents from which feedback takes terms."""
        return Documents(self.index)

    @cached_property
    def matrix(self) -> TermMatrix:
        """The term counts of all documents."""
        return TermMatrix.read(self.index)

    @cached_property
    def names(self) -> Vocabulary:
        """The ids of the documents, in the order of the index."""
        return open_postings(self.index).ids

    @cached_property
    def tags(self) -> "Tags":
        """The moves of the documents' sentences."""
        from relsent_ir.feedback.sources import Tags

        return Tags(self.index)


@dataclass(frozen=True)
class Opening:
    """The data with which the stages of a pipeline are opened.

    Attributes
    ----------
    engine : Engine
        The index; what several searches need is computed once in the engine.
    pipeline : Pipeline
    stopwords, filters
        As in `relsent_ir.lucene.read.search.Searcher`.
    runs : mapping of str to Run
        Other systems' runs, by the names under which a ranker was trained with them.
    rerankers : dict
        Open rerankers by their models; new ones are added, so that pipelines can share them.
    vectors : dict
        Open vectors by their models; new ones are added too.
    called : callable
        Returns the name of a method for error messages.
    """

    engine: Engine
    pipeline: Pipeline
    stopwords: Sequence[str]
    filters: Filters | None
    runs: Mapping[str, Run]
    rerankers: dict[tuple[str, ...], Reranker]
    vectors: "dict[str, Vectors]"
    called: Callable[[type[Method]], str]

    def refuse_stopwords(self, stage: Method) -> None:
        """Refuse stop words if a stage does not support them."""
        if self.stopwords:
            raise UsageError(f"{self.called(type(stage))} takes no stop words")

    def open_vectors(self, model: str) -> "Vectors":
        """Open an encoder's vectors of the index, or return them if they are open."""
        from relsent_ir.dense.retrieval import Vectors

        if model not in self.vectors:
            self.vectors[model] = Vectors.open(self.engine.index, model)
        return self.vectors[model]


def open_terms(_first: Method, opening: Opening) -> TopicSearcher:
    """Open a pipeline's search by terms: its ranking, feedback and fields together."""
    parts: dict[str, Any] = {of.part: of for of in opening.pipeline if of.part}
    smart = parts.get("smart")
    if smart and not smart.candidates and opening.filters:
        raise UsageError(f"filters and {opening.called(type(smart))} exclude each other")
    return opening.engine.searcher(stopwords=opening.stopwords, filters=opening.filters, **parts)


def open_vectors(stage: "methods.Dense | methods.Hybrid", opening: Opening) -> "DenseSearcher":
    """Open the search by vectors of a stage."""
    from relsent_ir.dense.retrieval import DenseSearcher

    if isinstance(stage, methods.Dense):
        opening.refuse_stopwords(stage)
    vectors = opening.open_vectors(stage.model)
    return DenseSearcher(opening.engine.index, vectors, stage, opening.filters)
