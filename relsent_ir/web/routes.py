"""The table of routes: each is a page, and the same content as JSON under ``/api``."""

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Annotated, Any, Final

from fastapi import APIRouter, FastAPI, Query
from pydantic import BaseModel
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from relsent_ir.web import comparing, exports, facets, names, questions, reading, themes, views
from relsent_ir.web.library import Library, Shelf
from relsent_ir.web.page import render
from relsent_ir.web.requests import address, read_request
from relsent_ir.web.searching import search
from relsent_ir.web.wording import is_question


class Problem(BaseModel):
    """A problem, and how to fix it."""

    error: str
    fix: str


def problems(**texts: str) -> dict[int | str, dict[str, Any]]:
    """Return the documentation of errors, given as ``_404="No such record."``."""
    return {int(code[1:]): {"model": Problem, "description": text} for code, text in texts.items()}


NO_RECORD: Final = problems(_404="No such record or sentence.")
LIMITS: Final = problems(
    _400="What is asked for cannot be.",
    _422="A parameter cannot be read.",
    _503="Too much at once, or for too long.",
)


@dataclass(frozen=True)
class Route(views.Served):
    """A page whose content is also served as JSON.

    Attributes
    ----------
    template : str
    missing : bool
        Whether an id that is not in the collection is answered by 404.
    quick : bool or callable
        Whether it takes milliseconds, for all requests or for a request and the library.
    form : bool
        Whether the page has a form that can show errors.
    """

    template: str
    missing: bool = True
    quick: bool | Callable[[Library, Any], bool] = False
    form: bool = False

    @property
    def path(self) -> str:
        """The URL of the JSON."""
        path = self.request.path
        return "/search" if path == "/" else path


ROUTES: Final = (
    Route(search, "search", missing=False, quick=True, form=True),
    Route(facets.facets, "facets", missing=False, quick=True),
    Route(exports.basket, "basket", missing=False, quick=True),
    Route(reading.read, "abstract", quick=True),
    Route(reading.relatives, "related", quick=reading.is_chosen),
    Route(reading.similar, "similar"),
    Route(themes.theme, "theme"),
    Route(themes.mapped, "themes", missing=False, quick=True),
    Route(questions.answer, "question", missing=False, form=True),
    Route(names.between, "names", missing=False, form=True),
    Route(names.entity, "entity", missing=False, form=True),
    Route(reading.of_hit, "why", quick=True),
    Route(reading.of_related, "why", quick=True),
    Route(questions.of_answer, "why"),
    Route(names.of_names, "why"),
    Route(comparing.runs, "runs", quick=True),
    Route(comparing.topic, "topic", quick=True),
)

status = APIRouter(tags=["status"])


class Health(BaseModel):
    """That the server answers."""

    status: str


def add_routes(app: FastAPI) -> None:
    """Serve all routes of the table, as pages and as JSON, and the pages without parameters."""
    json = APIRouter(prefix="/api", tags=["json"], responses=LIMITS)
    for route in ROUTES:
        app.add_api_route(route.request.path, _endpoint(route, _page), include_in_schema=False)
        json.add_api_route(
            route.path,
            _endpoint(route, _json),
            name=route.path[1:].replace("/", "_"),
            description=inspect.getdoc(route.view),
            response_model=route.shape,
            responses=NO_RECORD if route.missing else None,
        )
    app.include_router(json)
    app.add_api_route("/api", documentation, include_in_schema=False)


def _endpoint(route: Route, answer: Callable[..., Any]) -> Callable[..., Any]:
    """Return the endpoint of a route, whose parameters it declares to FastAPI."""

    async def endpoint(request: Request, parameters: Any) -> Response:
        answered: Response = await answer(request, route, parameters)
        return answered

    endpoint.__annotations__["parameters"] = Annotated[route.request, Query()]
    return endpoint


async def _page(request: Request, route: Route, parameters: Any) -> Response:
    short = parameters.parameters()
    if "" in request.query_params.values() and all(value for _, value in short):
        # as sent by forms: another URL means the same
        part = [("part", "1")] if request.query_params.get("part") else []
        return RedirectResponse(address(parameters.path, [*short, *part]), 303)

    if route.view is search and not parameters.written and is_question(parameters.q):
        return RedirectResponse(parameters.question, 303)

    def write(view: views.View, library: Library) -> Response:
        if record := getattr(view, "record", None) if route.view is search else None:
            return RedirectResponse(address("/abstract", [("id", record)]), 303)
        return render(request, route.template, library=library, view=view)

    return await _made(request, route, parameters, write)


async def _json(request: Request, route: Route, parameters: Any) -> Response:
    def write(view: views.View, _: Library) -> Response:
        return Response(view.model_dump_json(), media_type="application/json")

    return await _made(request, route, parameters, write)


async def _made(
    request: Request,
    route: Route,
    parameters: Any,
    write: Callable[[views.View, Library], Response],
) -> Response:
    """Compute a view and write it in a thread, unless the browser has this generation's."""
    shelf: Shelf = request.app.state.shelf

    quick = route.quick if isinstance(route.quick, bool) else route.quick(shelf.library, parameters)
    quick = quick and not getattr(parameters, "method", "")  # a pipeline may take long
    key = route.path, parameters.model_dump_json()

    def make() -> Response:
        with shelf.lend() as library:
            answered = f"{library.token} {request.url.path}?{request.url.query}"
            headers = {"ETag": f'W/"{blake2b(answered.encode(), digest_size=12).hexdigest()}"'}
            settled = library.opened.is_set()
            if settled and request.headers.get("if-none-match") == headers["ETag"]:
                return Response(None, 304, headers)
            view: views.View = (
                route.view(library, parameters)
                if quick
                else library.cached(key, lambda: route.view(library, parameters))
            )
            answer = write(view, library)
            if settled and getattr(view, "ready", True):
                answer.headers.update(headers)
            return answer

    slow = "" if quick or key in shelf.library.cache else route.path
    answer: Response = await request.app.state.work(make, slow=slow)
    return answer


def in_form(
    request: Request, status: int, problem: str, fix: str, unread: Sequence[str]
) -> Response | None:
    """Show a problem in the form of the page, with the other values; None if it has no form."""
    route = next((item for item in ROUTES if item.request.path == request.url.path), None)
    if route is None or not route.form:
        return None
    pairs = request.query_params.multi_items()
    parameters = read_request(route.request, pairs, unread) or route.request()
    view = route.shape.model_validate({"request": parameters})
    return render(request, route.template, status, view=view, problem=problem, fix=fix)


async def documentation(request: Request) -> Response:
    """Show the parameters of each JSON route."""
    return render(request, "api", schema=request.app.openapi())


@status.get("/health")
async def health() -> Health:
    """Answer 200 as long as the server runs."""
    return Health(status="ok")


@status.get("/ready", responses={503: {"model": Health, "description": "It still opens them."}})
async def ready(request: Request) -> JSONResponse:
    """Answer 200 once models and indexes are open, 503 before."""
    opened = request.app.state.shelf.library.opened.is_set()
    return JSONResponse({"status": "ready" if opened else "opening"}, 200 if opened else 503)
