"""Questions put to an abstract or an index: a first stage finds abstracts, the model answers."""

import re
from collections import abc
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import log
from pathlib import Path
from typing import Any, Final

import numpy as np

from relsent_ir import models
from relsent_ir.answers.abstracts import (
    Wanted,
    is_general,
    other_forms,
    short_forms,
    shortened,
    wanted,
)
from relsent_ir.answers.asking import question_parts
from relsent_ir.answers.directions import Direction
from relsent_ir.answers.linear import SLOT_MOVES, SLOTS, Verdict
from relsent_ir.answers.model import AnswerModel, LinearModel
from relsent_ir.answers.sentence_features import feature_names, sentence_features, tag_abstract
from relsent_ir.answers.words import content_words, terms, token_spans
from relsent_ir.errors import MismatchError
from relsent_ir.executor import Executor, spread
from relsent_ir.feedback.wording import other_spellings
from relsent_ir.hit import Hit
from relsent_ir.hits import Hits, Run
from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.lucene.read.filters import Filters
from relsent_ir.lucene.read.search import Searcher
from relsent_ir.methods import BM25, Answers
from relsent_ir.moves import MoveModel
from relsent_ir.rank import Evidence, SentenceReranker, Span
from relsent_ir.records import Record, Sentence
from relsent_ir.text.names import american
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
        What it is the abstract's sentence for: ``finding`` (of RESULTS) or ``conclusion`` (of
        CONCLUSION); "" for neither.
    direction : Direction or None
        What it says to a question of yes or no, or to a statement: yes, no or unclear. Over an
        index only of the sentence by which an abstract with a star answers.
    answers : float
        Over an index, the probability that the abstract answers by it.
    rule : str
        Why it has the slot: ``answers``, as that by which the abstract answers, or ``likeliest``
        of those with the slot's move; "" without a slot.
    """

    id: str
    move: str
    score: float
    probability: float
    is_answer: bool
    text: str
    slot: str = ""
    direction: Direction | None = None
    answers: float = 0.0
    rule: str = ""


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
    return [
        replace(answer, direction=model.verdict(question, answer.text)) if answer.slot else answer
        for answer in _answers(verdict, tagged)
    ]


def _answers(verdict: Verdict, tagged: Sequence[Sentence]) -> list[Answer]:
    """Return the sentences with what the model says of them, the best first."""
    slots = {n: slot for slot, n in verdict.slots.items()}
    return [
        Answer(
            tagged[n].id,
            tagged[n].move,
            float(verdict.scores[n]),
            float(verdict.probabilities[n]),
            bool(verdict.answers[n]),
            tagged[n].text,
            slots.get(n, ""),
            rule="likeliest" if n in slots else "",
        )
        for n in verdict.order().tolist()
    ]


@dataclass(frozen=True)
class AbstractAnswers:
    """An abstract that was found for a question.

    Attributes
    ----------
    record : Record
    score : float
        The first stage's.
    answers : list of Answer
        All sentences, the best first.
    lacks : list of str
        Words of the question that neither title nor abstract has, in any form.
    probability : float
        That it answers the question at all: the only number to show beside a verdict.
    """

    record: Record
    score: float
    answers: list[Answer]
    lacks: list[str]
    probability: float = 1.0

    def of(self, slot: str) -> Answer | None:
        """Return the sentence of a slot, None without one."""
        return next((answer for answer in self.answers if answer.slot == slot), None)

    @property
    def starred(self) -> Answer | None:
        """The sentence by which the abstract answers, None without a star."""
        return next((answer for answer in self.answers if answer.is_answer), None)


def search(
    collection: Indexes,
    topics: Mapping[str, str],
    model: AnswerModel,
    moves: MoveModel | None = None,
    *,
    bm25: BM25 | None = None,
    run: Mapping[str, Hits] | None = None,
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
        Finds the abstracts; short and long forms of the question, as those define them, and other
        spellings find more.
    run : mapping of topic id to Hits, optional
        The abstracts of each topic, instead of BM25's.
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
        By the probability that the abstract answers; a sentence is an answer where that is at
        least the model's `least`, and `relsent_ir.answers.abstracts.may_answer` lets it. Empty for
        a topic that finds nothing, as one of stop words only.
    """
    results: dict[str, list[AbstractAnswers]] = {}
    stage = first_stage(collection, topics, bm25 or BM25(), run, depth, filters)
    for topic, hits, forms in stage:
        records = collection.records(hits.ids.tolist())
        if moves or not labels:
            tagged = [tag_abstract(record, moves, labels=labels) for record in records]
        else:
            tagged = bodies(collection, records)
        question = topics[topic]
        idf = frequencies(collection, question, forms)
        query = wanted(question, model.vectors, idf, forms)
        results[topic] = weigh(model, query, records, hits.scores.tolist(), tagged)
        if progress:
            progress(len(results), len(topics))
    return results


