"""Requests: validated parameters of URLs, and URLs built from them.

The parameters of methods are derived from their declarations (`relsent_ir.methods`).
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Annotated, Any, ClassVar, Literal, TypeVar
from urllib.parse import quote, urlencode

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    create_model,
)

from relsent_ir.errors import StrategyError, UsageError
from relsent_ir.lucene.read.filters import Filters
from relsent_ir.method import Method, Pipeline, parameters, parse
from relsent_ir.methods import (
    BM25,
    RM3,
    Answers,
    Fields,
    QueryLikelihood,
    Relations,
    Rocchio,
    Similar,
    as_pipeline,
)
from relsent_ir.text.strategy import parse as parse_strategy
from relsent_ir.text.strategy import positive_text
from relsent_ir.web.settings import BASKET, NAME, PAGE, PAGES, QUERY, TERMS, VALUES

M = TypeVar("M", bound=Method)
R = TypeVar("R", bound="PageRequest")
Move = Literal["PURPOSE", "METHODS", "RESULTS", "CONCLUSION"]
Unit = Literal["sentences", "abstracts"]
Text = Annotated[str, Field(max_length=QUERY)]
Name = Annotated[str, Field(max_length=NAME)]
Page = Annotated[int, Field(ge=1, le=PAGES, description=f"{PAGE} each.")]

STAGES: Mapping[str, type[Method]] = {
    kind.__name__: kind for kind in (BM25, QueryLikelihood, RM3, Rocchio, Fields)
}
"""The methods that a URL may name: those that open no files."""


def _filled(value: Any) -> Any:
    """Leave out empty fields, which forms send too: None for one, and fewer values for several."""
    if isinstance(value, list):
        return [one for one in value if one != ""]
    return None if value == "" else value


def _pipeline(text: str) -> str:
    if text:
        as_pipeline(parse(text, STAGES))
    return text


Year = Annotated[Annotated[int, Field(ge=0, le=9999)] | None, BeforeValidator(_filled)]
Moves = Annotated[list[Move], BeforeValidator(_filled), Field(max_length=4)]
Names = Annotated[list[Name], BeforeValidator(_filled), Field(max_length=VALUES)]
Pipelines = Annotated[
    Text,
    AfterValidator(_pipeline),
    Field(
        description="What ranks, as `BM25(k1=1.2) >> RM3(fb_terms=20)`; BM25 if it is empty.",
        json_schema_extra={
            "x-methods": {
                name: {item.name: item.schema() for item in parameters(kind)}
                for name, kind in STAGES.items()
            }
        },
    ),
]


class PageRequest(BaseModel):
    """The parameters of an address."""

    model_config = ConfigDict(populate_by_name=True, serialize_by_alias=True, frozen=True)

    path: ClassVar[str] = "/"

    def parameters(self, **changes: Any) -> list[tuple[str, str]]:
        """Return the parameters that differ from the defaults, in order, with changes."""
        pairs = []
        for name, field in type(self).model_fields.items():
            value = changes.get(name, getattr(self, name))
            if value is None or value == field.get_default(call_default_factory=True):
                continue
            label = str(field.serialization_alias or field.alias or name)
            items = value if isinstance(value, list) else [value]
            pairs += [(label, "true" if item is True else str(item)) for item in items]
        return pairs

    def address(self, path: str | None = None, **changes: Any) -> str:
        """Return the URL of the page, with some parameters changed."""
        return address(path or self.path, self.parameters(**changes))

    def settings(self, kind: type[M]) -> M:
        """Return a method with the parameters of the URL."""
        names = type(self).model_fields.keys() & {item.name for item in parameters(kind)}
        return kind(**{name: getattr(self, name) for name in names})


def read_request(
    kind: type[R], pairs: Iterable[tuple[str, str]], unread: Collection[str] = ()
) -> R | None:
    """Read a request from URL parameters except `unread`; None if they are invalid."""
    several = {
        field.alias or name: field.get_default(call_default_factory=True) == []
        for name, field in kind.model_fields.items()
    }
    values: dict[str, Any] = {}
    for name, value in pairs:
        if name in several and name not in unread:
            values[name] = [*values.get(name, ()), value] if several[name] else value
    try:
        return kind.model_validate(values)
    except (ValidationError, UsageError):
        return None


def address(path: str, parameters: Sequence[tuple[str, object]], mark: str = "") -> str:
    """Return a URL of this site."""
    query = urlencode([(name, str(value)) for name, value in parameters])
    return path + (f"?{query}" if query else "") + (f"#{quote(mark)}" if mark else "")


def taking(kind: type[Method]) -> Callable[[type[PageRequest]], Any]:
    """Add a method's parameters that open no files to a request: numbers, choices, switches."""
    fields: dict[str, Any] = {}
    for item in parameters(kind):
        if item.kind not in (bool, int, float) and not item.choices:
            continue
        schema, ends = item.schema(), dict[str, Any]()
        if "minimum" in schema:
            ends["gt" if item.above else "ge"] = schema["minimum"]
        if "maximum" in schema:
            ends["le"] = schema["maximum"]
        of: Any = Literal[item.choices] if item.choices else item.kind
        if item.optional:
            of = Annotated[of | None, BeforeValidator(_filled)]
        fields[item.name] = of, Field(item.default, description=item.help, **ends)

    def extended(request: type[PageRequest]) -> Any:
        model = create_model(request.__name__, __base__=request, __doc__=request.__doc__, **fields)
        model.__module__ = request.__module__
        return model

    return extended


