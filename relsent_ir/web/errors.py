"""What goes wrong, as a page or as JSON, in one line and without a path of this machine."""

import logging
from typing import Any

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from relsent_ir.errors import InputError, MismatchError, RelsentError, UsageError
from relsent_ir.web.page import render
from relsent_ir.web.work import BusyError, TooLongError

_log = logging.getLogger(__name__)


def install(app: FastAPI) -> None:
    """Let an application answer errors."""
    app.add_exception_handler(RequestValidationError, _unreadable)
    app.add_exception_handler(HTTPException, _http)
    app.add_exception_handler(RelsentError, _ours)
    app.add_exception_handler(BusyError, _busy)
    app.add_exception_handler(TooLongError, _busy)


def answer(request: Request, status: int, problem: str, fix: str = "") -> Response:
    """Say what is wrong."""
    headers = {"Retry-After": "5"} if status == 503 else None
    if request.url.path.startswith(("/api/", "/export/", "/health", "/ready")):
        return JSONResponse({"error": problem, "fix": fix}, status, headers)
    page = render(request, "error", status, problem=problem, fix=fix)
    page.headers.update(headers or {})
    return page


def _unreadable(request: Request, error: Any) -> Response:
    first = error.errors()[0]
    name = str(first["loc"][-1])
    return answer(request, 422, f"{name}: {first['msg'][:1].lower()}{first['msg'][1:]}")


def _http(request: Request, error: Any) -> Response:
    problem = "there is no such page" if error.detail == "Not Found" else str(error.detail)
    return answer(request, error.status_code, problem)


def _ours(request: Request, error: Any) -> Response:
    kinds = {UsageError: 400, MismatchError: 400, InputError: 404}
    status = next((code for kind, code in kinds.items() if isinstance(error, kind)), 503)
    if status == 503:
        _log.warning("%s", error)
    return answer(request, status, error.problem, error.fix or "")


def _busy(request: Request, error: Exception) -> Response:
    problem = "this took too long" if isinstance(error, TooLongError) else "too many ask at once"
    return answer(request, 503, problem, "try again, or ask for less")


def failed(request: Request, error: Exception) -> Response:
    """Own up to a mistake of ours."""
    _log.error("%s %s failed", request.method, request.url.path, exc_info=error)
    return answer(request, 500, "something went wrong here; the log says what")