def first_stage(
    collection: Indexes,
    topics: Mapping[str, str],
    bm25: BM25,
    run: Mapping[str, Hits] | None,
    depth: int,
    filters: Filters | None = None,
) -> Iterator[tuple[str, Hits, tuple[tuple[str, str], ...]]]:
    """Yield each topic's abstracts, with the long and short forms of its question.

    A run's hits are taken as they are; BM25 is asked for other spellings too, and a second time
    where the question has other forms.
    """
    index = collection.abstracts
    searcher = Searcher(index, bm25, filters=filters)
    spelt = {t: " ".join((q, *other_spellings(q, index))) for t, q in topics.items()}
    found = searcher.search(spelt, k=depth) if run is None else run
    for topic, question in topics.items():
        hits = found[topic] if topic in found else Hits.ranked([], [])
        hits = Hits(hits.ids[:depth], hits.scores[:depth])
        records = collection.records(hits.ids.tolist())
        forms = short_forms(question, [record.abstract for record in records])
        if run is None and (more := other_forms(question, forms)):
            others = searcher.search({"": f"{spelt[topic]} {more}"}, k=depth)[""]
            hits = join(hits, others, depth)
        yield topic, hits, forms


def of_records(
    collection: Indexes, topics: Mapping[str, str], ids: Sequence[str]
) -> tuple[Run, list[str]]:
    """Return a run of given records for each topic, and the ids that the collection does not have.

    Raises
    ------
    MismatchError
        If it has none of them.
    """
    names = list(dict.fromkeys(ids))
    present = collection.abstracts.documents(names) >= 0
    known = [name for name, yes in zip(names, present, strict=True) if yes]
    unknown = [name for name, yes in zip(names, present, strict=True) if not yes]
    if not known:
        problem = f"none of these {len(names)} records is in the index: {_named(unknown)}"
        raise MismatchError(problem, fix="give ids of its records")
    hits = Hits(np.array(known, dtype=object), np.ones(len(known)))
    return Run((topic, hits) for topic in topics), unknown


def _named(ids: Sequence[str]) -> str:
    """Name the first few ids."""
    return ", ".join(ids[:3]) + (", …" if len(ids) > 3 else "")


KEPT: Final = 3
"""Hits of the first search that stay in front of those of the second."""


def join(first: Hits, others: Hits, depth: int) -> Hits:
    """Put the hits of two searches together: the first few of the first, then those of the other.

    Scores fall from the higher of the two highest to its half, in equal steps.
    """
    ids = [*first.ids[:KEPT], *others.ids, *first.ids[KEPT:]]
    names = list(dict.fromkeys(ids))[:depth]
    high = max(first.scores.max(initial=0.0), others.scores.max(initial=0.0))
    steps = high * (1 - 0.5 * np.arange(len(names)) / max(1, len(names)))
    return Hits(np.array(names, dtype=object), steps.astype(np.float64))


def frequencies(
    collection: Indexes, question: str, forms: Sequence[tuple[str, str]]
) -> dict[str, float]:
    """Return ln((N + 1) / (n + 1)) of a question's words in a collection of N abstracts.

    The words are those of `relsent_ir.answers.abstracts.wanted`.
    """
    index = collection.abstracts
    question = shortened(american(question, question), forms)
    terms_of = {
        word: analysed[0]
        for word in re.findall(r"[^\W_]+", question)
        if (analysed := index.facts.analysis.terms(word))
    }
    counts = index.frequencies(list(terms_of.values())).tolist() if terms_of else []
    total = len(index) + 1
    return {word: log(total / (n + 1)) for word, n in zip(terms_of, counts, strict=True)}


def weigh(
    model: AnswerModel,
    query: Wanted,
    records: Sequence[Record],
    scores: Sequence[float],
    tagged: Sequence[Sequence[Sentence]],
) -> list[AbstractAnswers]:
    """Judge the abstracts that were found for a question, and order them.

    Parameters
    ----------
    model : AnswerModel
    query : Wanted
        The question, as `relsent_ir.answers.abstracts.wanted` weighs it.
    records : sequence of Record
    scores : sequence of float
        The first stage's, in its order.
    tagged : sequence of sequence of Sentence
        Each one's sentences, without the title.
    """
    question, highest = query.question, max((*scores, 1e-9))
    abstracts = {}
    for record, parts, score in zip(records, tagged, scores, strict=True):
        verdict = model.judge(question, record.title or record.vernacular_title, parts)
        behind = (highest - score) / highest
        by, may = model.about(query, record, parts, verdict, behind)
        answers = _answers(verdict, parts)
        judged = {s.id: (bool(m), float(p)) for s, m, p in zip(parts, may, by, strict=True)}
        lacks = lacking(question, record, model.stopwords)
        found = _starred(model, question, answers, judged)
        best = max((p for _, p in judged.values()), default=0.0)
        own = next((a.answers for a in found if a.is_answer), best)
        abstracts[record.id] = AbstractAnswers(record, score, found, lacks, own)
    order = Hits.ranked(abstracts, [abstract.probability for abstract in abstracts.values()])
    return [abstracts[name] for name in order.ids]


