"""What every answer passes: headers that keep a browser from doing more than we want, and a log."""

import json
import logging
import time
from collections.abc import Callable
from typing import Final

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

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
"""A line of JSON for each request, without what was asked: queries are the reader's own."""


class Guard:
    """Gives answers their headers, and logs them.

    Parameters
    ----------
    app : ASGI application
    failed : callable
        Answers a request that failed by a mistake of ours.
    """

    def __init__(self, app: ASGIApp, failed: Callable[[Request, Exception], Response]) -> None:
        self.app = app
        self.failed = failed

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
            await self.failed(Request(scope), error)(scope, receive, sending)
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
