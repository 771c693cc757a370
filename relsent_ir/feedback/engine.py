"""Searching a collection with any ranking, feedback and source of terms.

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
"""Rankings, with their stop words and filters, whose first hits are remembered."""


class Engine:
    """Makes searchers of one index of a collection, which share what they have computed.

    They share the matrix of term counts, the moves of sentences, and the first hits that feedback
    reads.

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
        """Make a `rank.TopicSearcher`.

        Parameters
        ----------
        model : BM25 or QueryLikelihood
            The ranking, or that which finds the candidates of `smart`.
        smart : Smart, optional
            Rank by SMART weights instead, all documents or so many hits of `model`.
        feedback : RM3 or Rocchio, optional
            Expand the topics.
        source : FromMoves, optional
            Where feedback's terms come from; whole documents if None.
        fields : Fields, optional
            Without `smart` and feedback, whose terms are those of `contents`.
        stopwords, filters
            As `relsent_ir.lucene.read.search.Searcher` takes them.
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
        """The reader of the documents that feedback takes terms from."""
        return Documents(self.index)

    @cached_property
    def matrix(self) -> TermMatrix:
        """All documents' term counts."""
        return TermMatrix.read(self.index)

    @cached_property
    def names(self) -> Vocabulary:
        """The ids of the documents, by their places in the index."""
        return open_postings(self.index).ids

    @cached_property
    def tags(self) -> "Tags":
        """The moves of the documents' sentences."""
        from relsent_ir.feedback.sources import Tags

        return Tags(self.index)


@dataclass(frozen=True)
class Opening:
    """What the stages of a pipeline are opened with.

    Attributes
    ----------
    engine : Engine
        The index; what several searches need is computed once in it.
    pipeline : Pipeline
    stopwords, filters
        As `relsent_ir.lucene.read.search.Searcher` takes them.
    runs : mapping of str to Run
        From elsewhere, by the names that a ranker was learned with.
    rerankers : dict
        Open rerankers by their models; it is added to, so that several pipelines share them.
    vectors : dict
        Open vectors by their models, likewise.
    called : callable
        Gives the name of a method in errors.
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
        """Refuse stop words beside a stage that does not take them."""
        if self.stopwords:
            raise UsageError(f"{self.called(type(stage))} takes no stop words")

    def open_vectors(self, model: str) -> "Vectors":
        """Open the vectors of the index by an encoder, once."""
        from relsent_ir.dense.retrieval import Vectors

        if model not in self.vectors:
            self.vectors[model] = Vectors.open(self.engine.index, model)
        return self.vectors[model]


def open_terms(_first: Method, opening: Opening) -> TopicSearcher:
    """Open the search by terms of a pipeline: its ranking, feedback and fields together."""
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