def _starred(
    model: AnswerModel,
    question: str,
    answers: Sequence[Answer],
    judged: Mapping[str, tuple[bool, float]],
) -> list[Answer]:
    """Give the sentence by which an abstract answers a star, a verdict and the slot of its move.

    `judged` has of each sentence whether it may answer, and the probability that the abstract does.
    """
    best = max(answers, key=lambda answer: judged[answer.id], default=None)
    if best is None or not judged[best.id][0] or judged[best.id][1] < model.least:
        return [replace(a, is_answer=False, answers=judged[a.id][1]) for a in answers]
    shown = []
    for answer in answers:
        changed = replace(answer, is_answer=answer is best, answers=judged[answer.id][1])
        if answer is best:
            slot = dict(zip(SLOT_MOVES, SLOTS, strict=True)).get(answer.move, "")
            direction = model.verdict(question, answer.text)
            changed = replace(changed, slot=slot, rule="answers", direction=direction)
        elif answer.move == best.move:
            changed = replace(changed, slot="", rule="")
        shown.append(changed)
    return shown


def bodies(collection: Indexes, records: Sequence[Record]) -> list[list[Sentence]]:
    """Return the sentences of abstracts with their moves, without the titles."""
    return [[s for s in parts if s.n] for parts in collection.tagged(records)]


def lacking(question: str, record: Record, stopwords: abc.Collection[str]) -> list[str]:
    """Return the words of a question's subject and outcome that a record lacks.

    Words that ask, point up or down or are general, and single letters, do not count; "diarrhea"
    is "diarrhoea".
    """
    parts = question_parts(question)
    text = f"{record.title} {record.vernacular_title} {record.abstract}"
    had = set(content_words(american(text, question), stopwords))
    words = dict.fromkeys(content_words(f"{parts.intervention} {parts.outcome}", stopwords))
    known = {word: american(word, word) for word in words if len(word) > 1 and not is_general(word)}
    lacks = [word for word, form in known.items() if form not in had]
    stems = {stem(word) for word in had} if lacks else had
    return [word for word in lacks if stem(known[word]) not in stems]


def question_spans(question: str, text: str, stopwords: abc.Collection[str]) -> tuple[Span, ...]:
    """Find the words of a question in a text, in any form."""
    wanted = set(terms(american(question, question), stopwords))
    return tuple(
        Span(start, end, "question")
        for start, end, word in token_spans(text, stopwords)
        if stem(american(word, question)) in wanted
    )


def answer_hit(
    abstract: AbstractAnswers, answer: Answer, spans: tuple[Span, ...], *, searched: bool = True
) -> Hit:
    """Return a sentence of an abstract as a hit, its star that of an answer.

    Its values are ``slot``, ``rule``, ``score``, ``probability`` (that the abstract answers by it;
    where nothing was searched, that it is the abstract's answer), ``answer`` and ``verdict`` (yes,
    no or unclear, of an answer to a question of yes or no; else "").
    """
    values = {
        "slot": answer.slot,
        "rule": answer.rule,
        "score": answer.score,
        "probability": answer.answers if searched else answer.probability,
        "answer": answer.is_answer,
        "verdict": answer.direction.label if answer.direction else "",
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
        It comes from an index: its own probability and the first stage's score are among the
        values.
    """
    record = abstract.record
    values: dict[str, Any] = {}
    if searched:
        values = {
            "probability": round(abstract.probability, 4),
            "first stage": float(f"{abstract.score:.6g}"),
        }
    values["missing words"] = abstract.lacks
    if not abstract.answers:
        values["abstract"] = "missing"
    best = max((answer.probability for answer in abstract.answers), default=0.0)
    score = abstract.probability if searched else best
    hit = Hit(rank, record.id, score, record, values=values)
    slots = (method.slot,) if method.slot else SLOTS
    chosen = [answer for answer in abstract.answers if answer.slot in slots]
    chosen.sort(key=lambda answer: not answer.is_answer)
    if method.sentences:
        chosen = abstract.answers[: method.sentences]
    sentences = []
    for answer in chosen:
        spans = question_spans(question, answer.text, model.stopwords)
        sentences.append(answer_hit(abstract, answer, spans, searched=searched))
    if sentences:
        first, told = sentences[0], tuple(map(_labelled, sentences))
        hit = replace(hit, sentence=first.sentence, evidence=first.evidence, sentences=told)
    return replace(
        hit,
        marks=question_spans(question, hit.text, model.stopwords),
        star=abstract.starred is not None,
    )


def _labelled(hit: Hit) -> tuple[str, Hit]:
    """Put what a sentence answers before it, and round its values."""
    told = hit.values
    slot = f"{told['slot']} [{told['verdict']}]" if told["verdict"] else told["slot"]
    rounded = {n: round(v, 4) if isinstance(v, float) else v for n, v in told.items()}
    return f"{'*' if hit.star else ' '} {slot}".rstrip(), replace(hit, values=rounded)


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
