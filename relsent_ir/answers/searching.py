"""Answer questions from an abstract or an index: a first stage finds abstracts, a model judges."""

from collections import abc
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from relsent_ir import models
from relsent_ir.answers.abstracts import QueryWords, lacking, query_words
from relsent_ir.answers.classifiers import SLOT_MOVES, SLOTS, Verdict
from relsent_ir.answers.directions import Direction
from relsent_ir.answers.language import Question, cached_terms, parse, token_spans
from relsent_ir.answers.model import AnswerModel
from relsent_ir.answers.sentence_features import tag_abstract
from relsent_ir.answers.stage import first_stage, frequencies
from relsent_ir.errors import MismatchError
from relsent_ir.executor import Executor, spread
from relsent_ir.hits import Hits, Run
from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.lucene.read.filters import Filters
from relsent_ir.methods import Answers
from relsent_ir.rank import Evidence, SentenceReranker, Span
from relsent_ir.records import Record, Sentence
from relsent_ir.records.fields import RETRACTED
from relsent_ir.text.words import stem
from relsent_ir.typing import Floats, Progress

if TYPE_CHECKING:
    from relsent_ir.rank import Collection


@dataclass(frozen=True, slots=True)
class Answer:
    """A sentence that may answer.

    Attributes
    ----------
    id : str
        Record id, dot, number of the sentence.
    move : str
    score : float
        For the rank within its abstract.
    probability : float
        Probability that it is an answer.
    is_answer : bool
        Whether the model regards it as one.
    text : str
    slot : str
        The slot whose best sentence it is: ``finding`` (of RESULTS) or ``conclusion`` (of
        CONCLUSION); "" for neither.
    direction : Direction or None
        Its verdict on a yes/no question or a statement: yes, no or unclear. In a search, only the
        sentence by which an abstract answers has one.
    answers : float
        In a search, the probability that the abstract answers by it.
    rule : str
        Why it has the slot: ``answers``, as the sentence by which the abstract answers, or
        ``likeliest`` among those with the slot's move; "" without a slot.
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
    model: AnswerModel, question: str, record: Record, *, labels: bool = True
) -> list[Answer]:
    """Rank the sentences of an abstract, the best answer first.

    Parameters
    ----------
    model : AnswerModel
    question : str
        If it is empty or has only function words, nothing matches it, and the features without a
        question decide.
    record : Record
        Without an abstract it has no sentences; without a title, similarities to it are 0.
    labels : bool
        Take the moves of a structured abstract from its labels.
    """
    asked, tagged = parse(question), tag_abstract(record, labels=labels)
    verdict = model.judge(asked, record.title or record.vernacular_title, tagged)
    return _answers(model, asked, tagged, verdict)


def _answers(
    model: AnswerModel,
    question: Question,
    tagged: Sequence[Sentence],
    verdict: Verdict,
    shares: Sequence[float] = (),
    says: int | None = None,
) -> list[Answer]:
    """Return the sentences with the model's judgement, the best first.

    In a search each has its probability that the abstract answers by it, and only the sentence by
    which the abstract answers, `says`, has a verdict and the star; it takes the slot of its move.
    """
    slots = {n: slot for slot, n in verdict.slots.items()}
    places = ([] if says is None else [says]) if shares else slots
    least = 0.0 if shares else None
    verdicts = {n: model.verdict(question, tagged[n].text, least) for n in places}
    stars = verdict.answers.tolist()
    if shares:
        stars = [False] * len(tagged)
    if says is not None:
        stars[says] = True
        slots = {n: slot for n, slot in slots.items() if tagged[n].move != tagged[says].move}
        slots[says] = dict(zip(SLOT_MOVES, SLOTS, strict=True)).get(tagged[says].move, "")
    rules = {n: "answers" if n == says else "likeliest" for n in slots}
    scores, probabilities = verdict.scores.tolist(), verdict.probabilities.tolist()
    return [
        Answer(
            tagged[n].id,
            tagged[n].move,
            scores[n],
            probabilities[n],
            stars[n],
            tagged[n].text,
            slots.get(n, ""),
            verdicts.get(n),
            shares[n] if shares else 0.0,
            rules.get(n, ""),
        )
        for n in verdict.order().tolist()
    ]


@dataclass(frozen=True)
class AbstractAnswers:
    """An abstract of the first stage, with its sentences as answers.

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
        Probability that it answers the question at all: the only number to show beside a verdict.
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
    *,
    method: Answers = Answers(),
    run: Mapping[str, Hits] | None = None,
    depth: int = 10,
    filters: Filters | None = None,
    progress: Progress | None = None,
) -> dict[str, list[AbstractAnswers]]:
    """Find abstracts for each topic, and rank their sentences.

    Parameters
    ----------
    collection : Indexes
    topics : mapping of topic id to question
    model : AnswerModel
    method : Answers
        The first stage and its parameters, and whether moves are the collection's
        (`Indexes.tagged`) or, without labels, the packaged model's.
    run : mapping of topic id to Hits, optional
        Each topic's abstracts, instead of those of `relsent_ir.answers.stage.first_stage`.
    depth : int
        Number of abstracts for each topic.
    filters : Filters, optional
        Conditions on abstracts; a condition on moves, which sentences have, is refused.
    progress : callable, optional
        Gets the number of topics done, and of all.

    Returns
    -------
    dict of str to list of AbstractAnswers
        In the order of the probability that the abstract answers. Its likeliest sentence is an
        answer if that is at least the model's `least`; of a question that yes or no does not
        answer, only that of the likeliest abstract, if it is at least `LIKELY`. Empty for a topic
        without hits, such as one of stop words.
    """
    results: dict[str, list[AbstractAnswers]] = {}
    stage = first_stage(collection, topics, model.vectors, method, depth, filters, run)
    for topic, hits, forms in stage:
        records = collection.records(hits.ids.tolist())
        if method.ignore_labels:
            tagged = [tag_abstract(record, labels=False) for record in records]
        else:
            tagged = bodies(collection, records)
        question = parse(topics[topic])
        idf = frequencies(collection, question, forms)
        query = query_words(question, model.vectors, idf, forms)
        results[topic] = weigh(model, query, records, hits.scores.tolist(), tagged)
        if progress:
            progress(len(results), len(topics))
    return results


