"""Questions put to an abstract, or to an index: BM25 finds abstracts, the model their sentences."""

from collections import abc
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Final, TypedDict

import numpy as np

from relsent_ir import models
from relsent_ir.answers.directions import Direction
from relsent_ir.answers.linear import SLOTS
from relsent_ir.answers.model import AnswerModel, LinearModel
from relsent_ir.answers.sentence_features import feature_names, sentence_features, tag_abstract
from relsent_ir.answers.words import ASKING, content_words, terms, token_spans
from relsent_ir.executor import Executor, spread
from relsent_ir.hit import Hit
from relsent_ir.hits import Hits, Run
from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.lucene.read.filters import Filters
from relsent_ir.lucene.read.search import Searcher
from relsent_ir.methods import BM25, Answers
from relsent_ir.moves import MoveModel
from relsent_ir.rank import Evidence, SentenceReranker, Span
from relsent_ir.records import Record, Sentence
from relsent_ir.text.words import stem
from relsent_ir.typing import Floats, Progress


@dataclass(frozen=True, slots=True)
class Answer:
    """A sentence that may answer.

    Attributes
    ----------
    id : str
        Record id, dot, number of the sentence.
    move : str
    score : float
        By which it is ranked within its abstract.
    probability : float
        That it is an answer.
    is_answer : bool
        Whether the model takes it for one.
    text : str
    slot : str
        What it is the abstract's best sentence for, ``finding`` or ``conclusion``; "" for neither.
    direction : Direction or None
        Which way it points, if it has a slot.
    """

    id: str
    move: str
    score: float
    probability: float
    is_answer: bool
    text: str
    slot: str = ""
    direction: Direction | None = None


def find_answers(
    model: AnswerModel,
    question: str,
    record: Record,
    moves: MoveModel | None = None,
    *,
    labels: bool = True,
) -> list[Answer]:
    """Rank the sentences of an abstract, the best answer first.

    Parameters
    ----------
    model : AnswerModel
    question : str
        If it is empty, or has function words only, nothing matches it, and what a sentence says
        as answers do decides.
    record : Record
        Without an abstract there is no sentence. Without a title nothing is similar to it.
    moves : MoveModel, optional
        The one that comes with the package if None.
    labels : bool
        Take the moves of a structured abstract from its labels.
    """
    return judge_tagged(model, question, record, tag_abstract(record, moves, labels=labels))


def judge_tagged(
    model: AnswerModel, question: str, record: Record, tagged: Sequence[Sentence]
) -> list[Answer]:
    """Work as `find_answers` with sentences of the abstract whose moves are known."""
    verdict = model.judge(question, record.title or record.vernacular_title, tagged)
    slots = {n: slot for slot, n in verdict.slots.items()}
    answers = []
    for n in verdict.order().tolist():
        slot, sentence = slots.get(n, ""), tagged[n]
        answers.append(
            Answer(
                sentence.id,
                sentence.move,
                float(verdict.scores[n]),
                float(verdict.probabilities[n]),
                bool(verdict.answers[n]),
                sentence.text,
                slot,
                model.direction(question, sentence.text, slot) if slot else None,
            )
        )
    return answers


