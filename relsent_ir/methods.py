"""The methods of which a search is composed, as values.

::

    BM25(k1=0.9) >> RM3(fb_terms=10) >> Rerank("I1.5", depth=100, interpolate=0.3)

A pipeline ranks first (`BM25`, `QueryLikelihood`, `Smart`, `Dense` or `Ranker`). It may then expand
or weight the topics (`RM3`, `Rocchio`, `FromMoves`, `Fields`), join its hits with those of an
encoder (`Hybrid`), reorder them (`Rerank`, `Ranker`), and drop hits at the end (`MaxPassage`,
`RemoveQuery`). Other packages implement the methods; `relsent_ir.searching` runs a pipeline.
`Related`, `Answers`, `Similar`, `Themes` and `Relations` are the settings of separate verbs. This
module imports nothing heavy, so that the command line can read its flags here.
"""

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass
from typing import ClassVar, Final

from relsent_ir.errors import UsageError
from relsent_ir.method import MANY, Method, Pipeline, parameter, parse, read_number

FLOAT32_MAX: Final = 3.4028234663852886e38
"""The largest single-precision float, which Lucene uses for scores."""
TF: Final = "nblLamd"
DF: Final = "ntpf"
NORM: Final = "ncsu"
"""The letters of SMART schemes; `relsent_ir.counts.weighting` explains them."""
SLOPE: Final = 0.14
"""The slope of SMART's letter u, as in Ruch et al. 2006."""
TF_ONLY: Final = "tf"
DOCUMENT_WEIGHTS: Final = ("uniform", "rank", "score")
FEEDBACK_DF_SHARE_MAX: Final = 0.1
"""The largest share of documents that a feedback term may be in; Anserini's value."""
DEFAULT: Final = "ranker"
"""The name of the packaged ranker."""

_TERMS: Final = {"rank": "relsent_ir.feedback.engine:open_terms"}
_VECTORS: Final = "relsent_ir.feedback.engine:open_vectors"
_PIVOT: Final = {"slope": SLOPE, "pivot": None}
_BY_BM25: Final = ("method", "bm25", "more-like-this")
_TRIPLE: Final = re.compile(f"[{TF}][{DF}][{NORM}]")


@dataclass(frozen=True)
class BM25(Method, flag="--bm25", role="rank", part="model", opens=_TERMS):
    """Rank by Robertson's BM25 as Lucene has it; the defaults are Anserini's."""

    k1: float = parameter(0.9, "BM25's k1.", "--k1", low=0, high=FLOAT32_MAX)
    b: float = parameter(0.4, "BM25's b.", "--b", low=0, high=1)


@dataclass(frozen=True)
class QueryLikelihood(Method, flag="--qld", role="rank", part="model", opens=_TERMS):
    """Rank by query likelihood with Dirichlet smoothing (Zhai & Lafferty 2001)."""

    mu: float = parameter(
        1000.0, "Query likelihood's mu.", "--mu", "--qld.mu", low=0, high=FLOAT32_MAX
    )


@dataclass(frozen=True)
class Smart(Method, flag="--smart", role="rank", part="smart", opens=_TERMS):
    """A weighting scheme: three letters for documents and three for queries.

    Attributes
    ----------
    scheme : str
        A scheme such as ``ltc.atn``.
    slope : float
        The slope of the letter u, from 0 to 1.
    pivot : float or None
        The pivot of the letter u; if None, the mean number of distinct terms of a document.
    candidates : int or None
        Number of BM25's hits to reorder; if None, all documents are scored.
    """

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

    @property
    def document(self) -> str:
        """The letters for documents, such as ``ltc``."""
        return self.scheme[:3]

    @property
    def query(self) -> str:
        """The letters for queries, such as ``atn``."""
        return self.scheme[4:]


@dataclass(frozen=True)
class RM3(Method, flag="--rm3", role="expand", part="feedback"):
    """Expand topics with a relevance model, as Anserini; gains on broad topics, harms exact ones.

    Attributes
    ----------
    fb_terms, fb_docs : int
        Numbers of terms and documents from which the relevance model is built.
    original_query_weight : float
        The share of the topic's own terms in the expanded query.
    """

    fb_terms: int = parameter(10, "Terms that feedback adds.", "--fb-terms", low=1, high=MANY)
    fb_docs: int = parameter(10, "Documents that it reads.", "--fb-docs", low=1, high=MANY)
    original_query_weight: float = parameter(
        0.5, "The weight of the topic's own words.", "--original-query-weight", low=0, high=1
    )
    gamma: ClassVar[float] = 0.0
    """The number of last hits that RM3 reads."""