def of_records(
    collection: Indexes, topics: Mapping[str, str], ids: Sequence[str]
) -> tuple[Run, list[str]]:
    """Return a run of the same records for each topic, and the ids missing from the collection.

    Raises
    ------
    MismatchError
        If all of them are missing.
    """
    names = np.array(list(dict.fromkeys(ids)), dtype=object)
    present = collection.abstracts.documents(names.tolist()) >= 0
    missing = names[~present].tolist()
    if not present.any():
        first = ", ".join(missing[:3]) + (", …" if len(missing) > 3 else "")
        problem = f"none of these {len(names)} records is in the index: {first}"
        raise MismatchError(problem, fix="give ids of its records")
    hits = Hits(names[present], np.ones(present.sum()))
    return Run((topic, hits) for topic in topics), missing


LIKELY: Final = 0.15
"""The least probability of the one answer to a question that yes or no does not answer."""


def weigh(
    model: AnswerModel,
    query: QueryWords,
    records: Sequence[Record],
    scores: Sequence[float],
    tagged: Sequence[Sequence[Sentence]],
) -> list[AbstractAnswers]:
    """Judge the abstracts of the first stage, and order them.

    Parameters
    ----------
    model : AnswerModel
    query : QueryWords
        The question's words, weighed by `relsent_ir.answers.abstracts.query_words`.
    records : sequence of Record
    scores : sequence of float
        The first stage's, in its order.
    tagged : sequence of sequence of Sentence
        The sentences of each abstract, without the title.
    """
    question, highest = query.question, max((*scores, 1e-9))
    judged = []
    for record, parts, score in zip(records, tagged, scores, strict=True):
        verdict = model.judge(question, record.title or record.vernacular_title, parts)
        shares = model.about(query, record, parts, verdict, (highest - score) / highest).tolist()
        judged.append((record, parts, score, verdict, shares, max(shares, default=0.0)))
    best = max((probability for *_, probability in judged), default=0.0)
    abstracts = {}
    for record, parts, score, verdict, shares, probability in judged:
        least = model.least(query, record)
        if not question.claims:  # only the likeliest abstract gets a star
            least = max(min(least, LIKELY), best)
        answering = bool(shares) and probability >= least
        answering &= RETRACTED not in record.publication_types
        says = shares.index(probability) if answering else None
        answers = _answers(model, question, parts, verdict, shares, says)
        lacks = lacking(question, record, model.stopwords)
        abstracts[record.id] = AbstractAnswers(record, score, answers, lacks, probability)
    order = Hits.ranked(abstracts, [abstract.probability for abstract in abstracts.values()])
    return [abstracts[name] for name in order.ids]


def bodies(collection: Indexes, records: Sequence[Record]) -> list[list[Sentence]]:
    """Return the sentences of abstracts with their moves, without the titles."""
    return [[s for s in parts if s.n] for parts in collection.tagged(records)]


