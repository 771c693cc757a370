"""Pool the answers of a question's abstracts: a tally of verdicts, and a quote from each.

Only abstracts with a star count. One or two are quoted; from three on they are counted too. What
speaks against a claim stands beside what speaks for it, the strongest design first, then the
largest number of people, then the newest.
"""

import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Final, TypedDict

from relsent_ir.answers.asking import CLAIMS, question_kind
from relsent_ir.answers.directions import VERDICTS
from relsent_ir.answers.model import AnswerModel
from relsent_ir.answers.searching import AbstractAnswers, abstract_hit
from relsent_ir.hit import Hit
from relsent_ir.methods import Answers
from relsent_ir.records import Record

TALLY: Final = 3
"""Abstracts from which on they are counted."""
DESIGNS: Final = (
    ("meta-analysis", r"meta-?analys"),
    ("systematic review", r"systematic(?:ally)? review"),
    ("randomized trial", r"randomi[sz]ed|double-?blind|placebo-controlled"),
    ("clinical trial", r"clinical trial|controlled trial|\btrial\b"),
    ("observational", r"cohort|case-control|cross-sectional|prospective|retrospective|survey"),
    ("case report", r"case reports?\b"),
    ("review", r"\breview"),
)
"""Designs, the strongest first, by what publication types, title or abstract say."""
OTHER: Final = "other"
_DESIGNS: Final = tuple((name, re.compile(text, re.IGNORECASE)) for name, text in DESIGNS)
_SIZE: Final = re.compile(
    r"\b(\d{1,3}(?:[, ]\d{3})+|\d+)\s(?:[\w-]+\s){0,3}?(?:patients|subjects|women|men|children"
    r"|infants|adults|participants|people|persons|volunteers|newborns|individuals|adolescents)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Quote:
    """An abstract that answers, with the sentence by which it does.

    Attributes
    ----------
    id : str
        Of the sentence.
    record, title, text : str
    verdict : str
        One of `VERDICTS`; "" where the question is none of yes or no.
    probability : float
        That the abstract answers.
    design : str
        One of `DESIGNS`, or ``other``.
    size : int
        The largest number of people that the abstract names; 0 without one.
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
    """`Pooled` for JSON."""

    kind: str
    headline: str
    asked: int
    answering: int
    counts: dict[str, int]
    quotes: list[dict[str, str | int | float]]


@dataclass(frozen=True)
class Pooled:
    """The pooled answers of a question's abstracts, as the command, Python and the page show them.

    Attributes
    ----------
    kind : str
        Of the question, one of `relsent_ir.answers.asking.KINDS`.
    asked : int
        Abstracts that were looked at.
    quotes : tuple of Quote
        Those that answer, the strongest design first.
    """

    kind: str
    asked: int
    quotes: tuple[Quote, ...]

    @property
    def counts(self) -> dict[str, int]:
        """How many abstracts say yes, no, unclear; empty below three, and of other questions."""
        if self.kind not in CLAIMS or len(self.quotes) < TALLY:
            return {}
        said = [quote.verdict for quote in self.quotes]
        return {verdict: said.count(verdict) for verdict in VERDICTS}

    def of(self, verdict: str) -> tuple[Quote, ...]:
        """Return the quotes with a verdict."""
        return tuple(quote for quote in self.quotes if quote.verdict == verdict)

    @property
    def headline(self) -> str:
        """One line: the tally of verdicts, or the quotes of one or two abstracts."""
        if counts := self.counts:
            told = ", ".join(f"{n} {verdict}" for verdict, n in counts.items() if n)
            return f"of {len(self.quotes)} abstracts that answer: {told}"
        if len(self.quotes) >= TALLY:
            return f"{len(self.quotes)} abstracts answer"
        said = []
        for quote in self.quotes:
            verdict = {"": "answers", "unclear": "is unclear"}.get(quote.verdict)
            said.append(f'1 abstract {verdict or f"says {quote.verdict}"}: "{quote.text}"')
        return "; ".join(said) or "no abstract surely answers"

    def lines(self) -> list[str]:
        """Return the headline, and from a tally on a line a quote, by verdict."""
        if len(self.quotes) < TALLY:
            return [self.headline]
        shown = [self.headline]
        for verdict in (*VERDICTS, ""):
            for quote in self.of(verdict):
                size = f", {quote.size} people" if quote.size else ""
                about = f"{quote.record}, {quote.design}{size}, {quote.year or 'no year'}"
                shown.append(f'{verdict or "-":<8}{about}: "{quote.text}"')
        return shown

    def to_dict(self) -> PooledFacts:
        """Return everything, for JSON."""
        return {
            "kind": self.kind,
            "headline": self.headline,
            "asked": self.asked,
            "answering": len(self.quotes),
            "counts": self.counts,
            "quotes": [{**asdict(q), "probability": round(q.probability, 4)} for q in self.quotes],
        }


def pool(question: str, abstracts: Sequence[AbstractAnswers]) -> Pooled:
    """Pool the answers of abstracts to a question."""
    quotes = []
    for abstract in abstracts:
        answer, record = abstract.starred, abstract.record
        if answer is None:
            continue
        quotes.append(
            Quote(
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
    return Pooled(question_kind(question), len(abstracts), tuple(quotes))


def design(record: Record) -> str:
    """Return a record's design: by its publication types, else its title, else its abstract."""
    for text in (" ".join(record.publication_types), record.title, record.abstract):
        for name, pattern in _DESIGNS:
            if pattern.search(text):
                return name
    return OTHER


def size(record: Record) -> int:
    """Return the largest number of people that an abstract names, 0 without one."""
    found = [int(re.sub(r"\D", "", number)) for number in _SIZE.findall(record.abstract)]
    return max((n for n in found if n < 10_000_000), default=0)


class AnswerFacts(TypedDict):
    """The facts of a question's abstracts together.

    Attributes
    ----------
    slot : str
        The sentence that the question wants.
    pooled : PooledFacts
        As `Pooled.to_dict` gives it.
    """

    slot: str
    pooled: PooledFacts


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
    hits = [
        abstract_hit(model, question, rank, abstract, method, searched=searched)
        for rank, abstract in enumerate(abstracts, 1)
    ]
    slot = method.slot or model.wanted(question)
    return hits, {"slot": slot, "pooled": pool(question, abstracts).to_dict()}