class FilteredRequest(PageRequest):
    """A query, and the filters that hits must pass."""

    q: Text = Field("", description="What is searched for: a bag of words, no query syntax.")
    move: Moves = Field([], description="Only sentences with one of these moves.")
    first: Year = Field(None, alias="from", description="The first year of publication.")
    last: Year = Field(None, alias="to", description="The last year of publication.")
    journal: Names = Field([], description="Only of these journals, as printed in the records.")
    type: Names = Field([], description="Only of these publication types.")
    mesh: Names = Field([], description="Only with one of these MeSH headings.")
    author: Names = Field([], description="Only by one of these authors: Okafor, or Okafor B.")
    strategy: Text = Field("", description="Only of this set: a search strategy as for PubMed.")

    def filters(self, unit: str = "sentences") -> Filters:
        """Return the filters of the hits; filters by moves do not apply to abstracts.

        Raises
        ------
        UsageError
            If the years are in the wrong order.
        """
        first, last = self.first, self.last
        if first is not None and last is not None and first > last:
            problem = f"no year from {first} to {last}"
            raise UsageError(problem, fix="put the earlier year first")
        moves = self.move if unit == "sentences" else ()
        named = self.journal, self.type, moves, self.mesh, self.author
        return Filters((first, last), *named, strategy=self.strategy)

    def narrowed(self, name: str, values: list[str]) -> str:
        """Return the URL with other values of a filter."""
        changes: dict[str, Any] = {name: values, "page": 1}
        return self.address(**changes)

    @property
    def whole(self) -> bool:
        """Whether the strategy alone selects hits: `q` only has its words, which rank them."""
        with suppress(StrategyError):
            return bool(self.strategy) and positive_text(parse_strategy(self.strategy)) == self.q
        return False

    def chips(self) -> list[tuple[str, str]]:
        """Return the filters, each with the URL without it."""
        first, last = ("" if end is None else str(end) for end in (self.first, self.last))
        years = f"{first}–{last}" if first != last else first
        chips = [(years, self.address(first=None, last=None, page=1))] if first or last else []
        if self.strategy and not self.whole:  # a whole strategy is in the search box
            chips.append((self.strategy, self.address(strategy="", page=1)))
        for name in ("move", "journal", "type", "mesh", "author"):
            values = getattr(self, name)
            for value in values:
                rest = [other for other in values if other != value]
                chips.append((value, self.narrowed(name, rest)))
        return chips


class SearchRequest(FilteredRequest):
    """A search."""

    unit: Unit = Field("sentences", description="What is found.")
    rank: Literal["", "bm25", "model"] = Field(
        "", description="By BM25, or the learned ranker; by the latter, where it orders such hits."
    )
    sort: Literal["", "date"] = Field(
        "", description="By `date`: the first thousand by rank, the newest first."
    )
    method: Pipelines = ""
    written: bool = Field(
        False, description="Only words as they are written: no strategy, no other spellings."
    )
    page: Page = 1

    @property
    def pipeline(self) -> Pipeline:
        """The method that ranks first."""
        return as_pipeline(self.method or BM25())

    @property
    def question(self) -> str:
        """The URL that asks `q` as a question."""
        filters = self.model_dump(include=set(FilteredRequest.model_fields))
        return str(QuestionRequest.model_validate(filters).address())


