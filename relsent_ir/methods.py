"""The methods that a search is made of, as values.

::

    BM25(k1=0.9) >> RM3(fb_terms=10) >> Rerank("I1.5", depth=100, interpolate=0.3)

A pipeline ranks first (`BM25`, `QueryLikelihood`, `Smart` or `Ranker`), may expand or weigh the
topics (`RM3`, `Rocchio`, `FromMoves`, `FromRelated`, `FromAssociations`, `Fields`, `Boost`), order
the hits again (`Rerank`, `Ranker`), and cut them at the end (`MaxPassage`, `RemoveQuery`). What
they do is in the packages that take them; `relsent_ir.searching` runs a pipeline. Nothing heavy is
imported, so that the command line reads its flags from here.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import MISSING, dataclass
from typing import ClassVar, Final

from relsent_ir.errors import UsageError
from relsent_ir.method import MANY, Method, Pipeline, parameter, parse

LARGEST: Final = 3.4028234663852886e38
"""The largest of Lucene's numbers, a single-precision float."""
TF: Final = "nblLamd"
DF: Final = "ntpf"
NORM: Final = "ncsu"
"""SMART's letters; `relsent_ir.counts.weighting` says what they are."""
SLOPE: Final = 0.14
"""Of SMART's letter u, as in Ruch et al. 2006."""
TF_ONLY: Final = "tf"
DOCUMENT_WEIGHTS: Final = ("uniform", "rank", "score")
MOST: Final = 0.1
"""In what share of the documents a term of feedback may be, in Anserini."""
DEFAULT: Final = "ranker"
"""The name of the packaged ranker."""

_PIVOT: Final = {"slope": SLOPE, "pivot": None}
_TRIPLE: Final = re.compile(f"[{TF}][{DF}][{NORM}]")


def _upper(weights: Mapping[str, float]) -> dict[str, float]:
    return {name.upper(): weight for name, weight in weights.items()}


def _check_pivot(method: "Smart | Rocchio", *triples: str) -> None:
    """Refuse a slope or a pivot that no letter u reads."""
    given = [name for name, default in _PIVOT.items() if getattr(method, name) != default]
    if given and not any(triple[-1:] == "u" for triple in triples):
        problem = f"{type(method).__name__} with {given[0]} needs the letter u"
        raise UsageError(problem, fix="as in dtu.dtn, or dtu for documents")


@dataclass(frozen=True)
class BM25(Method):
    """Rank by Robertson's BM25 as Lucene has it; the defaults are Anserini's."""

    flag: ClassVar[str] = "--bm25"
    role: ClassVar[str] = "rank"

    k1: float = parameter(0.9, "BM25's k1.", "--k1", low=0, high=LARGEST)
    b: float = parameter(0.4, "BM25's b.", "--b", low=0, high=1)


@dataclass(frozen=True)
class QueryLikelihood(Method):
    """Rank by query likelihood with Dirichlet smoothing (Zhai & Lafferty 2001)."""

    flag: ClassVar[str] = "--qld"
    role: ClassVar[str] = "rank"

    mu: float = parameter(1000.0, "Query likelihood's mu.", "--mu", "--qld.mu", low=0, high=LARGEST)


