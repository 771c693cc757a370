"""Questions put to an index: BM25 finds the abstracts, the model their sentences."""

from collections import abc
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np

from relsent_ir import models
from relsent_ir.answers.finding import Answer, judge_tagged
from relsent_ir.answers.model import AnswerModel
from relsent_ir.answers.words import ASKING, content_words, terms, token_spans
from relsent_ir.answers.zones import tag_abstract
from relsent_ir.executor import Executor, spread
from relsent_ir.hits import Hits
from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.lucene.read.filters import Filters
from relsent_ir.lucene.read.search import BM25, Searcher
from relsent_ir.moves import MoveModel
from relsent_ir.rank import Span
from relsent_ir.records import Record, Sentence
from relsent_ir.text.words import stem
from relsent_ir.typing import Progress


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
        Words of the question that neither title nor abstract has, in any form.
    probability : float
        That it answers the question at all.
    """

    record: Record
    score: float
    answers: list[Answer]
    lacks: list[str]
    probability: float = 1.0

    def of(self, slot: str) -> Answer | None:
        """The sentence of a slot, None without one."""
        return next((answer for answer in self.answers if answer.slot == slot), None)


def search(
    collection: Indexes,
    topics: Mapping[str, str],
    model: AnswerModel,
    moves: MoveModel | None = None,
    *,
    bm25: BM25 | None = None,
    depth: int = 10,
    labels: bool = True,
    filters: Filters | None = None,
    progress: Progress | None = None,
) -> dict[str, list[Found]]:
    """Find abstracts for each topic, and rank each one's sentences.

    Parameters
    ----------
    collection : Indexes
    topics : mapping of topic id to question
    model : AnswerModel
    moves : MoveModel, optional
        What tags. If None, the moves are those of the collection (`Indexes.tagged`), or without
        labels, by which those were given, those of the model that comes with the package.
    bm25 : BM25, optional
    depth : int
        Abstracts of each topic.
    labels : bool
        Take the moves of structured abstracts from their labels.
    filters : Filters, optional
        What an abstract must have; moves are of sentences, and refused.
    progress : callable, optional
        Gets the number of topics done, and of all.

    Returns
    -------
    dict of str to list of Found
        By the probability that the abstract answers, times that of its best sentence; a sentence
        is an answer where that is at least the model's `least`, and the intervention is not
        missing. Empty for a topic that finds nothing, as one of stop words only.
    """
    searcher = Searcher(collection.abstracts, bm25 or BM25(), filters=filters)
    run = searcher.search(topics, k=depth)
    found: dict[str, list[Found]] = {}
    for topic, hits in run.items():
        records = collection.records(hits.ids.tolist())
        if moves or not labels:
            tagged = [tag_abstract(record, moves, labels=labels) for record in records]
        else:
            tagged = bodies(collection, records)
        found[topic] = weigh(model, topics[topic], records, hits.scores.tolist(), tagged)
        if progress:
            progress(len(found), len(run))
    return found


def weigh(
    model: AnswerModel,
    question: str,
    records: Sequence[Record],
    scores: Sequence[float],
    tagged: Sequence[Sequence[Sentence]],
) -> list[Found]:
    """Judge the abstracts that were found for a question, and order them."""
    judged = [
        judge_tagged(model, question, record, parts)
        for record, parts in zip(records, tagged, strict=True)
    ]
    best = [max((a.probability for a in answers), default=0.0) for answers in judged]
    probabilities, there = model.about(question, records, tagged, scores, best)
    found = [
        Found(
            record,
            score,
            [
                replace(
                    a,
                    is_answer=a is answers[0] and own and p * a.probability >= model.least,
                )
                for a in answers
            ],
            lacking(question, record, model.stopwords),
            p,
        )
        for record, score, answers, p, own in zip(
            records, scores, judged, probabilities.tolist(), there.tolist(), strict=True
        )
    ]
    order = Hits.ranked([one.record.id for one in found], probabilities * np.array(best))
    by_id = {one.record.id: one for one in found}
    return [by_id[name] for name in order.ids]


def pooled(found: Sequence[Found], slot: str) -> dict[str, list[Answer]]:
    """Sort the sentences of a slot, of the abstracts that answer, by their direction.

    Returns
    -------
    dict of str to list of Answer
        The most frequent direction first; ``""`` for those that are not sure.
    """
    by_label: dict[str, list[Answer]] = {}
    for one in found:
        answer = one.of(slot)
        if answer and answer.direction and any(a.is_answer for a in one.answers):
            label = answer.direction.label if answer.direction.sure else ""
            by_label.setdefault(label, []).append(answer)
    return dict(sorted(by_label.items(), key=lambda item: (item[0] == "", -len(item[1]), item[0])))


def bodies(collection: Indexes, records: Sequence[Record]) -> list[list[Sentence]]:
    """Give the sentences of abstracts with their moves, without the titles."""
    return [[s for s in parts if s.n] for parts in collection.tagged(records)]


def lacking(question: str, record: Record, stopwords: abc.Collection[str]) -> list[str]:
    """Give the words of a question that a record lacks, but for those of asking."""
    text = f"{record.title} {record.vernacular_title} {record.abstract}"
    had = set(terms(text, stopwords))
    words = dict.fromkeys(content_words(question, stopwords))
    return [word for word in words if stem(word) not in had and word not in ASKING]


def question_spans(question: str, text: str, stopwords: abc.Collection[str]) -> tuple[Span, ...]:
    """Find the words of a question in a text, in any form."""
    asked = set(terms(question, stopwords))
    return tuple(
        Span(start, end, "question")
        for start, end, word in token_spans(text, stopwords)
        if stem(word) in asked
    )


def merge(found: Sequence[Found]) -> Hits:
    """Put the sentences of a topic's abstracts into one order: by both probabilities' product.

    Ties by the record's id, then by the place in the abstract.
    """
    scored = sorted(
        (
            -one.probability * a.probability,
            one.record.id.encode(),
            int(a.id.rpartition(".")[2]),
            a.id,
        )
        for one in found
        for a in one.answers
    )
    ids = np.array([name for *_, name in scored], dtype=object)
    return Hits(ids, np.array([-score for score, *_ in scored], dtype=np.float64))


TOGETHER: Final = 32
"""Questions that are answered by one process at a time."""


def answered(
    index: Path,
    model: Path | None,
    topics: Mapping[str, str],
    executor: Executor,
    progress: Progress | None = None,
    **settings: Any,
) -> dict[str, list[Found]]:
    """Find abstracts for each topic, and rank each one's sentences, as `search` does.

    Parameters
    ----------
    index : Path
    model : Path or None
        A model's folder; the one that comes with the package if None.
    topics : mapping of topic id to question
    executor : Executor
    progress : callable, optional
        Gets the number of topics done, and of all.
    **settings
        Of `search`.
    """
    folder = model.absolute() if model and model.exists() else model
    make = partial(_answering, index.absolute(), folder, settings)
    return spread(executor, make, topics, TOGETHER, progress)


def _answering(
    index: Path, folder: Path | None, settings: Mapping[str, Any]
) -> Callable[[dict[str, str]], dict[str, list[Found]]]:
    collection, model = Indexes(index), models.load(folder, "answers")
    return lambda topics: search(collection, topics, model, **settings)
