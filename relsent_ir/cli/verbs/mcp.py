"""``relsent-ir mcp``: a collection's views as tools for agents."""

import os
import sys
from pathlib import Path

import click

from relsent_ir.cli import options
from relsent_ir.cli.serving import hosts_of, listening, serve_app
from relsent_ir.errors import MissingError, UsageError


@options.verb()
def command(
    index: Path = options.index,
    related: str = options.option(
        "--model",
        "What finds related sentences.",
        default="huber-plus",
        show_default=True,
        metavar="MODEL|FORMULA",
    ),
    ranker: str = options.option("Order hits by this reranker.", default="", metavar="MODEL|NAME"),
    http: bool = options.flag("--http", "Speak over HTTP, at /mcp, not over stdin and stdout."),
    host: str = options.option("The address to listen at.", default="127.0.0.1", show_default=True),
    port: int = options.count("0 takes a free one.", default=8001, least=0, most=65535),
    names: tuple[str, ...] = options.option(
        "--allow-host",
        "Another name by which clients call this server. Repeatable.",
        multiple=True,
        metavar="NAME",
    ),
    token: str = options.option(
        "What clients have to give, as a bearer's token.", default="", metavar="TEXT"
    ),
) -> None:
    """Let agents search a collection, by the Model Context Protocol.

    Tools: search, answer, record, related, similar, names, check; what they give is the JSON of
    the page. Over stdin and stdout it ends with its client.
    """
    if not http and (names or token or host != "127.0.0.1"):
        raise UsageError("--host, --allow-host and --token go with --http")
    try:
        from relsent_ir.web.agents import Agents
        from relsent_ir.web.settings import Settings
    except ImportError as error:
        raise MissingError(
            f"the package {error.name} is not installed", fix="pip install 'relsent-ir[mcp]'"
        ) from error
    from relsent_ir.api import open_collection

    settings = Settings(ranker, related, hosts=hosts_of(host, names), token=token)
    agents = Agents(open_collection(index), settings)
    if http:
        with listening(host, port, token) as (place, address):
            click.echo(f"{address}/mcp  (Ctrl-C ends it)")
            sys.stdout.flush()
            agents.begin()
            serve_app(agents.app(), place)
        return
    agents.serve_stdio()
    # The client is gone: what is still being opened for it is not waited for.
    sys.stderr.flush()
    os._exit(0)
