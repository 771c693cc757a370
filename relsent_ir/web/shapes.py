"""Shapes of JSON: the views of the pages, as the OpenAPI page documents them.

A field is an attribute of the view that the page shows; `AT` says where it is found if it has
another name there.
"""

from typing import Annotated, Any, Self

from pydantic import AliasPath, BaseModel, BeforeValidator, ConfigDict, Field

from relsent_ir.rank import Span
from relsent_ir.records import Record
from relsent_ir.records.export import link
from relsent_ir.web.names import Between
from relsent_ir.web.questions import AnswerPage
from relsent_ir.web.reading import OpenAbstract
from relsent_ir.web.requests import address
from relsent_ir.web.searching import SearchPage

AT = AliasPath


def _named(record: Any) -> Any:
    if not isinstance(record, Record):
        return record
    return {
        "id": record.id,
        "title": record.title or record.vernacular_title,
        "year": record.year,
        "journal": record.journal,
        "pmid": record.pmid,
        "link": link(record),
        "page": address("/abstract", [("id", record.id)]),
    }


def _written(spans: Any) -> list[Any]:
    return [(s.start, s.end, s.label) if isinstance(s, Span) else s for s in spans]


Marks = Annotated[list[tuple[int, int, str]], BeforeValidator(_written)]
"""Start, end, why."""


class Shape(BaseModel):
    """JSON that is made of a view."""

    model_config = ConfigDict(from_attributes=True, populate_by_name=True)

    @classmethod
    def of(cls, view: Any) -> Self:
        """Describe a view."""
        return cls.model_validate(view)


class Brief(Shape):
    """A record, as it is named in a list."""

    id: str
    title: str
    year: str
    journal: str
    pmid: str
    link: str = Field(description="Where it can be read, if its PMID is known.")
    page: str = Field(description="Its address here.")


Named = Annotated[Brief, BeforeValidator(_named)]


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
    p_same_abstract: float | None = Field(
        description="Null if the model is not calibrated.",
        validation_alias=AT("values", "probability"),
    )
    marks: Marks
    record: Named


class Line(Shape):
    """A sentence of an abstract; number 0 is the title."""

    id: str = Field(validation_alias=AT("sentence", "id"))
    n: int = Field(validation_alias=AT("sentence", "n"))
    text: str = Field(validation_alias=AT("sentence", "text"))
    move: str = Field(validation_alias=AT("sentence", "move"))
    marks: Marks
    related: list[NearAnswer] = Field(
        description="Those above the cut.", validation_alias=AT("near")
    )


class AbstractAnswer(Shape):
    """An abstract."""

    record: Named
    authors: list[str]
    publication_types: list[str]
    cut: float | None = Field(description="The least score of a related sentence.")
    sentences: list[Line]
    similar: list[Named]
    cites: list[Named]
    cited_by: list[Named]

    @classmethod
    def of(cls, view: OpenAbstract) -> Self:
        """Describe an abstract."""
        lines = [line for line in (view.title, *view.lines) if line]
        record = view.record
        parts = {
            "authors": record.authors,
            "publication_types": record.publication_types,
            "sentences": lines,
            "cited_by": view.cited,
        }
        return cls.model_validate({**vars(view), **parts})


class RelatedAnswer(Shape):
    """A sentence with those related to it."""

    id: str = Field(validation_alias=AT("line", "sentence", "id"))
    text: str = Field(validation_alias=AT("line", "sentence", "text"))
    move: str = Field(validation_alias=AT("line", "sentence", "move"))
    record: Named
    page: int = Field(validation_alias=AT("request", "page"))
    related: list[NearAnswer] = Field(validation_alias=AT("line", "near"))


class AnswerSentence(Shape):
    """A sentence that may answer."""

    model_config = ConfigDict(title="Sentence")

    id: str
    slot: str = Field(
        description="What it is the abstract's best sentence for.",
        validation_alias=AT("values", "slot"),
    )
    text: str
    move: str
    probability: float = Field(validation_alias=AT("values", "probability"))
    answer: bool = Field(
        description="Whether the model takes it for one.", validation_alias=AT("star")
    )
    direction: str = Field(
        description="Where it points; empty where that is not sure.",
        validation_alias=AT("values", "direction"),
    )
    marks: Marks


class Answering(Shape):
    """An abstract with what it says to a question."""

    record: Named = Field(validation_alias=AT("found", "record"))
    probability: float = Field(
        description="That it answers at all.", validation_alias=AT("found", "probability")
    )
    lacks: list[str] = Field(
        description="Words of the question that it has not.", validation_alias=AT("found", "lacks")
    )
    sentences: list[AnswerSentence] = Field(validation_alias=AT("said"))


class QuestionAnswer(Shape):
    """What abstracts say to a question, if they answer it."""

    question: str
    slot: str = Field(description="What the question wants first.")
    directions: dict[str, list[str]] = Field(
        description="Ids of sentences by direction, of the abstracts that answer."
    )
    records: list[Answering]

    @classmethod
    def of(cls, view: AnswerPage) -> Self:
        """Describe the answers to a question."""
        ids = {label: [a.id for a in answers] for label, answers in view.directions.items()}
        return cls.model_validate({**vars(view), "question": view.request.q, "directions": ids})


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

    record: Named
    terms: list[str]
    records: list[Named]


class WhyReason(Shape):
    """What accounts for a score."""

    method: str
    topic: str
    sentence: str = Field(
        description="The id of the sentence that decides, if one does.",
        validation_alias=AT("evidence", "sentence"),
    )
    text: str = Field(validation_alias=AT("evidence", "text"))
    marks: Marks = Field(validation_alias=AT("evidence", "spans"))
    values: dict[str, str | float | list[str]]
    features: list[tuple[str, float]] = Field(
        description="The weightiest first.", validation_alias=AT("evidence", "features")
    )


class TopicValues(Shape):
    """What two runs reach on a topic."""

    topic: str
    text: str
    a: float
    b: float


class RunsAnswer(Shape):
    """Two runs over all topics."""

    a: str = Field(validation_alias=AT("request", "a"))
    b: str = Field(validation_alias=AT("request", "b"))
    runs: list[str] = Field(description="The names of all runs.", validation_alias=AT("names"))
    measure: str = Field(validation_alias=AT("request", "measure"))
    topics: list[TopicValues] = Field(validation_alias=AT("rows"))
    comparison: dict[str, Any] | None = Field(
        description="As `relsent-ir compare --json`; null of a run with itself."
    )


class JudgedHit(Shape):
    """A hit with its judgement."""

    id: str
    rank: int
    score: float
    grade: int | None = Field(
        description="Null where nobody judged it.", validation_alias=AT("values", "grade")
    )
    elsewhere: int | None = Field(
        description="Its rank in the other run, if it is there.",
        validation_alias=AT("values", "elsewhere"),
    )
    text: str


class Side(Shape):
    """A run's ranking of a topic."""

    run: str = Field(validation_alias=AT("name"))
    measures: dict[str, float]
    hits: list[JudgedHit]


class TopicAnswer(Shape):
    """A topic's rankings by two runs."""

    topic: str = Field(validation_alias=AT("request", "id"))
    text: str
    relevant: int = Field(description="How many are judged relevant.")
    page: int = Field(validation_alias=AT("request", "page"))
    sides: list[Side]
