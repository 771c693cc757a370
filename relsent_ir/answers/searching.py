"""Questions put to an index: BM25 finds the abstracts, the model their sentences."""

from collections import abc
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import exp
from typing import Final

from relsent_ir.answers.finding import Answer, judge_tagged
from relsent_ir.answers.model import AnswerModel
from relsent_ir.answers.words import content_words, terms
from relsent_ir.answers.zones import tag_abstract
from relsent_ir.hits import Hits
from relsent_ir.lucene.collection import Collection
from relsent_ir.lucene.search import BM25, Searcher
from relsent_ir.moves import MoveModel
from relsent_ir.records import Record
from relsent_ir.text.stems import stem
from relsent_ir.typing import Progress

_ASKING: Final = frozenset(
    [
        "benefit",
        "benefits",
        "better",
        "compared",
        "comparison",
        "did",
        "does",
        "effect",
        "effective",
        "effects",
        "efficacy",
        "help",
        "helps",
        "impact",
        "improve",
        "increase",
        "influence",
        "prevent",
        "reduce",
    ]
)
RELEVANCE: Final = 0.3


@dataclass(frozen=True)
class Found:
    """An abstract that was found for a question.

    Attributes
    ----------
    record : Record
    score : float
        BM25's.
    answers : list of Answer
        All sentences, the best first.
    lacks : list of str
        Words of the question that neither title nor abstract has, in any form: the more of them,
        the less it may be about the question at all.
    """

    record: Record
    score: float
    answers: list[Answer]
    lacks: list[str]


def search(
    collection: Collection,
    topics: Mapping[str, str],
    model: AnswerModel,
    moves: MoveModel | None = None,
    *,
    bm25: BM25 | None = None,
    depth: int = 10,
    labels: bool = True,
    progress: Progress | None = None,
) -> dict[str, list[Found]]:
    """Find abstracts for each topic, and rank each one's sentences.

    Parameters
    ----------
    collection : Collection
    topics : mapping of topic id to question
    model : AnswerModel
    moves : MoveModel, optional
        What tags. If None, the moves are those of the collection (`Collection.tagged`), or without
        labels, by which those were given, those of the model that comes with the package.
    bm25 : BM25, optional
    depth : int
        Abstracts of each topic.
    labels : bool
        Take the moves of structured abstracts from their labels.
    progress : callable, optional
        Gets the number of topics done, and of all.

    Returns
    -------
    dict of str to list of Found
        In BM25's order; empty for a topic that finds nothing, as one of stop words only.
    """
    run = Searcher(collection.abstracts, bm25 or BM25()).search(topics, k=depth)
    found: dict[str, list[Found]] = {}
    for topic, hits in run.items():
        records = collection.records(hits.ids.tolist())
        if moves or not labels:
            tagged = [tag_abstract(record, moves, labels=labels) for record in records]
        else:
            tagged = [[s for s in parts if s.n] for parts in collection.tagged(records)]
        found[topic] = [
            Found(
                record,
                float(score),
                judge_tagged(model, topics[topic], record, sentences),
                lacking(topics[topic], record, model.stopwords),
            )
            for record, sentences, score in zip(records, tagged, hits.scores, strict=True)
        ]
        if progress:
            progress(len(found), len(run))
    return found


def lacking(question: str, record: Record, stopwords: abc.Collection[str]) -> list[str]:
    """Give the words of a question that a record lacks, but for those of asking."""
    text = f"{record.title} {record.vernacular_title} {record.abstract}"
    had = set(terms(text, stopwords))
    words = dict.fromkeys(content_words(question, stopwords))
    return [word for word in words if stem(word) not in had and word not in _ASKING]


def merge(found: Sequence[Found]) -> Hits:
    """Put the sentences of a topic's abstracts into one order.

    A sentence's score is its own, times e to the power of `RELEVANCE` times its abstract's by BM25
    above the best abstract's.
    """
    best = max((one.score for one in found), default=0.0)
    scored = [
        (answer.id, answer.score * exp(RELEVANCE * (one.score - best)))
        for one in found
        for answer in one.answers
    ]
    return Hits.ranked([name for name, _ in scored], [score for _, score in scored])