def question_spans(
    question: Question, text: str, stopwords: abc.Collection[str]
) -> tuple[Span, ...]:
    """Find the words of a question in a text, in any form."""
    stems = cached_terms(question.spelled, frozenset(stopwords))
    return tuple(
        Span(start, end, "question")
        for start, end, word in token_spans(text, stopwords)
        if stem(question.spell(word)) in stems
    )


def merge(abstracts: Sequence[AbstractAnswers]) -> Hits:
    """Rank the sentences of a topic's abstracts together, by the product of both probabilities.

    Ties go by the record's id, then by the place in the abstract.
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
"""Questions that a process gets at a time."""


def answer_topics(
    index: Path,
    model: Path | None,
    topics: Mapping[str, str],
    executor: Executor,
    progress: Progress | None = None,
    **settings: Any,
) -> dict[str, list[AbstractAnswers]]:
    """Find abstracts for each topic, and rank their sentences, as `search` does, in parallel.

    Parameters
    ----------
    index : Path
    model : Path or None
        A model's folder; the packaged model if None.
    topics : mapping of topic id to question
    executor : Executor
    progress : callable, optional
        Gets the number of topics done, and of all.
    **settings
        Arguments of `search`.
    """
    folder = model.absolute() if model and model.exists() else model
    make = partial(_answering, index.absolute(), folder, settings)
    return spread(executor, make, topics, TOGETHER, progress)


def _answering(
    index: Path, folder: Path | None, settings: Mapping[str, Any]
) -> Callable[[dict[str, str]], dict[str, list[AbstractAnswers]]]:
    collection, model = Indexes(index), models.load(folder, "answers")
    return lambda topics: search(collection, topics, model, **settings)


class AnswerReranker(SentenceReranker):
    """Reranks sentences by the probability that they answer the topic.

    Each sentence is judged among all of its abstract, with the moves that the index stores. Titles,
    and records without an abstract, have no score.

    Parameters
    ----------
    model : str, Path or AnswerModel
        ``answers``, the packaged model; the folder of another; or a model.
    """

    def __init__(self, model: str | Path | AnswerModel = "answers") -> None:
        if isinstance(model, AnswerModel):
            self.model = model
        else:
            name = None if str(model) == "answers" else model
            self.model = models.load(name, "answers")

    def score(
        self,
        collection: "Collection",
        run: Run,
        topics: Mapping[str, str],
        parts: Mapping[str, tuple[Sentence, ...]],
    ) -> Iterator[Floats]:
        """Judge the abstracts of all hits."""
        owners = {name: sentences[0].record for name, sentences in parts.items()}
        records = collection.indexes.records(list(dict.fromkeys(owners.values())))
        pairs = zip(records, bodies(collection.indexes, records), strict=True)
        abstracts = {record.id: (record, body) for record, body in pairs}
        for topic, hits in run.items():
            question = parse(topics[topic])
            values: dict[str, Floats] = {}
            for name in dict.fromkeys(owners[hit] for hit in hits.ids):
                record, body = abstracts[name]
                title = record.title or record.vernacular_title
                probabilities = self.model.judge(question, title, body).probabilities
                values[name] = np.append(np.nan, probabilities)
            scores = [values[owners[n]][[s.n for s in parts[n]]] for n in hits.ids]
            yield np.concatenate(scores) if scores else np.zeros(0)

    def evidence(self, collection: "Collection", topic: str, hits: Hits) -> list[Evidence]:
        """Return the best answer of each hit, and the words of the question in it."""
        indexes = collection.indexes
        question, passages = parse(topic), indexes.read(hits.ids.tolist())
        evidence = []
        for passage, body in zip(
            passages, bodies(indexes, [p.record for p in passages]), strict=True
        ):
            record, numbers = passage.record, {s.n for s in passage.sentences}
            verdict = self.model.judge(question, record.title or record.vernacular_title, body)
            places = [i for i, sentence in enumerate(body) if sentence.n in numbers]
            if not places:
                evidence.append(Evidence())
                continue
            best = max(places, key=lambda i: verdict.probabilities[i])
            values: dict[str, str | float | list[str]] = {
                "move": body[best].move,
                "probability": float(verdict.probabilities[best]),
                "missing words": lacking(question, record, self.model.stopwords),
            }
            text = body[best].text
            spans = question_spans(question, text, self.model.stopwords)
            evidence.append(Evidence(body[best].id, text, spans, values))
        return evidence
