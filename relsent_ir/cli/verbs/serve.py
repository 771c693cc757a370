"""``relsent-ir serve``: the reader's page of a collection."""

import sys
from pathlib import Path
from urllib.parse import quote

import click

from relsent_ir.cli import options
from relsent_ir.cli.serving import Listener, listener, serve_app
from relsent_ir.errors import MissingError


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

    settings = Settings(ranker, related, runs, qrels, topics, server.hosts, token=server.token)
    app = create_app(open_collection(index), settings)
    with server.listening() as (place, address):
        address += f"/?token={quote(server.token, safe='')}" if server.token else "/"
        click.echo(f"{address}  (Ctrl-C ends it)")
        sys.stdout.flush()
        if browse:
            click.launch(address)
        serve_app(app, place)
