"""``relsent-ir serve`` and ``mcp``: the web page of a collection, and tools for agents."""

import gc
import logging
import os
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote

import click

from relsent_ir.cli import options
from relsent_ir.errors import MissingError, UsageError

if TYPE_CHECKING:
    from starlette.types import ASGIApp


CONNECTIONS: Final = 200  # open at the same time
LOOPBACK: Final = "127.0.0.1"


@dataclass(frozen=True)
class Listener:
    """The address of a server, and the clients that it answers.

    Attributes
    ----------
    host : str
        The network address on which it listens.
    port : int
        The port; 0 for any free port.
    names : tuple of str
        Other names by which clients reach it.
    token : str
        The secret that clients must send; "" for none.
    """

    host: str
    port: int
    names: tuple[str, ...]
    token: str

    @property
    def hosts(self) -> tuple[str, ...]:
        """The host names that it accepts."""
        from relsent_ir.web.settings import LOCAL

        return tuple(dict.fromkeys((*LOCAL, _bracketed(self.host), *self.names)))

    @contextmanager
    def listening(self) -> Iterator[tuple[socket.socket, str]]:
        """Bind the port before anything is printed; return it with the server's URL."""
        host = self.host
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        try:
            place = socket.create_server((host, self.port), family=family, backlog=128)
        except OSError as error:
            problem = f"cannot listen at {host} port {self.port}: {error.strerror}"
            raise UsageError(problem, fix="another --port, or --port 0 for a free one") from None
        if not (self.token or host in ("localhost", "::1") or host.startswith("127.")):
            told = f"whoever reaches {host} can read this collection (--token TEXT asks for one)"
            click.echo(f"relsent-ir: warning: {told}", err=True)
        with place:
            yield place, f"http://{_bracketed(host)}:{place.getsockname()[1]}"


def listener(port: int, clients: str, token: str) -> Any:
    """Declare ``--host``, ``--port``, ``--allow-host`` and ``--token``, which give a `Listener`.

    Parameters
    ----------
    port : int
        The default port.
    clients : str
        The noun for clients in the help.
    token : str
        The help of ``--token``.
    """
    return options.grouped(
        Listener,
        host=options.option("The address to listen at.", default=LOOPBACK, show_default=True),
        port=options.count("0 takes a free one.", default=port, least=0, most=65535),
        names=options.option(
            "--allow-host",
            f"Another name by which {clients} call this server. Repeatable.",
            multiple=True,
            metavar="NAME",
        ),
        token=options.option(token, callback=_secret, metavar="TEXT"),
    )


def _secret(_context: click.Context, _option: click.Parameter, token: str | None) -> str:
    """Return the given token, or "" if there is none; refuse an empty or unprintable one."""
    if token is not None and not (
        token.isascii() and token.isprintable() and token.split() == [token]
    ):
        problem = "--token is empty, or has white space or letters beyond ASCII"
        raise UsageError(problem, fix="openssl rand -hex 16 makes one")
    return token or ""


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def serve_app(app: "ASGIApp", place: socket.socket) -> None:
    """Serve until Ctrl-C; log a line of JSON for each request to stderr."""
    import uvicorn

    from relsent_ir.web.budgets import give_back
    from relsent_ir.web.protocol import GRACE, Impatient, Punctual

    give_back()
    handler = logging.StreamHandler()
    handler.setFormatter(logging.Formatter("%(message)s"))
    log = logging.getLogger("relsent_ir.web.access")
    log.handlers, log.propagate = [handler], False
    log.setLevel(logging.INFO)
    # A filter that no document passes is not worth a warning here.
    logging.getLogger("relsent_ir.lucene.read.search").setLevel(logging.ERROR)
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
    gc.collect()
    gc.freeze()  # collections then skip 150,000 lasting objects, and check those of requests only
    sys.setswitchinterval(0.001)  # so that quick pages need not wait for a long computation
    with suppress(KeyboardInterrupt):  # raised after a regular end
        Punctual(config).run(sockets=[place])


@options.verb()
def command(
    index: Path = options.index,
    related: str = options.matcher(
        "What finds related sentences; a trained one tells their probability too."
    ),
    ranker: str = options.option(
        "Order hits by this reranker, with a switch to BM25.", default="", metavar="MODEL|NAME"
    ),
    runs: tuple[Path, ...] = options.files(
        "--run", "Show this run; repeatable, the baseline first.", metavar="RUN", needs="--qrels"
    ),
    qrels: Path | None = options.file(
        "The judgements of the runs' topics.", type=options.QRELS, needs="--run"
    ),
    topics: Path | None = options.file("Their texts.", type=options.TOPICS, needs="--run"),
    server: Listener = listener(
        8000, "browsers", "What a browser has to give once, as ?token=TEXT."
    ),
    name: str = options.option(
        "What the page calls the collection; default: the folder's name.", default=""
    ),
    browse: bool = options.flag("--open", "Open a browser."),
) -> None:
    """Serve the reader's page of a collection, until Ctrl-C.

    Sentences in their abstracts, with related ones under them and why; questions; two names; runs
    side by side. Only this machine can see it, unless --host says otherwise. A line of JSON for
    each request goes to stderr, without what was asked.
    """
    try:
        from relsent_ir.web import Settings, create_app
    except ImportError as error:
        raise MissingError(
            f"the package {error.name} is not installed", fix="pip install 'relsent-ir[web]'"
        ) from error
    from relsent_ir.api import open_collection

    settings = Settings(
        ranker, related, runs, qrels, topics, server.hosts, token=server.token, name=name
    )
    app = create_app(open_collection(index), settings)
    with server.listening() as (place, address):
        address += f"/?token={quote(server.token, safe='')}" if server.token else "/"
        click.echo(f"{address}  (Ctrl-C ends it)")
        sys.stdout.flush()
        if browse:
            click.launch(address)
        serve_app(app, place)


@options.verb()
def mcp(
    index: Path = options.index,
    related: str = options.matcher("What finds related sentences."),
    ranker: str = options.option("Order hits by this reranker.", default="", metavar="MODEL|NAME"),
    http: bool = options.flag("--http", "Speak over HTTP, at /mcp, not over stdin and stdout."),
    server: Listener = listener(8001, "clients", "What clients have to give, as a bearer's token."),
) -> None:
    """Let agents search a collection, by the Model Context Protocol.

    Tools: search, answer, record, related, similar, names, entity, check; what they give is the
    JSON of the page. Over stdin and stdout it ends with its client.
    """
    if not http and (server.names or server.token or server.host != LOOPBACK):
        raise UsageError("--host, --allow-host and --token go with --http")
    try:
        from relsent_ir.web.agents import Agents
        from relsent_ir.web.settings import Settings
    except ImportError as error:
        raise MissingError(
            f"the package {error.name} is not installed", fix="pip install 'relsent-ir[mcp]'"
        ) from error
    from relsent_ir.api import open_collection

    settings = Settings(ranker, related, hosts=server.hosts, token=server.token)
    agents = Agents(open_collection(index), settings)
    if http:
        with server.listening() as (place, address):
            click.echo(f"{address}/mcp  (Ctrl-C ends it)")
            sys.stdout.flush()
            agents.begin()
            serve_app(agents.app(), place)
        return
    agents.serve_stdio()
    # The client has disconnected: do not wait for what is still being opened for it.
    sys.stderr.flush()
    os._exit(0)
