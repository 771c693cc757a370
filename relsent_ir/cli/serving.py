"""Serving at an address: the port, who is answered, uvicorn."""

import logging
import socket
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Final

import click

from relsent_ir.errors import UsageError

if TYPE_CHECKING:
    from starlette.types import ASGIApp

GRACE: Final = 10  # seconds that requests have to end
CONNECTIONS: Final = 200  # open at once


def hosts_of(host: str, names: Sequence[str]) -> tuple[str, ...]:
    """Return the names that a server at an address answers to."""
    from relsent_ir.web.settings import LOCAL

    return tuple(dict.fromkeys((*LOCAL, _bracketed(host), *names)))


@contextmanager
def listening(host: str, port: int, token: str) -> Iterator[tuple[socket.socket, str]]:
    """Take the port, before anything is said of it; gives the server's address too."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        place = socket.create_server((host, port), family=family, backlog=128)
    except OSError as error:
        problem = f"cannot listen at {host} port {port}: {error.strerror}"
        raise UsageError(problem, fix="another --port, or --port 0 for a free one") from None
    if not (token or host in ("localhost", "::1") or host.startswith("127.")):
        told = f"whoever reaches {host} can read this collection (--token TEXT asks for one)"
        click.echo(f"relsent-ir: warning: {told}", err=True)
    with place:
        yield place, f"http://{_bracketed(host)}:{place.getsockname()[1]}"


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def serve_app(app: "ASGIApp", place: socket.socket) -> None:
    """Serve until Ctrl-C; a line of JSON for each request goes to stderr."""
    import uvicorn

    from relsent_ir.web.budgets import give_back
    from relsent_ir.web.protocol import Impatient

    give_back()
    handler = logging.StreamHandler()
    handler.setFormatter(logging.Formatter("%(message)s"))
    log = logging.getLogger("relsent_ir.web.access")
    log.handlers, log.propagate = [handler], False
    log.setLevel(logging.INFO)
    # A filter that nothing passes is the reader's affair.
    logging.getLogger("relsent_ir.lucene.read.filters").setLevel(logging.ERROR)
    config = uvicorn.Config(
        app,
        log_config=None,
        log_level=logging.WARNING,
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=GRACE,
        limit_concurrency=CONNECTIONS,
        http=Impatient,
    )
    sys.setswitchinterval(0.001)  # quick pages do not wait for a long calculation of another thread
    with suppress(KeyboardInterrupt):  # it has ended well when it is raised
        uvicorn.Server(config).run(sockets=[place])
