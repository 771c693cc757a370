"""``relsent-ir serve``: the reader's page of a collection."""

import logging
import socket
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from relsent_ir.cli import options
from relsent_ir.errors import MissingError, UsageError

if TYPE_CHECKING:
    from fastapi import FastAPI

GRACE: Final = 10  # seconds that requests have to end
CONNECTIONS: Final = 200  # open at once


@options.verb()
def command(
    index: Path = options.index,
    related: str = options.option(
        "--model",
        "What finds related sentences; a trained one tells their probability too.",
        default="huber-plus",
        show_default=True,
        metavar="MODEL|FORMULA",
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
    host: str = options.option("The address to listen at.", default="127.0.0.1", show_default=True),
    port: int = options.count("0 takes a free one.", default=8000, least=0, most=65535),
    names: tuple[str, ...] = options.option(
        "--allow-host",
        "Another name by which browsers call this server. Repeatable.",
        multiple=True,
        metavar="NAME",
    ),
    token: str = options.option(
        "What a browser has to give once, as ?token=TEXT.", default="", metavar="TEXT"
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
    from relsent_ir.web.settings import LOCAL

    shown = f"[{host}]" if ":" in host else host
    hosts = tuple(dict.fromkeys((*LOCAL, shown, *names)))
    settings = Settings(ranker, related, runs, qrels, topics, hosts, token=token)
    app = create_app(open_collection(index), settings)
    with _listening(host, port) as place:
        address = f"http://{shown}:{place.getsockname()[1]}/{f'?token={token}' if token else ''}"
        if not (token or host in ("localhost", "::1") or host.startswith("127.")):
            told = f"whoever reaches {shown} can read this collection (--token TEXT asks for one)"
            click.echo(f"relsent-ir: warning: {told}", err=True)
        click.echo(f"{address}  (Ctrl-C ends it)")
        sys.stdout.flush()
        if browse:
            click.launch(address)
        _serve(app, place)


def _listening(host: str, port: int) -> socket.socket:
    """Take the port, before anything is said of it."""
    try:
        return socket.create_server(
            (host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET, backlog=128
        )
    except OSError as error:
        problem = f"cannot listen at {host} port {port}: {error.strerror}"
        raise UsageError(problem, fix="another --port, or --port 0 for a free one") from None


def _serve(app: "FastAPI", place: socket.socket) -> None:
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
