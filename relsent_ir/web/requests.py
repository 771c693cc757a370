"""Requests: the parameters of an address, checked, and addresses made of them."""

from collections.abc import Sequence
from typing import Annotated, Any, ClassVar, Literal
from urllib.parse import quote, urlencode

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from relsent_ir.lucene.read.filters import Filters
from relsent_ir.web.settings import NAME, PAGE, PAGES, QUERY, VALUES

Move = Literal["PURPOSE", "METHODS", "RESULTS", "CONCLUSION"]
Text = Annotated[str, Field(max_length=QUERY)]
Name = Annotated[str, Field(max_length=NAME)]


def _nothing(value: Any) -> Any:
    """Return None for an empty field, which a form sends too."""
    return None if value == "" else value


def _some(values: Any) -> Any:
    return [value for value in values if value != ""] if isinstance(values, list) else values


Year = Annotated[Annotated[int, Field(ge=0, le=9999)] | None, BeforeValidator(_nothing)]
Moves = Annotated[list[Move], BeforeValidator(_some), Field(max_length=4)]
Names = Annotated[list[Name], BeforeValidator(_some), Field(max_length=VALUES)]


class PageRequest(BaseModel):
    """The parameters of an address.

    Its fields are described to users of the JSON by the page ``/api``.
    """

    model_config = ConfigDict(populate_by_name=True, frozen=True)

    path: ClassVar[str] = "/"

    def parameters(self, **changes: Any) -> list[tuple[str, str]]:
        """Return those that differ from the defaults, in their order, some of them changed."""
        given = []
        for name, field in type(self).model_fields.items():
            value = changes.get(name, getattr(self, name))
            if value is None or value == field.get_default(call_default_factory=True):
                continue
            label = str(field.serialization_alias or field.alias or name)
            given += [
                (label, str(item)) for item in (value if isinstance(value, list) else [value])
            ]
        return given

    def address(self, path: str | None = None, **changes: Any) -> str:
        """Return the address of the page, some parameters changed."""
        return address(path or self.path, self.parameters(**changes))


def address(path: str, parameters: Sequence[tuple[str, object]], mark: str = "") -> str:
    """Return an address on this site."""
    query = urlencode([(name, str(value)) for name, value in parameters])
    return path + (f"?{query}" if query else "") + (f"#{quote(mark)}" if mark else "")


class FilteredRequest(PageRequest):
    """A query, and the filters that hits must pass."""

    q: Text = Field("", description="What is searched for: a bag of words, no query syntax.")
    move: Moves = Field([], description="Only sentences with one of these moves.")
    first: Year = Field(None, alias="from", description="The first year of publication.")
    last: Year = Field(None, alias="to", description="The last year of publication.")
    journal: Names = Field([], description="Only of these journals, as printed in the records.")
    type: Names = Field([], description="Only of these publication types.")

    def filters(self) -> Filters:
        """Return the filters, those of moves included."""
        return Filters(
            (self.first, self.last), tuple(self.journal), tuple(self.type), tuple(self.move)
        )


class SearchRequest(FilteredRequest):
    """A search."""

    unit: Literal["sentences", "abstracts"] = Field("sentences", description="What is found.")
    rank: Literal["", "bm25", "model"] = Field(
        "", description="By BM25, or the learned ranker; by the latter, where it orders such hits."
    )
    page: int = Field(1, ge=1, le=PAGES, description=f"{PAGE} hits each.")

    def filters(self) -> Filters:
        """Return the filters; abstracts have no moves."""
        moves = self.move if self.unit == "sentences" else []
        return Filters((self.first, self.last), tuple(self.journal), tuple(self.type), tuple(moves))


class AbstractRequest(PageRequest):
    """An abstract, with what led there."""

    path: ClassVar[str] = "/abstract"

    id: Name = Field(description="The record's id.")
    at: int | None = Field(None, ge=0, le=9999, description="The sentence that led there.")
    q: Text = Field("", description="The query that led there; its words are marked.")
    origin: Name = Field("", alias="from", description="The sentence that it was related to.")


class RelatedRequest(PageRequest):
    """A sentence whose related ones are wanted."""

    path: ClassVar[str] = "/related"

    id: Name = Field(description="The sentence's id: the record's, a dot, a number.")
    page: int = Field(1, ge=1, le=PAGES, description=f"{PAGE} sentences each.")


class WhyRequest(PageRequest):
    """A hit of a search whose score is to be accounted for."""

    path: ClassVar[str] = "/why"

    q: Text = Field(description="The query.")
    unit: Literal["sentences", "abstracts"] = Field("sentences", description="What was found.")
    rank: Literal["bm25", "model"] = Field("bm25", description="What ranked it.")
    id: Name = Field(description="The hit's id.")


class PairRequest(PageRequest):
    """Two sentences that are related."""

    path: ClassVar[str] = "/why/related"

    origin: Name = Field(alias="from", description="A sentence's id.")
    to: Name = Field(description="That of the other.")


class ThemeRequest(PageRequest):
    """A record whose theme is wanted."""

    path: ClassVar[str] = "/theme"

    id: Name = Field(description="The record's id.")


class QuestionRequest(FilteredRequest):
    """A question."""

    path: ClassVar[str] = "/question"

    q: Text = Field("", description="The question.")

    def filters(self) -> Filters:
        """Return the filters of abstracts, which have no moves."""
        return Filters((self.first, self.last), tuple(self.journal), tuple(self.type))


class WhyAnswerRequest(PageRequest):
    """A sentence whose part in an answer is to be accounted for."""

    path: ClassVar[str] = "/why/answer"

    q: Text = Field(description="The question.")
    id: Name = Field(description="The sentence's id.")
    slot: Literal["finding", "conclusion"] = Field(description="What it is the best sentence for.")


class NamesRequest(FilteredRequest):
    """Two entities."""

    path: ClassVar[str] = "/names"

    q: ClassVar[str] = ""  # type: ignore[misc]
    a: Name = Field("", description="The name of an entity.")
    b: Name = Field("", description="The name of another.")
    literal: bool = Field(False, description="No abbreviations of the names.")
    page: int = Field(1, ge=1, le=PAGES, description=f"{PAGE} sentences each.")


class WhyNamesRequest(NamesRequest):
    """A sentence that relates two entities, whose score is to be accounted for."""

    path: ClassVar[str] = "/why/names"

    id: Name = Field(description="The sentence's id.")


Measure = Literal["map", "P_10", "ndcg_cut_10", "recall_100", "recip_rank"]


class RunsRequest(PageRequest):
    """Two runs, topic by topic."""

    path: ClassVar[str] = "/runs"

    a: Name = Field("", description="A run, by its file's name; the first if it is not given.")
    b: Name = Field("", description="Another; the second if it is not given.")
    measure: Measure = Field("map", description="What is shown of each topic.")
    sort: Literal["gain", "loss", "topic"] = Field("gain", description="What comes first.")


class RunTopicRequest(PageRequest):
    """A topic's rankings by two runs."""

    path: ClassVar[str] = "/runs/topic"

    id: Name = Field(description="The topic's id.")
    a: Name = Field("", description="A run; the first if it is not given.")
    b: Name = Field("", description="Another; the second if it is not given.")
    page: int = Field(1, ge=1, le=PAGES, description=f"{PAGE} hits of each.")
