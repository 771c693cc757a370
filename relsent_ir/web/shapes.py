"""What the pages show, as JSON: the shapes that the OpenAPI page documents."""

from collections.abc import Iterable
from typing import Any, Self

from pydantic import BaseModel, ConfigDict, Field

from relsent_ir.hit import Hit
from relsent_ir.rank import Span
from relsent_ir.records import Record
from relsent_ir.records.export import link
from relsent_ir.web.comparing import RunsTable, TopicPage
from relsent_ir.web.names import Between
from relsent_ir.web.questions import Answers
from relsent_ir.web.reading import OpenAbstract, Relatives, SentenceLine
from relsent_ir.web.reasons import Reason
from relsent_ir.web.requests import address
from relsent_ir.web.searching import SearchPage
from relsent_ir.web.themes import Subject

Marks = list[tuple[int, int, str]]
"""Start, end, why."""


def marks(spans: Iterable[Span]) -> Marks:
    """Return spans as JSON has them."""
    return [(span.start, span.end, span.label) for span in spans]


class Shape(BaseModel):
    """What is answered as JSON, made of a view."""

    @classmethod
    def of(cls, view: Any) -> Self:
        """Describe a view whose attributes are the shape's."""
        return cls.model_validate(view, from_attributes=True)


class Brief(Shape):
    """A record, as it is named in a list."""

    id: str
    title: str
    year: str
    journal: str
    pmid: str
    link: str = Field(description="Where it can be read, if its PMID is known.")
    page: str = Field(description="Its address here.")

    @classmethod
    def of(cls, record: Record) -> Self:
        """Name a record."""
        return cls(
            id=record.id,
            title=record.title or record.vernacular_title,
            year=record.year,
            journal=record.journal,
            pmid=record.pmid,
            link=link(record),
            page=address("/abstract", [("id", record.id)]),
        )


class Deciding(Shape):
    """The sentence that decides of a hit; of a sentence, itself."""

    id: str
    move: str
    text: str
    marks: Marks = Field(description="Start, end, why.")


class HitShape(Shape):
    """A hit, with what its method says of it besides."""

    model_config = ConfigDict(extra="allow", title="Hit")

    rank: int
    id: str
    score: float
    text: str
    record: str
    title: str
    authors: list[str]
    journal: str
    year: str
    publication_types: list[str]
    pmid: str
    link: str
    sentence: Deciding | None
    page: str = Field(description="Its address here.")


def _hits(view: SearchPage | Between) -> list[HitShape]:
    return [HitShape(**hit.to_dict() | {"page": view.to(hit)}) for hit in view.hits]


class SearchAnswer(Shape):
    """A page of hits."""

    query: str
    unit: str
    ranked: str = Field(description="`bm25` or `model`.")
    page: int
    next: str = Field(description="The address of the next page, if there is one.")
    unknown: list[str] = Field(description="Words that the collection has not, of no hits.")
    hits: list[HitShape]

    @classmethod
    def of(cls, view: SearchPage) -> Self:
        """Describe a page of hits."""
        request = view.request
        return cls(
            query=request.q,
            unit=request.unit,
            ranked=view.ranked,
            page=request.page,
            next=request.address("/api/search", page=request.page + 1) if view.more else "",
            unknown=list(view.unknown),
            hits=_hits(view),
        )


class NearAnswer(Shape):
    """A related sentence."""

    id: str
    text: str
    move: str
    score: float
    p_same_abstract: float | None = Field(description="Null if the model is not calibrated.")
    marks: Marks
    record: Brief

    @classmethod
    def of(cls, near: Hit) -> Self:
        """Describe a related sentence."""
        return cls(
            id=near.id,
            text=near.text,
            move=near.move,
            score=near.score,
            p_same_abstract=near.values["probability"],
            marks=marks(near.marks),
            record=Brief.of(near.record),
        )


class Line(Shape):
    """A sentence of an abstract; number 0 is the title."""

    id: str
    n: int
    text: str
    move: str
    marks: Marks
    related: list[NearAnswer] = Field(description="Those above the cut.")

    @classmethod
    def of(cls, line: SentenceLine) -> Self:
        """Describe a sentence with what is related to it."""
        sentence = line.sentence
        return cls(
            id=sentence.id,
            n=sentence.n,
            text=sentence.text,
            move=sentence.move,
            marks=marks(line.marks),
            related=[NearAnswer.of(near) for near in line.near],
        )


class AbstractAnswer(Shape):
    """An abstract."""

    record: Brief
    authors: list[str]
    publication_types: list[str]
    cut: float | None = Field(description="The least score of a related sentence.")
    sentences: list[Line]
    similar: list[Brief]
    cites: list[Brief]
    cited_by: list[Brief]

    @classmethod
    def of(cls, view: OpenAbstract) -> Self:
        """Describe an abstract."""
        return cls(
            record=Brief.of(view.record),
            authors=list(view.record.authors),
            publication_types=list(view.record.publication_types),
            cut=view.cut,
            sentences=[Line.of(line) for line in (view.title, *view.lines) if line],
            similar=[Brief.of(record) for record in view.similar],
            cites=[Brief.of(record) for record in view.cites],
            cited_by=[Brief.of(record) for record in view.cited],
        )


class RelatedAnswer(Shape):
    """A sentence with those related to it."""

    id: str
    text: str
    move: str
    record: Brief
    page: int
    related: list[NearAnswer]

    @classmethod
    def of(cls, view: Relatives) -> Self:
        """Describe a sentence with its relatives."""
        sentence = view.line.sentence
        return cls(
            id=sentence.id,
            text=sentence.text,
            move=sentence.move,
            record=Brief.of(view.record),
            page=view.request.page,
            related=[NearAnswer.of(near) for near in view.line.near],
        )