@dataclass(frozen=True)
class AbstractAnswers:
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
        """Return the sentence of a slot, None without one."""
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
) -> dict[str, list[AbstractAnswers]]:
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
    dict of str to list of AbstractAnswers
        By the probability that the abstract answers, times that of its best sentence; a sentence
        is an answer where that is at least the model's `least`, and the intervention is not
        missing. Empty for a topic that finds nothing, as one of stop words only.
    """
    searcher = Searcher(collection.abstracts, bm25 or BM25(), filters=filters)
    run = searcher.search(topics, k=depth)
    results: dict[str, list[AbstractAnswers]] = {}
    for topic, hits in run.items():
        records = collection.records(hits.ids.tolist())
        if moves or not labels:
            tagged = [tag_abstract(record, moves, labels=labels) for record in records]
        else:
            tagged = bodies(collection, records)
        results[topic] = weigh(model, topics[topic], records, hits.scores.tolist(), tagged)
        if progress:
            progress(len(results), len(run))
    return results


def weigh(
    model: AnswerModel,
    question: str,
    records: Sequence[Record],
    scores: Sequence[float],
    tagged: Sequence[Sequence[Sentence]],
) -> list[AbstractAnswers]:
    """Judge the abstracts that were found for a question, and order them."""
    judged = [
        judge_tagged(model, question, record, parts)
        for record, parts in zip(records, tagged, strict=True)
    ]
    best = [max((a.probability for a in answers), default=0.0) for answers in judged]
    probabilities, there = model.about(question, records, tagged, scores, best)
    abstracts = {}
    for n, (record, answers, own) in enumerate(zip(records, judged, there.tolist(), strict=True)):
        p = float(probabilities[n])
        shown = [
            replace(a, is_answer=a is answers[0] and own and p * a.probability >= model.least)
            for a in answers
        ]
        lacks = lacking(question, record, model.stopwords)
        abstracts[record.id] = AbstractAnswers(record, scores[n], shown, lacks, p)
    order = Hits.ranked(abstracts.keys(), probabilities * np.array(best))
    return [abstracts[name] for name in order.ids]


def pooled(abstracts: Sequence[AbstractAnswers], slot: str) -> dict[str, list[Answer]]:
    """Sort the sentences of a slot, of the abstracts that answer, by their direction.

    Returns
    -------
    dict of str to list of Answer
        The most frequent direction first; ``""`` for those that are not sure.
    """
    by_label: dict[str, list[Answer]] = {}
    for abstract in abstracts:
        answer = abstract.of(slot)
        if answer and answer.direction and any(a.is_answer for a in abstract.answers):
            label = answer.direction.label if answer.direction.sure else ""
            by_label.setdefault(label, []).append(answer)
    return dict(sorted(by_label.items(), key=lambda item: (item[0] == "", -len(item[1]), item[0])))


class AnswerFacts(TypedDict):
    """What is said of a question's abstracts together.

    Attributes
    ----------
    slot : str
        The sentence that the question wants.
    directions : dict of str to list of str
        The ids of `pooled` answers by their direction.
    """

    slot: str
    directions: dict[str, list[str]]


def describe_answers(
    model: AnswerModel,
    question: str,
    abstracts: Sequence[AbstractAnswers],
    method: Answers,
    *,
    searched: bool = True,
) -> tuple[list[Hit], AnswerFacts]:
    """Return abstracts as hits, in their order, and what they say together.

    Parameters are those of `abstract_hit`.
    """
    slot = method.slot or model.wanted(question)
    directions = {label: [a.id for a in some] for label, some in pooled(abstracts, slot).items()}
    hits = [
        abstract_hit(model, question, rank, abstract, method, searched=searched)
        for rank, abstract in enumerate(abstracts, 1)
    ]
    return hits, {"slot": slot, "directions": directions}


def bodies(collection: Indexes, records: Sequence[Record]) -> list[list[Sentence]]:
    """Return the sentences of abstracts with their moves, without the titles."""
    return [[s for s in parts if s.n] for parts in collection.tagged(records)]


def lacking(question: str, record: Record, stopwords: abc.Collection[str]) -> list[str]:
    """Return the words of a question that a record lacks, but for those of asking."""
    text = f"{record.title} {record.vernacular_title} {record.abstract}"
    had = set(terms(text, stopwords))
    words = dict.fromkeys(content_words(question, stopwords))
    return [word for word in words if stem(word) not in had and word not in ASKING]


def question_spans(question: str, text: str, stopwords: abc.Collection[str]) -> tuple[Span, ...]:
    """Find the words of a question in a text, in any form."""
    wanted = set(terms(question, stopwords))
    return tuple(
        Span(start, end, "question")
        for start, end, word in token_spans(text, stopwords)
        if stem(word) in wanted
    )


def answer_hit(abstract: AbstractAnswers, answer: Answer, spans: tuple[Span, ...]) -> Hit:
    """Return a sentence of an abstract as a hit, its star that of an answer.

    Its values are ``slot``, ``score``, ``probability``, ``answer``, ``direction`` ("" where it is
    not sure) and ``direction_probability``.
    """
    direction = answer.direction
    values = {
        "slot": answer.slot,
        "score": answer.score,
        "probability": answer.probability,
        "answer": answer.is_answer,
        "direction": direction.label if direction and direction.sure else "",
        "direction_probability": direction.probability if direction else 0.0,
    }
    number = int(answer.id.rpartition(".")[2])
    return Hit(
        rank=abstract.answers.index(answer) + 1,
        id=answer.id,
        score=answer.score,
        record=abstract.record,
        sentence=Sentence(abstract.record.id, number, answer.text, answer.move),
        evidence=Evidence(answer.id, answer.text, spans),
        values=values,
        marks=spans,
        star=answer.is_answer,
    )


def abstract_hit(
    model: AnswerModel,
    question: str,
    rank: int,
    abstract: AbstractAnswers,
    method: Answers,
    *,
    searched: bool = True,
) -> Hit:
    """Return an abstract as a hit with its sentences; its star is that of its best one.

    Parameters
    ----------
    model : AnswerModel
    question : str
    rank : int
    abstract : AbstractAnswers
    method : Answers
        Which sentences there are: those of both slots, of one, or the best few.
    searched : bool
        It comes from an index: its own probability and BM25's score are among the values.
    """
    record = abstract.record
    values: dict[str, Any] = {}
    if searched:
        values = {
            "probability": round(abstract.probability, 4),
            "bm25": float(f"{abstract.score:.6g}"),
        }
    values["missing words"] = abstract.lacks
    if not abstract.answers:
        values["abstract"] = "missing"
    best = max((answer.probability for answer in abstract.answers), default=0.0)
    hit = Hit(rank, record.id, abstract.probability * best, record, values=values)
    slots = (method.slot,) if method.slot else SLOTS
    chosen = [answer for answer in abstract.answers if answer.slot in slots]
    if method.sentences:
        chosen = abstract.answers[: method.sentences]
    sentences = [
        answer_hit(abstract, answer, question_spans(question, answer.text, model.stopwords))
        for answer in chosen
    ]
    if sentences:
        first, told = sentences[0], tuple(map(_labelled, sentences))
        hit = replace(hit, sentence=first.sentence, evidence=first.evidence, sentences=told)
    return replace(
        hit,
        marks=question_spans(question, hit.text, model.stopwords),
        star=any(answer.is_answer for answer in abstract.answers),
    )


def _labelled(hit: Hit) -> tuple[str, Hit]:
    """Put what a sentence answers before it, and round its values."""
    told = hit.values
    slot = f"{told['slot']} [{told['direction']}]" if told["direction"] else told["slot"]
    label = f"{'*' if hit.star else ' '} {told['probability']:.2f}  {slot}".rstrip()
    rounded = {n: round(v, 4) if isinstance(v, float) else v for n, v in told.items()}
    return label, replace(hit, values=rounded)


def merge(abstracts: Sequence[AbstractAnswers]) -> Hits:
    """Put the sentences of a topic's abstracts into one order: by both probabilities' product.

    Ties by the record's id, then by the place in the abstract.
    """
    scored = sorted(
        (
            -abstract.probability * a.probability,
            abstract.record.id.encode(),
            int(a.id.rpartition(".")[2]),
            a.id,
        )
        for abstract in abstracts
        for a in abstract.answers
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
) -> dict[str, list[AbstractAnswers]]:
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
) -> Callable[[dict[str, str]], dict[str, list[AbstractAnswers]]]:
    collection, model = Indexes(index), models.load(folder, "answers")
    return lambda topics: search(collection, topics, model, **settings)


MOST: Final = 10
"""Features that are named."""


def reasons(
    model: AnswerModel, question: str, title: str, tagged: Sequence[Sentence], n: int, slot: str
) -> list[tuple[str, float]]:
    """Return what sets a sentence apart from the others of its abstract, the weightiest first.

    A slot's score is a sum over the features of the linear model; here each one's part of it is
    given, less its mean over the abstract's sentences.

    Parameters
    ----------
    model : AnswerModel
        Of one that is not linear there are no reasons.
    question, title : str
    tagged : sequence of Sentence
        All sentences of the abstract.
    n : int
        Which of them, from 0.
    slot : str
        One of `relsent_ir.answers.linear.SLOTS`.
    """
    if not isinstance(model, LinearModel):
        return []
    features = sentence_features(question, title, tagged, model.vectors, model.related)
    step = model.weights.slots[SLOTS.index(slot)]
    parts = (features / step.deviation) * step.weights
    own = parts[n] - parts.mean(axis=0)
    best = np.argsort(-np.abs(own), kind="stable")[:MOST]
    names = feature_names(model.related)
    return [(names[i], float(own[i])) for i in best.tolist() if own[i]]


class AnswerReranker(SentenceReranker):
    """Scores the sentences of abstracts by the probability that they answer the topic.

    A sentence is judged among all of its abstract, with the moves that the index stores. Titles,
    and records without an abstract, have no score.

    Parameters
    ----------
    model : str, Path or AnswerModel
        ``answers``, the model that comes with the package; the folder of another; or a model.
    """

    def __init__(self, model: str | Path | AnswerModel = "answers") -> None:
        if isinstance(model, AnswerModel):
            self.model = model
        else:
            name = None if str(model) == "answers" else model
            self.model = models.load(name, "answers")

    def score(
        self,
        collection: Indexes,
        run: Run,
        topics: Mapping[str, str],
        parts: Mapping[str, tuple[Sentence, ...]],
    ) -> Iterator[Floats]:
        """Judge the abstracts of all hits."""
        owners = {name: sentences[0].record for name, sentences in parts.items()}
        records = collection.records(list(dict.fromkeys(owners.values())))
        pairs = zip(records, bodies(collection, records), strict=True)
        abstracts = {record.id: (record, body) for record, body in pairs}
        for topic, hits in run.items():
            judged: dict[str, Floats] = {}
            for name in dict.fromkeys(owners[hit] for hit in hits.ids):
                record, body = abstracts[name]
                title = record.title or record.vernacular_title
                probabilities = self.model.judge(topics[topic], title, body).probabilities
                judged[name] = np.append(np.nan, probabilities)
            scores = [judged[owners[n]][[s.n for s in parts[n]]] for n in hits.ids]
            yield np.concatenate(scores) if scores else np.zeros(0)

    def evidence(self, collection: Indexes, topic: str, hits: Hits) -> list[Evidence]:
        """Return the sentence that answers each hit best, and the words of the question in it."""
        passages = collection.read(hits.ids.tolist())
        evidence = []
        for passage, body in zip(
            passages, bodies(collection, [p.record for p in passages]), strict=True
        ):
            record, numbers = passage.record, {s.n for s in passage.sentences}
            verdict = self.model.judge(topic, record.title or record.vernacular_title, body)
            shown = [i for i, sentence in enumerate(body) if sentence.n in numbers]
            if not shown:
                evidence.append(Evidence())
                continue
            best = max(shown, key=lambda i: verdict.probabilities[i])
            values: dict[str, str | float | list[str]] = {
                "move": body[best].move,
                "probability": float(verdict.probabilities[best]),
                "missing words": lacking(topic, record, self.model.stopwords),
            }
            text = body[best].text
            spans = question_spans(topic, text, self.model.stopwords)
            evidence.append(Evidence(body[best].id, text, spans, values))
        return evidence
