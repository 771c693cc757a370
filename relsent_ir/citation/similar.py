"""Records similar to records of the same index, by any of our methods."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from relsent_ir.citation.boost import boost, check_factors
from relsent_ir.citation.candidates import known_articles
from relsent_ir.citation.documents import record_segments, text_segments
from relsent_ir.citation.more_like_this import MoreLikeThis
from relsent_ir.citation.pmra import pmra_search
from relsent_ir.citation.weights import WeightedTopics, smart_topics
from relsent_ir.errors import MismatchError, UsageError
from relsent_ir.feedback import Smart, SmartSearcher, TermMatrix
from relsent_ir.hits import Run
from relsent_ir.lucene.analyzers import Analysis
from relsent_ir.lucene.collection import Collection
from relsent_ir.lucene.index import Index
from relsent_ir.lucene.search import BM25, Searcher
from relsent_ir.moves import default_model

METHODS: Final = ("bm25", "more-like-this", "pmra")
"""Besides SMART's schemes, as ``ltc.atn``."""


def find_similar(
    collection: Collection,
    ids: Sequence[str],
    method: str = "pmra",
    k: int = 1000,
    *,
    bm25: BM25 | None = None,
    factors: Mapping[str, float] | None = None,
    form: str = "sum",
) -> Run:
    """Rank all other records for each of some records.

    Parameters
    ----------
    collection : Collection
    ids : sequence of str
        The records that are topics.
    method : str
        One of `METHODS`, or a SMART scheme.
    k : int
        Hits a record.
    bm25 : BM25, optional
        For bm25 and more-like-this.
    factors : mapping of str to float, optional
        Boosts of moves, for bm25 and SMART schemes.
    form : str
        How they boost (`relsent_ir.citation.boost`).

    Raises
    ------
    InputError
        If a record is not in the index.
    UsageError
        If the method is unknown.
    MismatchError
        If the method cannot be boosted.
    """
    if factors:
        check_factors(factors, form)
        if method in METHODS[1:]:
            raise MismatchError(f"{method} cannot be boosted", fix="--method bm25, or ltc.atn")
    check_method(method)
    plain: WeightedTopics
    index, analysis = collection.abstracts, collection.facts.analysis
    topics = document_terms(index, ids)
    if method == "bm25":
        plain = {name: dict(terms) for name, terms in topics.items()}
        found = Searcher(index, bm25 or BM25()).search(
            boosted_topics(collection, plain, factors or {}, form), k + 1
        )
    elif method == "more-like-this":
        terms = sorted({term for counts in topics.values() for term in counts})
        df = dict(zip(terms, index.frequencies(terms).tolist(), strict=True))
        choose = MoreLikeThis()
        chosen = {name: choose.query(counts, df, len(index)) for name, counts in topics.items()}
        found = Searcher(index, bm25 or BM25()).search(chosen, k + 1)
    elif method == "pmra":
        found = pmra_search(TermMatrix.read(index), analysis, ids, k + 1)
    else:
        matrix, smart = TermMatrix.read(index), Smart.parse(method)
        plain = smart_topics(matrix, smart, topics)
        weights = boosted_topics(collection, plain, factors or {}, form)
        found = SmartSearcher(matrix, smart, analysis).search(weights, k + 1)
    return Run((name, hits.without(name).head(k)) for name, hits in found.items())


def check_method(method: str) -> None:
    """Refuse a name that is neither one of `METHODS` nor a SMART scheme.

    Raises
    ------
    UsageError
    """
    if method not in METHODS:
        try:
            Smart.parse(method)
        except UsageError:
            raise UsageError(
                f"no method {method!r}", fix=f"one of {', '.join(METHODS)}, or as ltc.atn"
            ) from None


def document_terms(index: Index, ids: Sequence[str]) -> dict[str, Counter[str]]:
    """Count the analysed terms of records, in `contents`.

    Raises
    ------
    InputError
        If a record is not in the index.
    """
    vectors = index.vectors(ids)
    counts, terms = vectors.counts, vectors.terms
    found = {}
    for row, name in enumerate(ids):
        span = slice(counts.indptr[row], counts.indptr[row + 1])
        some = zip(counts.indices[span], counts.data[span], strict=True)
        found[name] = Counter({terms[column]: int(count) for column, count in some})
    return found


def boosted_topics(
    collection: Collection,
    weights: WeightedTopics,
    factors: Mapping[str, float],
    form: str,
) -> WeightedTopics:
    """Boost the terms of records, whose ids the topics have; unchanged without factors."""
    if not factors:
        return weights
    analysis, records = collection.facts.analysis, collection.records(list(weights))
    return {
        record.id: boost(
            weights[record.id], record_segments(record, tagged, analysis), factors, form
        )
        for record, tagged in zip(records, collection.tagged(records), strict=True)
    }


def boosted_texts(
    collection: Collection,
    analysis: Analysis,
    topics: Mapping[str, str],
    factors: Mapping[str, float],
    form: str = "sum",
) -> WeightedTopics:
    """Weigh the terms of texts by how often they occur, and boost them by their moves.

    A topic that is a record of the index, by its id and its text, has that record's sentences;
    another's text is split into sentences, whose moves the packaged model tells.

    Parameters
    ----------
    collection : Collection
    analysis : Analysis
        How topics become terms.
    topics : mapping of str to str
    factors : mapping of str to float
        By move.
    form : str
    """
    check_factors(factors, form)
    tagger = default_model()
    records = known_articles(collection.abstracts, topics)
    weights: WeightedTopics = {}
    for name, text in topics.items():
        record = records.get(name)
        if record is not None:
            segments = record_segments(record, collection.tagged([record])[0], analysis)
        else:
            segments = text_segments(text, tagger, analysis)
        counts = {term: float(n) for term, n in Counter(analysis.terms(text)).items()}
        weights[name] = boost(counts, segments, factors, form)
    return weights
