"""The first stage of answers: the abstracts that may answer a question.

BM25 finds them. By default it also searches for the words that clinicians use for laymen's, and the
reverse; the first hits, with those of an encoder if its vectors are beside the index, are ordered
by their score and the share of the question that a sentence has.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from math import fsum, log
from typing import TYPE_CHECKING, Final

import numpy as np

from relsent_ir.answers.abstracts import (
    QueryWords,
    other_forms,
    query_words,
    short_forms,
    shortened,
)
from relsent_ir.answers.language import Question, WordVectors, content_words, parse
from relsent_ir.feedback.wording import WEIGHT, other_spellings, without_question_words
from relsent_ir.hits import Hits, scaled
from relsent_ir.lucene.analyzers import Analysis
from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.lucene.read.filters import Filters
from relsent_ir.lucene.read.search import open_searcher
from relsent_ir.methods import BM25, Answers
from relsent_ir.records import Record
from relsent_ir.text.lay import lay_words
from relsent_ir.text.words import stem
from relsent_ir.typing import Floats

if TYPE_CHECKING:
    from relsent_ir.dense.retrieval import Vectors

KEPT: Final = 3
"""Hits of the first search that stay in front of those of the second."""
POOL: Final = 30
"""Number of hits to order by the share of the question that a sentence has."""
NEAREST: Final = 30
"""Number of hits that an encoder's vectors add."""
SHARES: Final = (8.0, 4.5, 5.5, 4.5)
"""The weights of BM25's score, of the shares of the question that a sentence has, alone and with
the title, and of an encoder's cosine; each is at most 1."""
_ENDS: Final = re.compile(r"(?<=[.;?!])\s+")


def first_stage(
    collection: Indexes,
    topics: Mapping[str, str],
    words: WordVectors,
    method: Answers = Answers(),
    depth: int = 10,
    filters: Filters | None = None,
    run: Mapping[str, Hits] | None = None,
) -> Iterator[tuple[str, Hits, tuple[tuple[str, str], ...]]]:
    """Yield each topic's abstracts, with the long and short forms of its question.

    A run's hits are used as they are. BM25 searches other spellings too, no question words, and
    runs a second time if the question has other forms. With ``lay``, `words` tell which words of
    the question a sentence has (`reorder`).
    """
    index = collection.abstracts
    searcher = open_searcher(index, BM25(method.k1, method.b), filters=filters)
    analysis, lay = index.facts.analysis, run is None and method.first_stage == "lay"
    pool, vectors = (max(depth, POOL), _vectors(collection)) if lay else (depth, None)
    passing = filters.passing(index)[index.live()] if vectors and filters else None

    def find(text: str, question: str) -> Hits:
        query = lay_query(text, question, analysis) if lay else text
        return searcher.search({"": query}, k=pool)[""]

    for topic, question in topics.items():
        spelt = ""
        if run is not None:
            hits = run.get(topic, Hits.ranked([], [])).head(depth)
        else:
            others = other_spellings(question, index)
            spelt = " ".join((without_question_words(question, analysis), *others))
            hits = find(spelt, question)
        records = collection.records(hits.ids[:depth].tolist())
        forms = short_forms(question, [record.abstract for record in records])
        if run is None and (more := other_forms(question, forms)):
            hits = join(hits, find(f"{spelt} {more}", question), pool)
        if lay:
            cosines = None
            if vectors:
                encoded = vectors.encode(question)
                (near,) = vectors.nearest(encoded[None], NEAREST, passing)
                names = list(dict.fromkeys((*hits.ids, *near.ids)))
                scores, lowest = dict(hits), min(hits.scores.tolist(), default=0.0)
                hits = Hits.ranked(names, [scores.get(name, lowest) for name in names])
                cosines = np.nan_to_num(vectors.cosines(encoded, hits.ids.tolist()))
            asked = parse(question)
            idf = frequencies(collection, asked, forms)
            query = query_words(asked, words, idf, forms)
            records = collection.records(hits.ids.tolist())
            hits = reorder(query, words, records, hits, cosines).head(depth)
        yield topic, hits, forms


def lay_query(text: str, question: str, analysis: Analysis) -> dict[str, float]:
    """Return the terms of a text, and those of the other words for a question's, with weights."""
    query = {term: float(count) for term, count in Counter(analysis.terms(text)).items()}
    own = frozenset(query)
    for *_, names in lay_words(question):
        for name in names:
            new = [term for term in analysis.terms(name) if term not in own]
            for term in new:
                query[term] = max(query.get(term, 0.0), WEIGHT / len(new))
    return query


def _vectors(collection: Indexes) -> "Vectors | None":
    """Open the encoder's vectors of the abstracts; None unless those of one are up to date."""
    from relsent_ir.dense.rows import stored_models

    index = collection.abstracts
    if len(stored_models(index)) != 1:
        return None
    from relsent_ir.dense.retrieval import Vectors

    return Vectors.open(index, "")


def reorder(
    query: QueryWords,
    words: WordVectors,
    records: Sequence[Record],
    hits: Hits,
    cosines: Floats | None = None,
) -> Hits:
    """Order hits by their score and the shares of the question's words that their sentences have.

    The highest score is the same before and after for a sentence with all words.
    """
    total = max(1e-9, float(query.weights.sum()))
    weights = dict(zip(query.words, (query.weights / total).tolist(), strict=True))
    starts = {word[:2] for word in weights}  # few words of a text need a stem
    rows = []
    for record in records:
        texts = (f"{record.title} {record.vernacular_title}", *_ENDS.split(record.abstract))
        lists = (content_words(query.spelled(text), words.stopwords) for text in texts)
        title, *sentences = (
            {stem(word) for word in of if word[:2] in starts} & weights.keys() for of in lists
        )
        groups = (set(), *sentences), (title, *(title | sentence for sentence in sentences))
        rows.append([max(fsum(map(weights.__getitem__, of)) for of in group) for group in groups])
    highest = max((*hits.scores.tolist(), 1e-9))
    columns = np.column_stack([hits.scores / highest, np.array(rows).reshape(-1, 2)])
    if cosines is not None:
        columns = np.column_stack([columns, scaled(cosines)])
    parts = np.array(SHARES[: columns.shape[1]])
    return Hits.ranked(hits.ids, highest * (columns @ parts) / parts.sum())


def join(first: Hits, second: Hits, depth: int) -> Hits:
    """Join the hits of two searches: the first few of the first, then those of the second.

    Scores fall in equal steps from the higher of the two highest to its half.
    """
    ids = [*first.ids[:KEPT], *second.ids, *first.ids[KEPT:]]
    names = list(dict.fromkeys(ids))[:depth]
    high = max(first.scores.max(initial=0.0), second.scores.max(initial=0.0))
    steps = high * (1 - 0.5 * np.arange(len(names)) / max(1, len(names)))
    return Hits(np.array(names, dtype=object), steps.astype(np.float64))


def frequencies(
    collection: Indexes, question: Question, forms: Sequence[tuple[str, str]]
) -> dict[str, float]:
    """Return ln((N + 1) / (n + 1)) of a question's words in a collection of N abstracts.

    The words are those of `relsent_ir.answers.abstracts.query_words`.
    """
    index = collection.abstracts
    terms_of = {
        word: analysed[0]
        for word in re.findall(r"[^\W_]+", shortened(question.spelled, forms))
        if (analysed := index.facts.analysis.terms(word))
    }
    counts = index.frequencies(list(terms_of.values())).tolist() if terms_of else []
    total = len(index) + 1
    return {word: log(total / (n + 1)) for word, n in zip(terms_of, counts, strict=True)}
