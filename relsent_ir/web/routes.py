"""The table of routes: each is a page and, under ``/api``, the same as JSON."""

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, Final

from fastapi import APIRouter, FastAPI, Query
from pydantic import BaseModel
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from relsent_ir.web import comparing, names, questions, reading, requests, shapes, themes
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
    request : type of PageRequest
        The parameters of the address; its `path` is the page's.
    view : callable
        Makes of the library and the request what is shown. Its docstring is for users of the JSON.
    template : str
    shape : type of Shape
        Of the JSON.
    name : str
        In the OpenAPI document, if it is not the path with ``_`` for ``/``.
    missing : bool
        Whether it answers 404 for an id that is not in the collection.
    """

    request: type[requests.PageRequest]
    view: Callable[..., Any]
    template: str
    shape: type[shapes.Shape]
    name: str = ""
    missing: bool = True


ROUTES: Final = (
    Route(requests.SearchRequest, search, "search", shapes.SearchAnswer, "search", missing=False),
    Route(requests.AbstractRequest, reading.read, "abstract", shapes.AbstractAnswer),
    Route(requests.RelatedRequest, reading.relatives, "related", shapes.RelatedAnswer),
    Route(requests.ThemeRequest, themes.theme, "theme", shapes.ThemeAnswer),
    Route(
        requests.QuestionRequest, questions.answer, "question", shapes.QuestionAnswer, missing=False
    ),
    Route(requests.NamesRequest, names.between, "names", shapes.NamesAnswer, missing=False),
    Route(requests.WhyRequest, reading.of_hit, "why", shapes.WhyReason),
    Route(requests.PairRequest, reading.of_related, "why", shapes.WhyReason),
    Route(requests.WhyAnswerRequest, questions.of_answer, "why", shapes.WhyReason),
    Route(requests.WhyNamesRequest, names.of_names, "why", shapes.WhyReason),
    Route(requests.RunsRequest, comparing.runs, "runs", shapes.RunsAnswer),
    Route(requests.RunTopicRequest, comparing.topic, "topic", shapes.TopicAnswer, "run_topic"),
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
            "/search" if path == "/" else path,
            _json(route),
            name=route.name or path[1:].replace("/", "_"),
            description=inspect.getdoc(route.view),
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
    opened = request.app.state.library.opened.is_set()
    return JSONResponse({"status": "ready" if opened else "opening"}, 200 if opened else 503)