@dataclass(frozen=True)
class Rocchio(Method, flag="--rocchio", role="expand", part="feedback"):
    """Expand topics by Rocchio's feedback, as Pyserini; gains on broad topics, harms exact ones.

    Attributes
    ----------
    fb_terms, fb_docs : int
        Numbers of terms to add, and of first documents to take them from.
    alpha, beta, gamma : float
        The weights of the topic, the first documents and the last documents.
    bottom_fb_terms, bottom_fb_docs : int
        Numbers of terms and of last hits to take them from; used if gamma is above 0.
    weighting : str
        How terms are weighted in documents: ``tf``, ``bm25``, or a SMART triple such as ``ltn``.
    documents : {"uniform", "rank", "score"}
        How strongly each of the first documents counts.
    scaled : bool
        Scale Q, R and N to length 1. Without scaling, the formula is that of Ruch et al.
    max_df : float
        The largest share of documents that a term may be in, from 0 to 1; others are not added.
    slope, pivot : float
        Slope and pivot of the weighting's letter u; if the pivot is None, it is the mean number of
        distinct terms of a document.
    selective : bool
        Whether hits that stood out before feedback stay in front
        (`relsent_ir.feedback.search.selected`).
    """

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
        FEEDBACK_DF_SHARE_MAX,
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
    selective: bool = parameter(
        False, "Hits that stood out before it stay in front, as in the preset.", "--fb-selective"
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.alpha + self.beta:
            raise UsageError("Rocchio with alpha 0, beta 0", fix="one of them above 0")
        if self.weighting not in (TF_ONLY, "bm25") and not _TRIPLE.fullmatch(self.weighting):
            fix = "tf, bm25 or a SMART triple for documents, as ltn"
            raise UsageError(f"no term weighting {self.weighting!r}", fix=fix)


@dataclass(frozen=True)
class FromMoves(Method, flag="--argumentative", role="expand", part="source"):
    """Take feedback's terms from sentences with these moves; see `MoveSentences`.

    Attributes
    ----------
    weights : mapping of str to float
        The weight of sentences with each move, of the TITLE, the MESH headings and the DOCUMENT.
    """

    weights: Mapping[str, float] = parameter(
        MISSING,
        "Feedback from sentences with these moves; also TITLE, MESH and DOCUMENT.",
        "--argumentative",
        metavar="MOVE[=W],...",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        weights: dict[str, float] = {}
        for name, weight in self.weights.items():
            if name.upper() in weights:
                raise UsageError(f"{name.upper()} twice among the weights")
            weights[name.upper()] = weight
        object.__setattr__(self, "weights", weights)


@dataclass(frozen=True)
class Fields(Method, flag="--fields", role="expand", part="fields"):
    """Search several fields, each with its weight."""

    weights: Mapping[str, float] = parameter(
        MISSING, "Search these fields, with their weights.", "--fields", metavar="F=W..."
    )


_DENSE: Final = "Rank by an encoder's vectors; features of --ranker, or none."


@dataclass(frozen=True)
class Ranker(
    Method,
    flag="--ranker",
    role="rank",
    opens={
        "rank": "relsent_ir.ranker.sentence_ranking:open_searcher",
        "rerank": "relsent_ir.ranker.ranking:open_reranker",
    },
):
    """Order records by a learned ranker: the candidates of its own first stage, or a run's hits."""

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
    dense: str | None = parameter(None, _DENSE, "--dense", metavar="[MODEL]")


_FB_DOCS: Final = "Vectors move towards those of the first N hits.  [default: 0, they do not]"


@dataclass(frozen=True)
class Dense(Method, flag="--dense", role="rank", opens={"rank": _VECTORS}):
    """Rank by the cosines of an encoder's vectors, which ``relsent-ir encode`` has made.

    Attributes
    ----------
    model : str
        The folder of the encoder; "" if the index has the vectors of one encoder only.
    fb_docs : int
        Feedback by vectors: the topic's vector is moved halfway to the mean of this many first
        hits; 0 for none.
    """

    model: str = parameter("", _DENSE, "--dense", metavar="[MODEL]")
    fb_docs: int = parameter(0, _FB_DOCS, "--dense-fb-docs", low=0, high=MANY)


@dataclass(frozen=True)
class Hybrid(Method, flag="--hybrid", role="join", opens={"join": _VECTORS}):
    """Join a lexical run with the hits of an encoder's vectors.

    The scores of both are scaled to 0 to 1 over all candidates of a topic, which are the first
    1,000 hits of either; every candidate gets its exact cosine.

    Attributes
    ----------
    model : str
        The folder of the encoder; "" if the index has the vectors of one encoder only.
    weight : float
        The weight of the vectors, from 0 to 1.
    fb_docs : int
        Feedback as in `Dense`, from the first hits of the joined run.
    """

    model: str = parameter(
        "", "Join the hits with those of an encoder's vectors.", "--hybrid", metavar="[MODEL]"
    )
    weight: float = parameter(0.5, "The vectors' weight.", "--hybrid-weight", low=0, high=1)
    depth: ClassVar[int] = 1000
    """Number of hits of either run that become candidates."""
    fb_docs: int = parameter(0, _FB_DOCS, "--dense-fb-docs", low=0, high=MANY)


@dataclass(frozen=True)
class Rerank(
    Method, flag="--rerank", role="rerank", opens={"rerank": "relsent_ir.rank:open_stage"}
):
    """Order hits by another model, or by its mixture with the scores that they have."""

    model: str = parameter(
        MISSING,
        "A trained model's folder, or a name: a formula, answers, pmra, themes, ltc.atn …",
        "--rerank",
        "--model",
        metavar="MODEL|NAME",
        made=True,
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
class MaxPassage(Method, flag="--max-passage", role="cut"):
    """Turn sentences into their records, each by its best one."""

    hits: int = parameter(100, "Records per topic.", "--max-passage-hits", low=1, metavar="N")
    delimiter: str = parameter(
        ".",
        "What parts a document's id from a passage's.  [default: . of our sentences]",
        "--max-passage-delimiter",
        metavar="TEXT",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.delimiter:
            raise UsageError("MaxPassage with an empty delimiter", fix="a text, as # or .")

    @property
    def unit(self) -> str:
        """The unit, "sentences", whose ids have the delimiter; "" for another delimiter."""
        return "sentences" if self.delimiter == "." else ""


@dataclass(frozen=True)
class RemoveQuery(Method, flag="--remove-query", role="cut"):
    """Drop the hit whose id is the topic's."""


COMBINATIONS: Final = ("combsum", "combmnz", "combanz", "combmax", "combmin", "combmed")


@dataclass(frozen=True)
class Fusion(Method, role="fuse"):
    """Fuse the runs of several searches.

    Attributes
    ----------
    method : str
        The rule: a method of trectools or Pyserini, or one of `COMBINATIONS`.
    rrf_k : int
        The constant of reciprocal rank fusion.
    alpha : float
        The weight of the first of two runs in an interpolation.
    weights : str or None
        The weights of the runs after normalization, separated by commas; all 1 if None.
    depth, k : int
        Numbers of hits for each topic to read from each run, and to write.
    """

    method: str = parameter(
        "rrf",
        "rrf: reciprocal ranks; interpolation: two runs' scores by --alpha; average: the mean of"
        " the scores; normalize: the sum of the scores after each topic's were brought to 0 to 1;"
        " comb…: their sum, sum times or by the number of runs, highest, lowest or median.",
        "--method",
        choices=("rrf", "interpolation", "average", "normalize", *COMBINATIONS),
    )
    rrf_k: int = parameter(60, "k of rrf.", "--rrf.k", low=0, when=("method", "rrf"))
    alpha: float = parameter(
        0.5,
        "Weight of the first of two runs in interpolation.",
        "--alpha",
        low=0,
        high=1,
        when=("method", "interpolation"),
    )
    weights: str | None = parameter(
        None,
        "Weights of the runs in normalize.",
        "--weights",
        metavar="W,W,...",
        when=("method", "normalize"),
    )
    depth: int = parameter(1000, "Hits a topic that are taken from each run.", "--depth", low=1)
    k: int = parameter(1000, "Hits a topic that are written.", "--k", low=1)

    @property
    def numbers(self) -> list[float] | None:
        """The weights of the runs.

        Raises
        ------
        UsageError
            If a weight is not a finite number.
        """
        if self.weights is None:
            return None
        try:
            numbers = [read_number(weight) for weight in self.weights.split(",")]
        except ValueError:
            numbers = []
        if not numbers or not all(map(math.isfinite, numbers)):
            raise UsageError(f"--weights {self.weights}", fix="give numbers with commas between")
        return numbers


@dataclass(frozen=True)
class Related(Method, role="related"):
    """Match the sentences that are most related to a text (Smith & Wilbur 2010).

    Attributes
    ----------
    model : str
        The name of a formula, or the folder of a trained model; ``huber-plus`` is packaged.
    candidates : {"exact", "bm25"} or None
        Whether all sentences or BM25's first hits are compared; if None, all where the model can.
    depth : int or None
        Number of candidates from BM25, or from the first stage of Huber+.
    without_own : bool
        Whether topics' ids are ids of records or sentences, to be left out of their own hits.
    """

    model: str = parameter(
        "huber-plus",
        "A trained model, or a formula's name; huber-plus comes with the package.",
        "--model",
        metavar="MODEL|FORMULA",
    )
    candidates: str | None = parameter(
        None,
        "All sentences, or BM25's first ones.  [default: exact; bm25 for D, T, O1, O2 and A]",
        "--candidates",
        choices=("exact", "bm25"),
    )
    depth: int | None = parameter(
        None,
        "How many candidates BM25 gives, or the first stage of Huber+.  [default: 1000; 300]",
        "--depth",
        low=1,
        metavar="N",
    )
    without_own: bool = parameter(
        False,
        "Topics' ids are records' or sentences' in the index: none of that record is given.",
        "--without-own",
    )


@dataclass(frozen=True)
class Answers(Method, role="answer"):
    """Find abstracts by a first stage, and in each the sentences that answer a question.

    Attributes
    ----------
    model : str or None
        The folder of a trained model; None for the packaged one.
    k1, b : float
        The parameters of BM25 in the first stage.
    first_stage : {"bm25", "medline", "ranker"}
        How abstracts are retrieved: by BM25; or BM25's first few, then hits of search's preset
        medline or of the packaged ranker.
    slot : {"finding", "conclusion"} or None
        Return only this sentence of each abstract; if None, both.
    sentences : int or None
        Number of sentences of each abstract, whatever their slot.
    ignore_labels : bool
        Whether to read structured abstracts as if they had no labels.
    """

    model: str | None = parameter(None, "A trained model.", "--model", metavar="MODEL")
    k1: float = parameter(0.9, "BM25's k1.", "--k1", low=0, high=FLOAT32_MAX)
    b: float = parameter(0.4, "BM25's b.", "--b", low=0, high=1)
    first_stage: str = parameter(
        "bm25",
        "What finds the abstracts: BM25; its first few, and then the preset medline or the ranker.",
        "--first-stage",
        choices=("bm25", "medline", "ranker"),
    )
    slot: str | None = parameter(
        None,
        "Show this sentence of each abstract alone.  [default: both, the one that the question "
        "wants first]",
        "--slot",
        choices=("finding", "conclusion"),
    )
    sentences: int | None = parameter(
        None, "Show so many of each abstract, whatever their slot.", "--sentences", low=1
    )
    ignore_labels: bool = parameter(
        False, "Take structured abstracts as if they had no labels.", "--ignore-labels"
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.slot and self.sentences:
            raise UsageError("give one of --slot and --sentences")


@dataclass(frozen=True)
class Cite(Method, role="cite"):
    """Rank the records that a text may cite.

    Attributes
    ----------
    nearest : int
        Number of records near to the text that vote for the records that they cite.
    votes : float
        The weight of the share of votes; the similarity, from 0 to 1, has the weight 1.
    """

    nearest: int = parameter(
        20, "Records near to the text that vote for what they refer to.", "--nearest", low=0
    )
    votes: float = parameter(
        4.0, "The weight of the share of votes.", "--votes", low=0, high=FLOAT32_MAX
    )


@dataclass(frozen=True)
class Similar(Method, role="similar"):
    """Rank the records that are similar to a record.

    Attributes
    ----------
    method : str
        ``neighbours``, ``pmra``, ``bm25``, ``more-like-this``, or a SMART scheme.
    k1, b : float
        The parameters of bm25 and more-like-this.
    lambda_, mu : float or None
        The parameters of pmra; its own values if None.
    """

    method: str = parameter(
        "neighbours",
        "neighbours, pmra, bm25, more-like-this, or a SMART scheme as ltc.atn.",
        "--method",
    )
    k1: float = parameter(0.9, "BM25's k1.", "--k1", low=0, high=FLOAT32_MAX, when=_BY_BM25)
    b: float = parameter(0.4, "BM25's b.", "--b", low=0, high=1, when=_BY_BM25)
    lambda_: float | None = parameter(
        None, "pmra's λ.  [default: 0.022]", "--lambda", when=("method", "pmra")
    )
    mu: float | None = parameter(
        None, "pmra's μ.  [default: 0.013]", "--mu", when=("method", "pmra")
    )


@dataclass(frozen=True)
class Themes(Method, role="themes"):
    """Find the theme of a record (Shatkay & Wilbur 2000).

    A value of None stands for our setting, or for the paper's if `published`; the fixed settings
    are in `relsent_ir.themes.ThemeSettings`.
    """

    published: bool = parameter(False, "The paper's settings, not ours.", "--published")
    max_iterations: int | None = parameter(
        None, "It ends here at the latest.  [100]", "--max-iterations"
    )
    size: float | None = parameter(
        None, "Ours: so many records are expected on theme.  [0: P is fixed; 10]", "--size"
    )
    fields: str | None = parameter(
        None,
        "Where terms are read: title, abstract, mesh, chemicals.  [the first two; all]",
        "--fields",
        metavar="FIELD...",
    )
    min_df: int = parameter(2, "Terms in at least so many records.", "--min-df", low=1)
    max_df: float = parameter(0.1, "Terms in at most this share of the records.", "--max-df")
    stopwords: str | None = parameter(
        None, "Stop words, instead of scikit-learn's 318.", "--stopwords", metavar="FILE"
    )


@dataclass(frozen=True)
class Relations(Method, role="relate"):
    """Rank the sentences that mention two entities (Tudor & Vijay-Shanker 2012).

    Attributes
    ----------
    model : str or None
        The folder of a model, ``paper`` or ``events``; None for the packaged model.
    literal : bool
        Whether to leave out abbreviations of the names.
    synonyms : str or None
        Files of further names, separated by commas; a line is NAME, a tab, SYNONYM.
    group : {"record"} or None
        Return only the best sentence of each record.
    directed : bool
        Whether the first entity must be the one that acts, as the gene does in the paper.
    """

    model: str | None = parameter(
        None,
        "A model's folder; or the paper's features alone, or ours learned from events of proteins "
        "alone.  [default: the package's, of events and drug interactions]",
        "--model",
        metavar="MODEL|paper|events",
    )
    literal: bool = parameter(False, "No abbreviations of the names.", "--literal")
    synonyms: str | None = parameter(
        None, "More names: on a line NAME, a tab, SYNONYM.", "--synonyms", metavar="TSV..."
    )
    group: str | None = parameter(
        None, "Of each record only its best sentence.", "--group", choices=("record",)
    )
    directed: bool = parameter(
        False,
        "The first entity acts, as the paper's gene: groups G1 and G3 match no other way round.",
        "--directed",
    )


MEDLINE: Final[tuple[BM25, Rocchio]] = (
    BM25(1.2, 0.75),
    Rocchio(50, 20, 1.0, 4.0, weighting="ltn", documents="rank", max_df=0.2),
)
"""A term weighs (1 + ln tf) ln(N/df), a record 1 over the square root of its rank; terms in over a
fifth of the records are left out. Best on cystic fibrosis (docs/results/ruch-2006.md)."""
PRESETS: Final[Mapping[str, tuple[Method, ...]]] = {
    "medline": (MEDLINE[0], MEDLINE[1].changed(selective=True)),
    "medline-plain": MEDLINE,
}
"""Compared with plain feedback, selective feedback is better on exact topics and no worse on broad
ones (docs/results/collections.md)."""
FIRST_STAGES: Final[Mapping[str, tuple[Method, ...]]] = {
    "bm25": (),
    "medline": MEDLINE,
    "ranker": (Ranker(),),
}
"""The stages that retrieve abstracts for questions behind BM25's first few, by `first_stage`."""

METHODS: Final[Mapping[str, type[Method]]] = {
    method.__name__: method
    for method in (
        *(BM25, QueryLikelihood, Smart, Dense, Ranker, RM3, Rocchio, FromMoves),
        *(Fields, Hybrid, Rerank, MaxPassage, RemoveQuery),
    )
}
"""All methods of a search, by their names in the text form."""
VERBS: Final[tuple[type[Method], ...]] = (
    Related, Answers, Similar, Cite, Themes, Relations, Fusion,
)  # fmt: skip
"""Settings of verbs that stand alone; the role of each is the name of its verb."""

_ORDER: Final = ("rank", "expand", "join", "rerank", "cut")
_FEEDBACK: Final = (Rocchio, RM3)
_CHANGES: Final = (*_FEEDBACK, FromMoves, Fields)
_FIRST: Final = (BM25, QueryLikelihood, Dense)
NEEDED: Final[Mapping[type[Method], tuple[type[Method], ...]]] = {FromMoves: _FEEDBACK}
"""For each method that needs another in its pipeline, those of which it needs one."""
_EXCLUDES: Final[tuple[tuple[tuple[type[Method], ...], tuple[type[Method], ...], str], ...]] = (
    (_FIRST, _FIRST, "one method ranks first"),
    ((RM3,), (Rocchio,), "both are feedback"),
    ((Fields,), (*_FEEDBACK, Smart), "they work in `contents` only"),
    ((Ranker,), _CHANGES, "the ranker finds its own candidates"),
    ((Dense,), (*_CHANGES, Smart), "it reads no terms"),
    ((Dense,), (Hybrid,), "one of them finds by vectors"),
)


def excluded(kind: type[Method]) -> dict[type[Method], str]:
    """Return the methods that cannot stand in a pipeline with a method, each with the reason."""
    found = {} if kind is Rerank else {kind: "it stands there twice"}
    for some, others, why in _EXCLUDES:
        for these, those in ((some, others), (others, some)):
            if kind in these:
                found = dict.fromkeys(those, why) | found
    return found


def as_pipeline(
    method: Method | Pipeline | str, called: Callable[[type[Method]], str] | None = None
) -> Pipeline:
    """Return a valid pipeline; put `BM25` in front if its first method does not rank.

    Parameters
    ----------
    method : Method, Pipeline or str
        A text is the name of a preset, or the text form that `relsent_ir.method.parse` reads.
    called : callable, optional
        Returns the name of a method for error messages; by default the name of its class.

    Raises
    ------
    UsageError
        If it cannot be read, or its methods cannot be combined.
    """
    called = called or (lambda kind: kind.__name__)
    if isinstance(method, str):
        preset = PRESETS.get(method)
        method = Pipeline(preset) if preset else parse(method, METHODS)
    stages = list(method.stages) if isinstance(method, Pipeline) else [method]
    for stage in stages:
        if isinstance(stage, VERBS):
            problem = f"{called(type(stage))} is no stage of a search"
            raise UsageError(problem, fix=f"{stage.role} takes it; Rerank orders hits by a model")
    if stages[0].role != "rank":
        stages.insert(0, BM25())
    kinds = [type(stage) for stage in stages]
    for place, second in enumerate(kinds):
        for first in kinds[:place]:
            if why := excluded(first).get(second):
                raise UsageError(f"{called(first)} and {called(second)} exclude each other: {why}")
    for kind in kinds:
        if kind in NEEDED and not set(NEEDED[kind]) & set(kinds):
            raise UsageError(f"{called(kind)} needs {' or '.join(map(called, NEEDED[kind]))}")
    for stage in stages:
        if isinstance(stage, Smart | Rocchio):
            scheme = stage.scheme if isinstance(stage, Smart) else stage.weighting
            changed = [name for name, default in _PIVOT.items() if getattr(stage, name) != default]
            if changed and not any(triple[-1:] == "u" for triple in scheme.split(".")):
                problem = f"{called(type(stage))} with {changed[0]} needs the letter u"
                raise UsageError(problem, fix="as in dtu.dtn, or dtu for documents")
        others = [kind for kind in kinds if kind in _FEEDBACK]
        if isinstance(stage, Smart) and stage.candidates and others:
            names = f"{called(Smart)} of candidates and {called(others[0])}"
            raise UsageError(f"{names} exclude each other", fix="score all documents")
        if isinstance(stage, Smart) and not stage.candidates and kinds[0] is not Smart:
            names = f"{called(kinds[0])} and {called(Smart)}"
            raise UsageError(f"{names} exclude each other: it scores all documents, not candidates")
    roles = [_ORDER.index(role_of(stage, place)) for place, stage in enumerate(stages)]
    if sorted(roles) != roles:
        raise UsageError("methods in another order", fix=", ".join(_ORDER))
    return Pipeline(tuple(stages))


def role_of(stage: Method, place: int) -> str:
    """Return the role of a stage, which may differ where a ranking method is not first."""
    if place and "rerank" in stage.opens:
        return "rerank"
    return "expand" if place and isinstance(stage, Smart) and stage.candidates else stage.role
