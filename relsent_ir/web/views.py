"""Views: the contents of pages, which are also their JSON.

A field that only the template uses is `Private`. All hits have the shape `HitShape`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, TypeVar, get_type_hints

from pydantic import BaseModel, ConfigDict, Field, GetCoreSchemaHandler, SkipValidation
from pydantic_core import core_schema

from relsent_ir.hit import Hit
from relsent_ir.rank import Span
from relsent_ir.records import Record, Sentence
from relsent_ir.records.references import link
from relsent_ir.web.requests import PageRequest, address

T = TypeVar("T")
Private = Annotated[SkipValidation[T], Field(exclude=True)]


class View(BaseModel):
    """What a page shows."""

    model_config = ConfigDict(frozen=True, arbitrary_types_allowed=True, extra="forbid")


@dataclass(frozen=True)
class Served:
    """A view that is served.

    Attributes
    ----------
    view : callable
        Computes the result from the library and a request. The class of the request has the URL and
        its parameters, the class of the result has the JSON; the docstring is for users.
    """

    view: Callable[..., View]

    @property
    def request(self) -> type[PageRequest]:
        """The class of the view's request."""
        return get_type_hints(self.view)["request"]  # type: ignore[no-any-return]

    @property
    def shape(self) -> type[View]:
        """The class of the view's result."""
        return get_type_hints(self.view)["return"]  # type: ignore[no-any-return]


class Brief(View):
    """A record, as it is named in a list."""

    id: str
    title: str
    authors: list[str]
    journal: str
    year: str
    publication_types: list[str]
    pmid: str
    link: str = Field(description="Where it can be read, if its PMID is known.")
    page: str = Field(description="Its address here.")


class Deciding(View):
    """The sentence that is the evidence for a hit; for a sentence, the sentence itself."""

    model_config = ConfigDict(extra="allow")

    id: str
    move: str
    text: str
    marks: list[tuple[int, int, str]] = Field(description="Start, end, why.")


class HitShape(View):
    """A hit, with further values of its method."""

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
    sentences: list[Deciding] = Field(default=[], description="Where several are shown.")
    star: bool = Field(description="Whether the method sets it apart: an answer, a kernel.")
    page: str = Field(description="Its address here.")


def brief(record: Record) -> Brief:
    """Return a record in short form, for a list."""
    return Brief(
        id=record.id,
        title=record.title or record.vernacular_title,
        authors=list(record.authors),
        journal=record.journal,
        year=record.year,
        publication_types=list(record.publication_types),
        pmid=record.pmid,
        link=link(record),
        page=place(record.id),
    )


def described(hit: Hit) -> HitShape:
    """Return a hit in the form of the view."""
    return HitShape.model_validate(hit.to_dict() | {"star": hit.star, "page": place_of(hit)})


def place(record: str, n: int | None = None, *more: tuple[str, object]) -> str:
    """Return the URL of an abstract, or of a sentence in it."""
    if n is None:
        return address("/abstract", [("id", record), *more])
    return address("/abstract", [("id", record), ("at", n), *more], f"s{n}")


def place_of(hit: Hit, *more: tuple[str, object]) -> str:
    """Return the URL of a hit; of its deciding sentence, if there is one."""
    return place(hit.record.id, hit.sentence.n if hit.sentence else None, *more)


@dataclass(frozen=True)
class Written:
    """Write a value of the package as JSON, without validating it.

    Parameters
    ----------
    write : callable
        Converts the value to a `View`.
    """

    write: Callable[[Any], View]

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> core_schema.CoreSchema:
        shape = handler.generate_schema(get_type_hints(self.write)["return"])
        return core_schema.any_schema(
            serialization=core_schema.plain_serializer_function_ser_schema(
                self.write, return_schema=shape
            )
        )


Named = Annotated[Record, Written(brief)]
Shown = Annotated[Hit, Written(described)]


class Line(View):
    """A sentence of an abstract; number 0 is the title."""

    id: str
    n: int
    text: str
    move: str
    marks: list[tuple[int, int, str]] = Field(default=[], description="Start, end, why.")
    spans: Private[tuple[Span, ...]] = ()

    @classmethod
    def of(cls, sentence: Sentence, spans: Sequence[Span] = ()) -> "Line":
        """Return a sentence in the form of the view."""
        return cls(
            id=sentence.id,
            n=sentence.n,
            text=sentence.text,
            move=sentence.move,
            marks=[(span.start, span.end, span.label) for span in spans],
            spans=tuple(spans),
        )


Values = dict[str, Any]