class AnswerSentence(Shape):
    """A sentence that may answer."""

    model_config = ConfigDict(title="Sentence")

    id: str
    slot: str = Field(description="What it is the abstract's best sentence for.")
    text: str
    move: str
    probability: float
    answer: bool = Field(description="Whether the model takes it for one.")
    direction: str = Field(description="Where it points; empty where that is not sure.")
    marks: Marks

    @classmethod
    def of(cls, hit: Hit) -> Self:
        """Describe a sentence."""
        told = hit.values
        return cls(
            id=hit.id,
            slot=told["slot"],
            text=hit.text,
            move=hit.move,
            probability=told["probability"],
            answer=hit.star,
            direction=told["direction"],
            marks=marks(hit.marks),
        )


class Answering(Shape):
    """An abstract with what it says to a question."""

    record: Brief
    probability: float = Field(description="That it answers at all.")
    lacks: list[str] = Field(description="Words of the question that it has not.")
    sentences: list[AnswerSentence]


class QuestionAnswer(Shape):
    """What abstracts say to a question, if they answer it."""

    question: str
    slot: str = Field(description="What the question wants first.")
    directions: dict[str, list[str]] = Field(
        description="Ids of sentences by direction, of the abstracts that answer."
    )
    records: list[Answering]

    @classmethod
    def of(cls, view: Answers) -> Self:
        """Describe the answers to a question."""
        return cls(
            question=view.request.q,
            slot=view.slot,
            directions={label: [a.id for a in some] for label, some in view.directions.items()},
            records=[
                Answering(
                    record=Brief.of(record.found.record),
                    probability=record.found.probability,
                    lacks=record.found.lacks,
                    sentences=[AnswerSentence.of(said) for said in record.said],
                )
                for record in view.records
            ],
        )


class Spelling(Shape):
    """A name under which an entity was looked for."""

    name: str
    origin: str
    records: int


class NamesAnswer(Shape):
    """The sentences that mention two entities, the clearest first."""

    names: tuple[str, str]
    searched: list[list[Spelling]]
    sentences: int
    records: int
    page: int
    hits: list[HitShape]

    @classmethod
    def of(cls, view: Between) -> Self:
        """Describe a page of such sentences."""
        return cls(
            names=(view.request.a, view.request.b),
            searched=[[Spelling.of(form) for form in forms] for forms in view.forms],
            sentences=view.sentences,
            records=view.records,
            page=view.request.page,
            hits=_hits(view),
        )


class ThemeAnswer(Shape):
    """The theme of a record."""

    record: Brief
    terms: list[str]
    records: list[Brief]

    @classmethod
    def of(cls, view: Subject) -> Self:
        """Describe a theme."""
        return cls(
            record=Brief.of(view.record),
            terms=[term.term for term in view.terms],
            records=[Brief.of(record) for record in view.records],
        )


class WhyReason(Shape):
    """What accounts for a score."""

    method: str
    topic: str
    sentence: str = Field(description="The id of the sentence that decides, if one does.")
    text: str
    marks: Marks
    values: dict[str, str | float | list[str]]
    features: list[tuple[str, float]] = Field(description="The weightiest first.")

    @classmethod
    def of(cls, view: Reason) -> Self:
        """Describe a reason."""
        one = view.evidence
        return cls(
            method=view.method,
            topic=view.topic,
            sentence=one.sentence,
            text=one.text,
            marks=marks(one.spans),
            values=dict(one.values or {}),
            features=list(one.features),
        )


class TopicValues(Shape):
    """What two runs reach on a topic."""

    topic: str
    text: str
    a: float
    b: float


class RunsAnswer(Shape):
    """Two runs over all topics."""

    a: str
    b: str
    runs: list[str] = Field(description="The names of all runs.")
    measure: str
    topics: list[TopicValues]
    comparison: dict[str, Any] | None = Field(
        description="As `relsent-ir compare --json`; null of a run with itself."
    )

    @classmethod
    def of(cls, view: RunsTable) -> Self:
        """Describe two runs."""
        return cls(
            a=view.request.a,
            b=view.request.b,
            runs=view.names,
            measure=view.request.measure,
            topics=[TopicValues.of(row) for row in view.rows],
            comparison=view.table.to_json() if view.table else None,
        )


class JudgedHit(Shape):
    """A hit with its judgement."""

    id: str
    rank: int
    score: float
    grade: int | None = Field(description="Null where nobody judged it.")
    elsewhere: int | None = Field(description="Its rank in the other run, if it is there.")
    text: str

    @classmethod
    def of(cls, hit: Hit) -> Self:
        """Describe a hit with its judgement."""
        grade, elsewhere = hit.values["grade"], hit.values["elsewhere"]
        return cls(
            id=hit.id,
            rank=hit.rank,
            score=hit.score,
            grade=grade,
            elsewhere=elsewhere,
            text=hit.text,
        )


class Side(Shape):
    """A run's ranking of a topic."""

    run: str
    measures: dict[str, float]
    hits: list[JudgedHit]


class TopicAnswer(Shape):
    """A topic's rankings by two runs."""

    topic: str
    text: str
    relevant: int = Field(description="How many are judged relevant.")
    page: int
    sides: list[Side]

    @classmethod
    def of(cls, view: TopicPage) -> Self:
        """Describe a topic."""
        return cls(
            topic=view.request.id,
            text=view.text,
            relevant=view.relevant,
            page=view.request.page,
            sides=[
                Side(
                    run=name,
                    measures=dict(measures),
                    hits=[JudgedHit.of(hit) for hit in hits],
                )
                for name, measures, hits in view.sides
            ],
        )
