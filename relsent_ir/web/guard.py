"""The guard of every answer: headers that bind a browser, a log, and errors in one line.

An error is answered as a page or as JSON, without a path of this machine.
"""

import json
import logging
import time
from typing import Any, Final

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from relsent_ir.errors import InputError, MismatchError, RelsentError, UsageError
from relsent_ir.web.budgets import BusyError, TooLongError
from relsent_ir.web.page import render

POLICY: Final = "; ".join(
    (
        "default-src 'none'", "style-src 'self'", "script-src 'self'", "img-src 'self'",
        "connect-src 'self'", "form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'",
    )
)  # fmt: skip
HEADERS: Final = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
FOREVER: Final = "public, max-age=31536000, immutable"

access: Final = logging.getLogger("relsent_ir.web.access")
"""A line of JSON for each request, without its parameters: queries are the reader's own."""


class Guard:
    """Sets the headers of answers, logs them, and answers requests that fail by our mistake.

    Parameters
    ----------
    app : ASGI application
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        began = time.perf_counter()
        status, size, began_to_answer = 500, 0, False

        async def sending(message: Message) -> None:
            nonlocal status, size, began_to_answer
            if message["type"] == "http.response.start":
                status, began_to_answer = message["status"], True
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers[name] = value
                lasting = scope["path"].startswith("/static/") and status == 200
                headers["Cache-Control"] = FOREVER if lasting else "no-cache"
            elif message["type"] == "http.response.body":
                size += len(message.get("body", b""))
            await send(message)

        try:
            await self.app(scope, receive, sending)
        except Exception as error:
            if began_to_answer:
                raise
            await failed(Request(scope), error)(scope, receive, sending)
        finally:
            access.info(
                "%s",
                json.dumps(
                    {
                        "time": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
                        "client": scope["client"][0] if scope.get("client") else "",
                        "method": scope["method"],
                        "path": scope["path"],
                        "status": status,
                        "bytes": size,
                        "ms": round(1000 * (time.perf_counter() - began), 1),
                    }
                ),
            )


_log = logging.getLogger(__name__)


def install(app: FastAPI) -> None:
    """Let an application answer errors."""
    app.add_exception_handler(RequestValidationError, _unreadable)
    app.add_exception_handler(HTTPException, _not_served)
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


def _not_served(request: Request, error: Any) -> Response:
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
