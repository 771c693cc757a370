"""What the pages show, as JSON: the shapes that the OpenAPI page documents."""

from collections.abc import Iterable

from pydantic import BaseModel, ConfigDict, Field

from relsent_ir.hit import Shown
from relsent_ir.rank import Span
from relsent_ir.records import Record
from relsent_ir.records.export import link
from relsent_ir.web.asked import address
from relsent_ir.web.reading import Near, Open, Relatives
from relsent_ir.web.searching import Found

Marks = list[tuple[int, int, str]]
"""Start, end, why."""


def marks(spans: Iterable[Span]) -> Marks:
    """Give spans as they are written."""
    return [(span.start, span.end, span.label) for span in spans]


class Brief(BaseModel):
    """A record, as it is named in a list."""

    id: str
    title: str
    year: str
    journal: str
    pmid: str
    link: str = Field(description="Where it can be read, if its PMID is known.")
    page: str = Field(description="Its address here.")

    @classmethod
    def of(cls, record: Record) -> "Brief":
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


class Deciding(BaseModel):
    """The sentence that decides of a hit; of a sentence, itself."""

    id: str
    move: str
    text: str
    marks: Marks = Field(description="Start, end, why.")


class Hit(BaseModel):
    """A hit, with what its method says of it besides."""

    model_config = ConfigDict(extra="allow")

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

    @classmethod
    def of(cls, hit: Shown, page: str) -> "Hit":
        """Describe a hit."""
        return cls(**{**hit.to_dict(), "page": page})


class SearchAnswer(BaseModel):
    """A page of hits."""

    query: str
    unit: str
    ranked: str = Field(description="`bm25` or `model`.")
    page: int
    next: str = Field(description="The address of the next page, if there is one.")
    unknown: list[str] = Field(description="Words that the collection has not, of no hits.")
    hits: list[Hit]

    @classmethod
    def of(cls, found: Found) -> "SearchAnswer":
        """Describe a page of hits."""
        asked = found.asked
        return cls(
            query=asked.q,
            unit=asked.unit,
            ranked=found.ranked,
            page=asked.page,
            next=asked.address("/api/search", page=asked.page + 1) if found.more else "",
            unknown=list(found.unknown),
            hits=[Hit.of(hit, found.to(hit)) for hit in found.hits],
        )


class NearAnswer(BaseModel):
    """A related sentence."""

    id: str
    text: str
    move: str
    score: float
    p_same_abstract: float | None = Field(description="Null if the model is not calibrated.")
    marks: Marks
    record: Brief

    @classmethod
    def of(cls, near: Near) -> "NearAnswer":
        """Describe a related sentence."""
        return cls(
            id=near.sentence.id,
            text=near.sentence.text,
            move=near.sentence.move,
            score=near.score,
            p_same_abstract=near.probability,
            marks=marks(near.marks),
            record=Brief.of(near.record),
        )


class Line(BaseModel):
    """A sentence of an abstract; number 0 is the title."""

    id: str
    n: int
    text: str
    move: str
    marks: Marks
    related: list[NearAnswer] = Field(description="Those above the cut.")


class AbstractAnswer(BaseModel):
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
    def of(cls, found: Open) -> "AbstractAnswer":
        """Describe an abstract."""
        return cls(
            record=Brief.of(found.record),
            authors=list(found.record.authors),
            publication_types=list(found.record.publication_types),
            cut=found.cut,
            sentences=[
                Line(
                    id=line.sentence.id,
                    n=line.sentence.n,
                    text=line.sentence.text,
                    move=line.sentence.move,
                    marks=marks(line.marks),
                    related=[NearAnswer.of(near) for near in line.near],
                )
                for line in ([found.title] if found.title else []) + found.lines
            ],
            similar=[Brief.of(one) for one in found.similar],
            cites=[Brief.of(one) for one in found.cites],
            cited_by=[Brief.of(one) for one in found.cited],
        )


class RelatedAnswer(BaseModel):
    """A sentence with those related to it."""

    id: str
    text: str
    move: str
    record: Brief
    page: int
    related: list[NearAnswer]

    @classmethod
    def of(cls, found: Relatives) -> "RelatedAnswer":
        """Describe a sentence with its relatives."""
        return cls(
            id=found.sentence.id,
            text=found.sentence.text,
            move=found.sentence.move,
            record=Brief.of(found.record),
            page=found.asked.page,
            related=[NearAnswer.of(near) for near in found.near],
        )
