"""The table of routes: each is a page and, under ``/api``, the same as JSON."""

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, Final, get_type_hints

from fastapi import APIRouter, FastAPI, Query
from pydantic import BaseModel
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from relsent_ir.web import comparing, names, questions, reading, requests, themes, views
from relsent_ir.web.page import render
from relsent_ir.web.searching import search


class Problem(BaseModel):
    """What is wrong, and what to do about it."""

    error: str
    fix: str


def problems(**told: str) -> dict[int | str, dict[str, Any]]:
    """Document errors: ``_404="No such record."``."""
    return {int(code[1:]): {"model": Problem, "description": text} for code, text in told.items()}


NO_RECORD: Final = problems(_404="No such record or sentence.")
LIMITS: Final = problems(
    _400="What is asked for cannot be.",
    _422="A parameter cannot be read.",
    _503="Too much at once, or for too long.",
)


@dataclass(frozen=True)
class Route:
    """A page, and the same as JSON.

    Attributes
    ----------
    view : callable
        Makes of the library and the request what is shown. The request's class has the address
        and its parameters, the result's the JSON; the docstring is for its users.
    template : str
    missing : bool
        Whether it answers 404 for an id that is not in the collection.
    """

    view: Callable[..., views.View]
    template: str
    missing: bool = True

    @property
    def request(self) -> type[requests.PageRequest]:
        """The class of its parameters."""
        return next(
            kind
            for kind in get_type_hints(self.view).values()
            if inspect.isclass(kind) and issubclass(kind, requests.PageRequest)
        )

    @property
    def path(self) -> str:
        """The address of the JSON."""
        path = self.request.path
        return "/search" if path == "/" else path


ROUTES: Final = (
    Route(search, "search", missing=False),
    Route(reading.read, "abstract"),
    Route(reading.relatives, "related"),
    Route(reading.similar, "similar"),
    Route(themes.theme, "theme"),
    Route(themes.mapped, "themes", missing=False),
    Route(questions.answer, "question", missing=False),
    Route(names.between, "names", missing=False),
    Route(reading.of_hit, "why"),
    Route(reading.of_related, "why"),
    Route(questions.of_answer, "why"),
    Route(names.of_names, "why"),
    Route(comparing.runs, "runs"),
    Route(comparing.topic, "topic"),
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
        app.add_api_route(route.request.path, _page(route), include_in_schema=False)
        json.add_api_route(
            route.path,
            _json(route),
            name=route.path[1:].replace("/", "_"),
            description=inspect.getdoc(route.view),
            response_model=get_type_hints(route.view)["return"],
            responses=NO_RECORD if route.missing else None,
        )
    app.include_router(json)
    app.include_router(plain)


def _page(route: Route) -> Callable[..., Any]:
    async def page(request: Request, parameters: Any) -> Response:
        view = await made(request, route, parameters)
        return render(request, route.template, view=view)

    return _with_parameters(page, route)


def _json(route: Route) -> Callable[..., Any]:
    async def json(request: Request, parameters: Any) -> Response:
        view = await made(request, route, parameters)
        return Response(view.model_dump_json(), media_type="application/json")

    return _with_parameters(json, route)


def _with_parameters(endpoint: Callable[..., Any], route: Route) -> Callable[..., Any]:
    """Declare to FastAPI which parameters the endpoint of a route takes."""
    endpoint.__annotations__["parameters"] = Annotated[route.request, Query()]
    return endpoint


async def made(request: Request, route: Route, parameters: Any) -> views.View:
    """Make a view in a thread."""
    state = request.app.state
    view: views.View = await state.work(lambda: route.view(state.library, parameters))
    return view


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
