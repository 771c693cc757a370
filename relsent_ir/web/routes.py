"""The table of routes: each is a page and, under ``/api``, the same as JSON."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, Final

from fastapi import APIRouter, FastAPI, Query
from pydantic import BaseModel
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from relsent_ir.web import comparing, names, questions, reading, reasons, requests, shapes, themes
from relsent_ir.web.page import render
from relsent_ir.web.searching import search

Responses = dict[int | str, dict[str, Any]]

NO_RECORD: Final[Responses] = {404: {"description": "No such record or sentence."}}
LIMITS: Final[Responses] = {
    400: {"description": "What is asked for cannot be."},
    503: {"description": "Too much at once, or for too long."},
}


@dataclass(frozen=True)
class Route:
    """A page, and the same as JSON.

    Attributes
    ----------
    name : str
        In the OpenAPI document.
    request : type of PageRequest
        The parameters of the address; its `path` is the page's.
    view : callable
        Makes of the library and the request what is shown.
    template : str
    shape : type of Shape
        What the view is as JSON.
    about : str
        For users of the JSON.
    missing : bool
        Whether it answers 404 for an id that is not in the collection.
    """

    name: str
    request: type[requests.PageRequest]
    view: Callable[..., Any]
    template: str
    shape: type[shapes.Shape]
    about: str
    missing: bool = True

    @property
    def api_path(self) -> str:
        """The address of the JSON."""
        return "/api/search" if self.request.path == "/" else f"/api{self.request.path}"


ROUTES: Final = (
    Route(
        "search",
        requests.SearchRequest,
        search,
        "search",
        shapes.SearchAnswer,
        "Search sentences or abstracts.",
        missing=False,
    ),
    Route(
        "abstract",
        requests.AbstractRequest,
        reading.read,
        "abstract",
        shapes.AbstractAnswer,
        "Read an abstract: its sentences by move, and under each those related to it.",
    ),
    Route(
        "related",
        requests.RelatedRequest,
        reading.relatives,
        "related",
        shapes.RelatedAnswer,
        "Find the sentences most related to one.",
    ),
    Route(
        "theme",
        requests.ThemeRequest,
        themes.theme,
        "theme",
        shapes.ThemeAnswer,
        "Find the theme of a record.",
    ),
    Route(
        "question",
        requests.QuestionRequest,
        questions.answer,
        "question",
        shapes.QuestionAnswer,
        "Ask abstracts a question; it is assumed that they answer it.",
        missing=False,
    ),
    Route(
        "names",
        requests.NamesRequest,
        names.between,
        "names",
        shapes.NamesAnswer,
        "Find the sentences that say how two entities are related.",
        missing=False,
    ),
    Route(
        "why",
        requests.WhyRequest,
        reasons.of_hit,
        "why",
        shapes.WhyReason,
        "Account for the score of a search's hit.",
    ),
    Route(
        "why_related",
        requests.PairRequest,
        reasons.of_related,
        "why",
        shapes.WhyReason,
        "Account for how related two sentences are.",
    ),
    Route(
        "why_answer",
        requests.WhyAnswerRequest,
        questions.of_answer,
        "why",
        shapes.WhyReason,
        "Account for what sets a sentence apart that may answer.",
    ),
    Route(
        "why_names",
        requests.WhyNamesRequest,
        names.of_names,
        "why",
        shapes.WhyReason,
        "Account for how clearly a sentence relates two entities.",
    ),
    Route(
        "runs",
        requests.RunsRequest,
        comparing.runs,
        "runs",
        shapes.RunsAnswer,
        "Set two runs side by side, topic by topic; 404 where the server was given none.",
    ),
    Route(
        "run_topic",
        requests.RunTopicRequest,
        comparing.topic,
        "topic",
        shapes.TopicAnswer,
        "Set a topic's rankings by two runs side by side.",
    ),
)

plain = APIRouter(include_in_schema=False)
status = APIRouter(tags=["status"])


class Health(BaseModel):
    """That the server answers."""

    status: str


def add_routes(app: FastAPI) -> None:
    """Serve every route of the table, as a page and as JSON, and the pages without parameters."""
    json = APIRouter(prefix="/api", tags=["json"], responses=LIMITS)
    for route in ROUTES:
        path = route.request.path
        app.add_api_route(path, _page(route), include_in_schema=False)
        json.add_api_route(
            route.api_path.removeprefix("/api"),
            _json(route),
            name=route.name,
            description=route.about,
            response_model=route.shape,
            responses=NO_RECORD if route.missing else None,
        )
    app.include_router(json)
    app.include_router(plain)


def _page(route: Route) -> Callable[..., Any]:
    async def page(request: Request, parameters: Any) -> Response:
        view = await _made(request, route.view, parameters)
        return render(request, route.template, view=view)

    return _with_parameters(page, route)


def _json(route: Route) -> Callable[..., Any]:
    async def json(request: Request, parameters: Any) -> Any:
        return route.shape.of(await _made(request, route.view, parameters))

    return _with_parameters(json, route)


def _with_parameters(endpoint: Callable[..., Any], route: Route) -> Callable[..., Any]:
    """Declare to FastAPI which parameters the endpoint of a route takes."""
    endpoint.__annotations__["parameters"] = Annotated[route.request, Query()]
    return endpoint


async def _made(request: Request, view: Callable[..., Any], *parameters: Any) -> Any:
    """Make a view in a thread."""
    state = request.app.state
    return await state.work(lambda: view(state.library, *parameters))


@plain.get("/themes")
async def map_of_themes(request: Request) -> Response:
    """Show the map of the collection's themes."""
    return render(request, "themes", view=await _made(request, themes.mapped))


@plain.get("/api")
async def documentation(request: Request) -> Response:
    """Show the parameters of each kind of JSON."""
    return render(request, "api", schema=request.app.openapi())


@status.get("/health")
async def health() -> Health:
    """Answer as long as the server lives."""
    return Health(status="ok")


@status.get("/ready", responses={503: {"model": Health, "description": "It still opens them."}})
async def ready(request: Request) -> JSONResponse:
    """Answer 200 once models and indexes are open, 503 before."""
    known = request.app.state.library.opened.is_set()
    return JSONResponse({"status": "ready" if known else "opening"}, 200 if known else 503)
