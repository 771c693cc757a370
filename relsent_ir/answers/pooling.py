"""Present the answers of abstracts: as hits with reasons, and pooled with quotes.

Only abstracts with a star are pooled. One or two are only quoted; three or more are also counted,
in order of the strongest design, then the largest number of people, then the newest.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Final, TypedDict

import numpy as np

from relsent_ir.answers.abstracts import ASKED, lacking
from relsent_ir.answers.classifiers import SLOTS
from relsent_ir.answers.directions import VERDICTS
from relsent_ir.answers.language import CLAIMS, Question
from relsent_ir.answers.model import AnswerModel
from relsent_ir.answers.searching import LIKELY, AbstractAnswers, Answer, question_spans
from relsent_ir.answers.sentence_features import NAMES, sentence_features
from relsent_ir.hit import Hit
from relsent_ir.methods import Answers
from relsent_ir.rank import Evidence, Span
from relsent_ir.records import Record, Sentence

TALLY: Final = 3
"""Least number of abstracts that are counted."""
DESIGNS: Final = (
    ("meta-analysis", r"meta-?analys"),
    ("systematic review", r"systematic(?:ally)? review"),
    ("randomized trial", r"randomi[sz]ed|double-?blind|placebo-controlled"),
    ("clinical trial", r"clinical trial|controlled trial|\btrial\b"),
    ("observational", r"cohort|case-control|cross-sectional|prospective|retrospective|survey"),
    ("case report", r"case reports?\b"),
    ("review", r"\breview"),
)
"""Designs, the strongest first, with their patterns in publication types, title or abstract."""
OTHER: Final = "other"
_DESIGNS: Final = tuple((name, re.compile(text, re.IGNORECASE)) for name, text in DESIGNS)
_SIZE: Final = re.compile(
    r"\b(\d{1,3}(?:[, ]\d{3}){1,3}|\d{1,9})\s(?:[\w-]+\s){0,3}?(?:patients|subjects|women|men"
    r"|children|infants|adults|participants|people|persons|volunteers|newborns|individuals"
    r"|adolescents)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Quotation:
    """An abstract that answers, with its sentence.

    Attributes
    ----------
    id : str
        The id of the sentence.
    record, title, text : str
    verdict : str
        One of `VERDICTS`; "" if the question is not a yes/no question.
    probability : float
        The probability that the abstract answers.
    design : str
        One of `DESIGNS`, or ``other``.
    size : int
        The largest number of people that the abstract names; 0 if it names none.
    year : str
    """

    id: str
    record: str
    title: str
    text: str
    verdict: str
    probability: float
    design: str
    size: int
    year: str


class PooledFacts(TypedDict):
    """`Pooled` in the form of JSON."""

    kind: str
    headline: str
    asked: int
    answering: int
    counts: dict[str, int]
    quotes: list[dict[str, str | int | float]]


@dataclass(frozen=True)
class Pooled:
    """The pooled answers of a question's abstracts, for the command line, Python and the web page.

    Attributes
    ----------
    kind : str
        The kind of the question, one of `relsent_ir.answers.language.KINDS`.
    asked : int
        Number of abstracts that were judged.
    quotes : tuple of Quotation
        Quotes from the abstracts that answer, the strongest design first.
    likely : bool
        Whether any abstract, with or without a star, has a probability of `LIKELY` or more.
    missing : str
        What an answer would have to name, in words of the question.
    """

    kind: str
    asked: int
    quotes: tuple[Quotation, ...]
    likely: bool = False
    missing: str = ""

    @property
    def counts(self) -> dict[str, int]:
        """Numbers of abstracts by verdict; empty for fewer than three, and for other questions."""
        if self.kind not in CLAIMS or len(self.quotes) < TALLY:
            return {}
        verdicts = [quote.verdict for quote in self.quotes]
        return {verdict: verdicts.count(verdict) for verdict in VERDICTS}

    def of(self, verdict: str) -> tuple[Quotation, ...]:
        """Return the quotes with a verdict."""
        return tuple(quote for quote in self.quotes if quote.verdict == verdict)

    @property
    def headline(self) -> str:
        """The tally of verdicts, or the quotes of one or two abstracts, in one line."""
        if counts := self.counts:
            tally = ", ".join(f"{n} {verdict}" for verdict, n in counts.items() if n)
            return f"of {len(self.quotes)} abstracts that answer: {tally}"
        parts = [
            f'1 abstract says {quote.verdict}: "{quote.text}"'
            if quote.verdict
            else f'likeliest answer ({quote.probability:.2f}): "{quote.text}"'
            for quote in self.quotes
        ]
        nothing = f"nothing found: {self.missing}" if self.missing else "nothing found"
        silent = "no abstract surely answers" if self.likely else nothing
        return "; ".join(parts) or silent

    def lines(self) -> list[str]:
        """Return the headline and, if there is a tally, one line for each quote, by verdict."""
        if len(self.quotes) < TALLY:
            return [self.headline]
        lines = [self.headline]
        for verdict in VERDICTS:
            for quote in self.of(verdict):
                size = f", {quote.size} people" if quote.size else ""
                about = f"{quote.record}, {quote.design}{size}, {quote.year or 'no year'}"
                lines.append(f'{verdict:<8}{about}: "{quote.text}"')
        return lines

    def to_dict(self) -> PooledFacts:
        """Return the facts for JSON."""
        return {
            "kind": self.kind,
            "headline": self.headline,
            "asked": self.asked,
            "answering": len(self.quotes),
            "counts": self.counts,
            "quotes": [{**asdict(q), "probability": round(q.probability, 4)} for q in self.quotes],
        }


def pool(
    question: Question, abstracts: Sequence[AbstractAnswers], stopwords: Collection[str]
) -> Pooled:
    """Pool the answers of abstracts to a question; without answers, name what is missing."""
    quotes = []
    for abstract in abstracts:
        answer, record = abstract.starred, abstract.record
        if answer is None:
            continue
        quotes.append(
            Quotation(
                answer.id,
                record.id,
                record.title or record.vernacular_title,
                answer.text,
                answer.direction.label if answer.direction else "",
                abstract.probability,
                design(record),
                size(record),
                record.year,
            )
        )
    names = [name for name, _ in DESIGNS] + [OTHER]
    quotes.sort(key=lambda q: q.record)
    quotes.sort(key=lambda q: (names.index(q.design), -q.size, -int(q.year[:4] or 0)))
    likely = any(abstract.probability >= LIKELY for abstract in abstracts)
    asked = {name: asks for name, asks, _ in ASKED if asks.search(question.text.lower())}
    words = [  # "percentage" asks, and is no subject
        word
        for word in lacking(question, Record(""), stopwords)
        if not any(asks.search(word) for asks in asked.values())
    ]
    absent = [word for word in words if all(word in abstract.lacks for abstract in abstracts)]
    missing = f"none of these abstracts has {', '.join(absent)}" if absent else ""
    if words and not absent:
        missing = f"no sentence gives {' or '.join(asked) or 'an answer'} on {', '.join(words)}"
    return Pooled(question.kind, len(abstracts), tuple(quotes), likely, missing)


def design(record: Record) -> str:
    """Return a record's design from its publication types, or else title, or else abstract."""
    for text in (" ".join(record.publication_types), record.title, record.abstract):
        for name, pattern in _DESIGNS:
            if pattern.search(text):
                return name
    return OTHER


