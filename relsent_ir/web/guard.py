"""The guard of all answers: security headers, a log, and errors in one line.

Errors are answered as a page or as JSON, and never contain a local path.
"""

import json
import logging
import re
import time
from collections.abc import Sequence
from dataclasses import dataclass
from secrets import compare_digest
from typing import Any, Final

from fastapi.exceptions import RequestValidationError
from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from relsent_ir.errors import InputError, MismatchError, UsageError
from relsent_ir.web.budgets import BusyError
from relsent_ir.web.page import render
from relsent_ir.web.requests import address
from relsent_ir.web.settings import LOCAL

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
COOKIE: Final = "relsent-ir-{port}"
"""Browsers share cookies between all ports of a host."""
OPEN: Final = ("/health", "/static/")
"""Paths that need no token."""
_PORT: Final = re.compile(r":\d*$")
FOREVER: Final = "public, max-age=31536000, immutable"

access: Final = logging.getLogger("relsent_ir.web.access")
"""Logs a line of JSON for each request, without parameters, since queries are private."""


@dataclass(eq=False)
class Guard:
    """Set the headers of answers, log requests, and answer requests that fail by our fault.

    Parameters
    ----------
    app : ASGI application
    hosts : sequence of str
        The accepted names in the Host header.
    token : str
        A token that each browser must send once; "" for none.
    """

    app: ASGIApp
    hosts: Sequence[str] = LOCAL
    token: str = ""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a single request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        began = time.perf_counter()
        head = scope["method"] == "HEAD"  # as GET, without the body
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
                if head:
                    message = {**message, "body": b""}
                size += len(message.get("body", b""))
            await send(message)

        try:
            inner = {**scope, "method": "GET"} if head else scope
            await (self._refused(Request(scope)) or self.app)(inner, receive, sending)
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

    def _refused(self, request: Request) -> Response | None:
        """Refuse a request for another host, or without the token."""
        host = request.headers.get("host", "").lower()
        name = _PORT.sub("", host)
        if name not in self.hosts:
            shown = "".join(c for c in name[:100] if c.isprintable())
            text = f"this server does not answer to {shown!r} (serve --allow-host {shown})\n"
            return PlainTextResponse(text, 400)
        if self.token and not request.url.path.startswith(OPEN):
            parameter = request.query_params.get("token", "")
            cookie_name = COOKIE.format(port=request.url.port or request.url.scheme)
            cookie = request.cookies.get(cookie_name, "")
            bearer = request.headers.get("authorization", "").removeprefix("Bearer ")
            if any(compare_digest(self.token.encode(), x.encode()) for x in (cookie, bearer)):
                pass
            elif compare_digest(self.token.encode(), parameter.encode()):
                rest = [pair for pair in request.query_params.multi_items() if pair[0] != "token"]
                path = f"/{request.url.path.lstrip('/')}"  # "//host" would redirect to another host
                welcome = RedirectResponse(address(path, rest), 303)
                welcome.set_cookie(
                    cookie_name,
                    self.token,
                    secure=request.url.scheme == "https",
                    httponly=True,
                    samesite="strict",
                )
                return welcome
            else:
                text = "this page asks for a token: add ?token=... to its address, once\n"
                return PlainTextResponse(text, 401)
        site = request.headers.get("sec-fetch-site", "none")
        visit = request.headers.get("sec-fetch-dest") == "document"
        if site in ("cross-site", "same-site") and not visit:
            return PlainTextResponse("only links lead here from other sites\n", 403)
        return None


_log = logging.getLogger(__name__)


def answer(
    request: Request,
    status: int,
    problem: str,
    fix: str = "",
    unread: Sequence[str] = (),
    again: int = 5,
) -> Response:
    """Show a problem, if possible in the form, which keeps all readable parameters.

    `again` is the number of seconds to wait after a 503 before another attempt.
    """
    headers = {"Retry-After": str(again)} if status == 503 else None
    if request.url.path.startswith(("/api/", "/export/", "/health", "/ready")):
        return JSONResponse({"error": problem, "fix": fix}, status, headers)
    page: Response | None = None
    if status in (400, 422, 503):
        page = request.app.state.form(request, status, problem, fix, unread)
    page = page or render(request, "error", status, problem=problem, fix=fix)
    page.headers.update(headers or {})
    return page


def refused(request: Request, error: Any) -> Response:
    """Answer a request with parameters that cannot be read, for no page, or that a rule refuses."""
    if isinstance(error, RequestValidationError):
        errors = error.errors()
        places = [str(item["loc"][1]) for item in errors if len(item["loc"]) > 1]
        name, text = str(errors[0]["loc"][-1]), errors[0]["msg"]
        return answer(request, 422, f"{name}: {text[:1].lower()}{text[1:]}", unread=places)
    if isinstance(error, HTTPException):
        problem = "there is no such page" if error.detail == "Not Found" else str(error.detail)
        return answer(request, error.status_code, problem)
    kinds = {UsageError: 400, MismatchError: 400, InputError: 404}
    status = next((code for kind, code in kinds.items() if isinstance(error, kind)), 503)
    again = getattr(error, "seconds", 5)
    if status == 503 and not isinstance(error, BusyError):
        _log.warning("%s", error)
    return answer(request, status, error.problem, error.fix or "", again=again)


def failed(request: Request, error: Exception) -> Response:
    """Answer a request that failed by our fault."""
    _log.error("%s %s failed", request.method, request.url.path, exc_info=error)
    return answer(request, 500, "something went wrong here; the log says what")