@dataclass(frozen=True)
class Smart(Method):
    """A weighting scheme: three letters for documents and three for queries.

    Attributes
    ----------
    scheme : str
        Such as ``ltc.atn``.
    slope : float
        Of letter u, from 0 to 1.
    pivot : float or None
        Of letter u; the mean number of distinct terms of a document if None.
    candidates : int or None
        Order so many hits of BM25; all documents are scored if None.
    """

    flag: ClassVar[str] = "--smart"
    role: ClassVar[str] = "rank"

    scheme: str = parameter(
        MISSING, "Rank by SMART weights, as ltc.atn.", "--smart", metavar="DDD.QQQ"
    )
    slope: float = parameter(SLOPE, "SMART's letter u.", "--slope", low=0, high=1)
    pivot: float | None = parameter(
        None, "SMART's letter u.  [default: mean distinct terms]", "--pivot", low=0, above=True
    )
    candidates: int | None = parameter(
        None,
        "Order the first N hits of BM25 by --smart.  [default: exact, all]",
        "--candidates",
        low=1,
        metavar="N",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        letters = self.scheme.split(".")
        if len(letters) != 2 or not all(map(_TRIPLE.fullmatch, letters)):
            raise UsageError(
                f"no weighting scheme {self.scheme!r}",
                fix=f"ddd.qqq, as ltc.atn: tf {TF}, df {DF}, norm {NORM}",
            )
        _check_pivot(self, *letters)

    @property
    def document(self) -> str:
        """The letters for documents, such as ``ltc``."""
        return self.scheme[:3]

    @property
    def query(self) -> str:
        """The letters for queries, such as ``atn``."""
        return self.scheme[4:]


@dataclass(frozen=True)
class RM3(Method):
    """Expand topics with a relevance model; the defaults are Anserini's.

    Attributes
    ----------
    fb_terms, fb_docs : int
        How many terms and documents the relevance model is made of.
    original_query_weight : float
        The share of the topic's own words.
    """

    flag: ClassVar[str] = "--rm3"
    role: ClassVar[str] = "expand"

    fb_terms: int = parameter(10, "Terms that feedback adds.", "--fb-terms", low=1, high=MANY)
    fb_docs: int = parameter(10, "Documents that it reads.", "--fb-docs", low=1, high=MANY)
    original_query_weight: float = parameter(
        0.5, "The weight of the topic's own words.", "--original-query-weight", low=0, high=1
    )
    gamma: ClassVar[float] = 0.0
    """RM3 reads no last hits."""


@dataclass(frozen=True)
class Rocchio(Method):
    """Expand topics by Rocchio's feedback; the defaults are Pyserini's.

    Attributes
    ----------
    fb_terms, fb_docs : int
        How many terms of how many of the first documents.
    alpha, beta, gamma : float
        The weights of the topic, of the first documents and of the last ones.
    bottom_fb_terms, bottom_fb_docs : int
        How many terms of how many of the last hits; read if gamma is above 0.
    weighting : str
        How terms weigh in documents: ``tf``, ``bm25``, or a SMART triple such as ``ltn``.
    documents : {"uniform", "rank", "score"}
        How much each of the first documents counts.
    scaled : bool
        Q, R and N are brought to length 1. Without, the formula is that of Ruch et al.
    max_df : float
        Terms in a greater share of the documents are not taken, from 0 to 1.
    slope, pivot : float
        Of letter u of the weighting; the pivot is the collection's mean number of distinct terms
        of a document if None.
    """

    flag: ClassVar[str] = "--rocchio"
    role: ClassVar[str] = "expand"

    fb_terms: int = parameter(10, "Terms that feedback adds.", "--fb-terms", low=1, high=MANY)
    fb_docs: int = parameter(10, "Documents that it reads.", "--fb-docs", low=1, high=MANY)
    alpha: float = parameter(1.0, "The topic's weight.", "--alpha", "--rocchio.alpha", low=0)
    beta: float = parameter(0.75, "The first documents' weight.", "--beta", "--rocchio.beta", low=0)
    gamma: float = parameter(0.0, "The last hits' weight.", "--gamma", "--rocchio.gamma", low=0)
    bottom_fb_terms: int = parameter(
        10, "Terms of the last hits.", "--bottom-fb-terms", low=1, high=MANY
    )
    bottom_fb_docs: int = parameter(10, "How many last hits.", "--bottom-fb-docs", low=1, high=MANY)
    weighting: str = parameter(
        TF_ONLY,
        "How terms weigh in documents; a SMART triple or bm25.",
        "--fb-weighting",
        metavar="tf|bm25|ltn...",
    )
    documents: str = parameter(
        "uniform", "How documents weigh.", "--fb-doc-weights", choices=DOCUMENT_WEIGHTS
    )
    scaled: bool = parameter(True, "Vectors keep their lengths, as in Ruch 2006.", "--unscaled")
    max_df: float = parameter(
        MOST,
        "No terms that are in a greater share of the documents.",
        "--fb-max-df",
        low=0,
        above=True,
        high=1,
        metavar="SHARE",
    )
    slope: float = parameter(SLOPE, "SMART's letter u.", "--slope", low=0, high=1)
    pivot: float | None = parameter(
        None, "SMART's letter u.  [default: mean distinct terms]", "--pivot", low=0, above=True
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.alpha + self.beta:
            raise UsageError("Rocchio with alpha 0, beta 0", fix="one of them above 0")
        if self.weighting not in (TF_ONLY, "bm25") and not _TRIPLE.fullmatch(self.weighting):
            fix = "tf, bm25 or a SMART triple for documents, as ltn"
            raise UsageError(f"no term weighting {self.weighting!r}", fix=fix)
        _check_pivot(self, self.weighting)


@dataclass(frozen=True)
class FromMoves(Method):
    """Take feedback's terms from sentences with these moves; see `MoveSentences`.

    Attributes
    ----------
    weights : mapping of str to float
        The weight of each move's sentences, of the TITLE, of the MESH headings, and of the whole
        DOCUMENT.
    soft : bool
        A sentence counts as much as the classifier is sure of its move.
    """

    flag: ClassVar[str] = "--argumentative"
    role: ClassVar[str] = "expand"

    weights: Mapping[str, float] = parameter(
        MISSING,
        "Feedback from sentences with these moves; also TITLE, MESH and DOCUMENT.",
        "--argumentative",
        metavar="MOVE[=W],...",
    )
    soft: bool = parameter(False, "Weigh sentences by their move's score.", "--soft")

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "weights", _upper(self.weights))


@dataclass(frozen=True)
class FromRelated(Method):
    """Take feedback's terms from the sentences most related to the topic.

    Attributes
    ----------
    model : str
        A formula's name, or a trained model's folder.
    count : int
        How many sentences a topic takes from all of its feedback documents together.
    """

    flag: ClassVar[str] = "--related"
    role: ClassVar[str] = "expand"

    model: str = parameter(
        MISSING,
        "Feedback from sentences related to the topic.",
        "--related",
        metavar="MODEL|FORMULA",
    )
    count: int = parameter(20, "How many related ones.", "--fb-sentences", low=1)


@dataclass(frozen=True)
class FromAssociations(Method):
    """Add terms that the topic's words are associated with.

    Attributes
    ----------
    path : str
        A model of Huber+, or a collection's indexes, as `open_associations` takes it.
    terms : int
        How many terms.
    weight : float
        delta: their length in proportion to the topic's own.
    """

    flag: ClassVar[str] = "--associations"
    role: ClassVar[str] = "expand"

    path: str = parameter(
        MISSING,
        "Add terms that the topic's words are associated with, by a model of Huber+ or by the"
        " sentences of a collection's indexes; beside feedback, or alone.",
        "--associations",
        metavar="DIR",
    )
    terms: int = parameter(20, "How many terms.", "--association-terms", low=1)
    weight: float = parameter(
        0.3, "Their weight, the topic's own being 1.", "--association-weight", low=0
    )


@dataclass(frozen=True)
class Fields(Method):
    """Search several fields, each with its weight."""

    flag: ClassVar[str] = "--fields"
    role: ClassVar[str] = "expand"

    weights: Mapping[str, float] = parameter(
        MISSING, "Search these fields, with their weights.", "--fields", metavar="F=W..."
    )


@dataclass(frozen=True)
class Boost(Method):
    """Boost terms by the moves of the sentences that they are in (Tbahriti et al. 2004, 3.5)."""

    flag: ClassVar[str] = "--boost"
    role: ClassVar[str] = "expand"

    factors: Mapping[str, float] = parameter(
        MISSING,
        "Boost terms by the moves of the sentences that they are in.",
        "--boost",
        metavar="MOVE=K,...",
    )
    form: str = parameter(
        "sum",
        "Weights times 1 + K times the move's score, or times K times the score.",
        "--boost-form",
        choices=("sum", "product"),
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "factors", _upper(self.factors))


@dataclass(frozen=True)
class Ranker(Method):
    """Order records by a learned ranker: the candidates of its own first stage, or a run's hits."""

    flag: ClassVar[str] = "--ranker"
    role: ClassVar[str] = "rank"

    model: str = parameter(
        DEFAULT,
        "Two stages: candidates by feedback, in the order of a learned ranker.",
        "--ranker",
        metavar="MODEL|ranker",
    )
    related: str | None = parameter(
        None,
        "A trained model of related sentences whose scores are features.  [default: none]",
        "--related",
        metavar="MODEL",
    )


@dataclass(frozen=True)
class Rerank(Method):
    """Order hits by another model, or by its mixture with the scores that they have."""

    flag: ClassVar[str] = "--model"
    role: ClassVar[str] = "rerank"

    model: str = parameter(
        MISSING,
        "A trained model's folder, or a name: a formula, answers, pmra, themes, ltc.atn …",
        "--model",
        metavar="MODEL|NAME",
    )
    depth: int | None = parameter(
        None,
        "Hits per topic that get another order; the rest follows.  [default: all]",
        "--depth",
        low=1,
        metavar="N",
    )
    interpolate: float | None = parameter(
        None,
        "Order by W times the model plus 1 - W times the run, each scaled from 0 to 1.",
        "--interpolate",
        low=0,
        high=1,
        metavar="W",
    )
    aggregate: str | None = parameter(
        None,
        "How its sentences make a record's score.  [default: best]",
        "--aggregate",
        metavar="best|mean:K|sum:CUT|decay:D",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.aggregate is not None:
            from relsent_ir.aggregate import Aggregate

            Aggregate.parse(self.aggregate)


@dataclass(frozen=True)
class MaxPassage(Method):
    """Turn sentences into their records, each by its best one."""

    flag: ClassVar[str] = "--max-passage"
    role: ClassVar[str] = "cut"

    hits: int = parameter(100, "Records per topic.", "--max-passage-hits", low=1, metavar="N")
    delimiter: str = parameter(
        ".",
        "What parts a document's id from a passage's.  [default: . of our sentences]",
        "--max-passage-delimiter",
        metavar="TEXT",
    )


@dataclass(frozen=True)
class RemoveQuery(Method):
    """Drop the hit whose id is the topic's."""

    flag: ClassVar[str] = "--remove-query"
    role: ClassVar[str] = "cut"


MEDLINE: Final[tuple[BM25, Rocchio]] = (
    BM25(1.2, 0.75),
    Rocchio(50, 20, 1.0, 4.0, weighting="ltn", documents="rank", max_df=0.2),
)
"""Terms by (1 + ln tf) ln(N/df), records by one over the square root of their rank, no term of more
than a fifth of the records: what was best on cystic fibrosis (docs/results/ruch-2006.md)."""
PRESETS: Final[Mapping[str, tuple[Method, ...]]] = {"medline": MEDLINE}

METHODS: Final[Mapping[str, type[Method]]] = {
    method.__name__: method
    for method in (
        *(BM25, QueryLikelihood, Smart, Ranker, RM3, Rocchio, FromMoves, FromRelated),
        *(FromAssociations, Fields, Boost, Rerank, MaxPassage, RemoveQuery),
    )
}
"""All methods, by the names of the text form."""

_ORDER: Final = ("rank", "expand", "rerank", "cut")
_FEEDBACK: Final = (Rocchio, RM3)
_EXPANDING: Final = (*_FEEDBACK, FromAssociations)
_EXCLUDES: Final[tuple[tuple[tuple[type[Method], ...], tuple[type[Method], ...], str], ...]] = (
    ((RM3,), (Rocchio,), "both are feedback"),
    ((FromMoves,), (FromRelated,), "feedback's terms have one source"),
    ((Fields,), (*_EXPANDING, Smart, Boost), "they work in `contents` only"),
    ((Boost,), _EXPANDING, "boosts weigh the topic's own terms"),
    ((Ranker,), (*_EXPANDING, FromMoves, FromRelated, Fields, Boost), "its first stage is its own"),
)
_FIRST: Final = (BM25, QueryLikelihood)


def as_pipeline(
    method: Method | Pipeline | str, called: Callable[[type[Method]], str] | None = None
) -> Pipeline:
    """Return a pipeline that makes sense, with `BM25` in front where nothing ranks first.

    Parameters
    ----------
    method : Method, Pipeline or str
        A text is read as `relsent_ir.method.parse` does.
    called : callable, optional
        Gives the name of a method in errors; that of its class if None.

    Raises
    ------
    UsageError
        If it cannot be read, or its methods do not go together.
    """
    called = called or (lambda kind: kind.__name__)
    if isinstance(method, str):
        method = parse(method, METHODS)
    stages = list(method.stages) if isinstance(method, Pipeline) else [method]
    if stages[0].role != "rank":
        stages.insert(0, BM25())
    kinds = [type(stage) for stage in stages]
    for first, second, why in _clashes(kinds):
        raise UsageError(f"{called(first)} and {called(second)} exclude each other: {why}")
    for kind in kinds:
        if kind in (FromMoves, FromRelated) and not set(_FEEDBACK) & set(kinds):
            raise UsageError(f"{called(kind)} needs {' or '.join(map(called, _FEEDBACK))}")
    for stage in stages:
        others = [kind for kind in kinds if kind in (*_EXPANDING, Boost)]
        if isinstance(stage, Smart) and stage.candidates and others:
            names = f"{called(Smart)} of candidates and {called(others[0])}"
            raise UsageError(f"{names} exclude each other", fix="score all documents")
        if isinstance(stage, Smart) and not stage.candidates and kinds[0] is not Smart:
            names = f"{called(kinds[0])} and {called(Smart)}"
            raise UsageError(f"{names} exclude each other: it scores all documents, not candidates")
    roles = [_ORDER.index(role_of(stage, place)) for place, stage in enumerate(stages)]
    if sorted(roles) != roles:
        raise UsageError("methods in another order", fix="rank, expand, rerank, cut")
    return Pipeline(tuple(stages))


def _clashes(
    kinds: Sequence[type[Method]],
) -> Iterator[tuple[type[Method], type[Method], str]]:
    """Yield the pairs of methods that do not go together, each with the reason."""
    for place, second in enumerate(kinds):
        for first in kinds[:place]:
            if first is second and first is not Rerank:
                yield first, second, "it stands there twice"
            if first in _FIRST and second in _FIRST:
                yield first, second, "one method ranks first"
            for some, others, why in _EXCLUDES:
                if (first in some and second in others) or (first in others and second in some):
                    yield first, second, why


def role_of(stage: Method, place: int) -> str:
    """Return the role of a stage; one that ranks has another where it is not the first."""
    if place and isinstance(stage, Ranker):
        return "rerank"
    return "expand" if place and isinstance(stage, Smart) and stage.candidates else stage.role