def size(record: Record) -> int:
    """Return the largest number of people that an abstract names, or 0."""
    numbers = [int(re.sub(r"\D", "", number)) for number in _SIZE.findall(record.abstract)]
    return max((n for n in numbers if n < 10_000_000), default=0)


class AnswerFacts(TypedDict):
    """The facts about a question and its abstracts together.

    Attributes
    ----------
    slot : str
        The slot that answers the question: finding or conclusion.
    pooled : PooledFacts
        The result of `Pooled.to_dict`.
    """

    slot: str
    pooled: PooledFacts


def describe_answers(
    model: AnswerModel,
    question: Question,
    abstracts: Sequence[AbstractAnswers],
    method: Answers,
    *,
    searched: bool = True,
) -> tuple[list[Hit], AnswerFacts]:
    """Return abstracts as hits, in their order, with the facts about all.

    The parameters are those of `abstract_hit`.
    """
    hits = [
        abstract_hit(model, question, rank, abstract, method, searched=searched)
        for rank, abstract in enumerate(abstracts, 1)
    ]
    slot = method.slot or model.slot(question)
    return hits, {"slot": slot, "pooled": pool(question, abstracts, model.stopwords).to_dict()}


def answer_hit(
    abstract: AbstractAnswers, answer: Answer, spans: tuple[Span, ...], *, searched: bool = True
) -> Hit:
    """Return a sentence of an abstract as a hit, with a star if it answers.

    Its values are ``slot``, ``rule``, ``score``, ``probability`` (that the abstract answers by it,
    or, without a search, that it is the answer of the abstract), ``answer`` and ``verdict`` (yes,
    no or unclear for an answer to a yes/no question; else "").
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
    question: Question,
    rank: int,
    abstract: AbstractAnswers,
    method: Answers,
    *,
    searched: bool = True,
) -> Hit:
    """Return an abstract as a hit with its sentences, with a star if one of them answers.

    Parameters
    ----------
    model : AnswerModel
    question : Question
    rank : int
    abstract : AbstractAnswers
    method : Answers
        Selects the sentences: those of both slots or of one, or the best few.
    searched : bool
        Whether the abstract was found in an index; then its probability and its score in the first
        stage are values of the hit.
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
        first, lines = sentences[0], tuple(map(_labelled, sentences))
        hit = replace(hit, sentence=first.sentence, evidence=first.evidence, sentences=lines)
    return replace(
        hit,
        marks=question_spans(question, hit.text, model.stopwords),
        star=abstract.starred is not None,
    )


def _labelled(hit: Hit) -> tuple[str, Hit]:
    """Return the star, slot and verdict of a sentence, and its hit with rounded values."""
    values = hit.values
    slot = f"{values['slot']} [{values['verdict']}]" if values["verdict"] else values["slot"]
    rounded = {n: round(v, 4) if isinstance(v, float) else v for n, v in values.items()}
    return f"{'*' if hit.star else ' '} {slot}".rstrip(), replace(hit, values=rounded)


MOST: Final = 10
"""Number of features in a list of reasons."""


def reasons(
    model: AnswerModel,
    question: Question,
    title: str,
    tagged: Sequence[Sentence],
    n: int,
    slot: str,
) -> list[tuple[str, float]]:
    """Return the features that distinguish a sentence in its abstract, the weightiest first.

    The score of a slot is a sum over the features of the linear model. The value of a feature here
    is its part of the sum, minus the mean of this part over the abstract's sentences.

    Parameters
    ----------
    model : AnswerModel
    question : Question
    title : str
    tagged : sequence of Sentence
        All sentences of the abstract.
    n : int
        The index of the sentence among them, from 0.
    slot : str
        One of `relsent_ir.answers.classifiers.SLOTS`.
    """
    features = sentence_features(question, title, tagged, model.vectors)
    step = model.weights.slots[SLOTS.index(slot)]
    parts = (features / step.deviation) * step.weights
    excess = parts[n] - parts.mean(axis=0)
    best = np.argsort(-np.abs(excess), kind="stable")[:MOST]
    return [(NAMES[i], float(excess[i])) for i in best.tolist() if excess[i]]