class FacetsRequest(SearchRequest):
    """A search whose hits are counted."""

    path: ClassVar[str] = "/facets"


class BasketRequest(PageRequest):
    """Records and sentences in the reader's basket."""

    path: ClassVar[str] = "/basket"

    id: Annotated[list[Name], Field(max_length=BASKET)] = Field([], description="Their ids.")


class ExportRequest(SearchRequest, BasketRequest):
    """The hits of a search, or a basket, as a file."""

    path: ClassVar[str] = "/export"

    n: int = Field(PAGE, ge=1, le=PAGES * PAGE, description="So many hits, from the page on.")


class AbstractRequest(PageRequest):
    """An abstract, with the hit or query that led to it."""

    path: ClassVar[str] = "/abstract"

    id: Name = Field(description="The record's id.")
    at: int | None = Field(None, ge=0, le=9999, description="The sentence that led there.")
    q: Text = Field("", description="The query that led there; its words are marked.")
    back: Text = Field("", description="The search that led there, as its address has it.")
    origin: Name = Field("", alias="from", description="The sentence that it was related to.")


class RelatedRequest(PageRequest):
    """A sentence for which related sentences are requested."""

    path: ClassVar[str] = "/related"

    id: Name = Field(description="The sentence's id: the record's, a dot, a number.")
    near: bool = Field(False, description="Only the three closest, of those above the cut.")
    led: bool = Field(False, description="With near: three in any case, as where it led there.")
    page: Page = 1


@taking(Similar)
class SimilarRequest(PageRequest):
    """A record for which similar records are requested."""

    path: ClassVar[str] = "/similar"

    id: Name = Field(description="The record's id.")


class WhyRequest(PageRequest):
    """Explain the score of one hit of a search."""

    path: ClassVar[str] = "/why"

    q: Text = Field(description="The query.")
    unit: Unit = Field("sentences", description="What was found.")
    rank: Literal["bm25", "model"] = Field("bm25", description="What ranked it.")
    method: Pipelines = ""
    id: Name = Field(description="The hit's id.")


class PairRequest(PageRequest):
    """Two sentences that are related."""

    path: ClassVar[str] = "/why/related"

    origin: Name = Field(alias="from", description="A sentence's id.")
    to: Name = Field(description="That of the other.")


class ThemeRequest(PageRequest):
    """A record for which the theme is requested."""

    path: ClassVar[str] = "/theme"

    id: Name = Field(description="The record's id.")


@taking(Answers)
class QuestionRequest(FilteredRequest):
    """A question."""

    path: ClassVar[str] = "/question"


class WhyAnswerRequest(PageRequest):
    """A sentence whose part in an answer is explained."""

    path: ClassVar[str] = "/why/answer"

    q: Text = Field(description="The question.")
    id: Name = Field(description="The sentence's id.")
    slot: Literal["finding", "conclusion"] = Field(description="What it is the best sentence for.")


@taking(Relations)
class NamesRequest(FilteredRequest):
    """Two entities."""

    path: ClassVar[str] = "/names"

    q: ClassVar[str] = ""  # type: ignore[misc]
    a: Name = Field("", description="The name of an entity.")
    b: Name = Field("", description="The name of another.")
    page: Page = 1


class EntityRequest(PageRequest):
    """An entity."""

    path: ClassVar[str] = "/entity"

    name: Name = Field("", description="Its name.")
    terms: int = Field(20, ge=1, le=TERMS, description="So many terms at most.")
    literal: bool = Field(False, description="No abbreviations of the name.")


class WhyNamesRequest(NamesRequest):
    """A sentence relating two entities, whose score is explained."""

    path: ClassVar[str] = "/why/names"

    id: Name = Field(description="The sentence's id.")


class MapRequest(PageRequest):
    """The map of themes."""

    path: ClassVar[str] = "/themes"


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
    page: Page = 1
