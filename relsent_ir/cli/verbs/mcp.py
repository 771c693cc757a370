"""``relsent-ir mcp``: a collection's views as tools for agents."""

import os
import sys
from pathlib import Path

import click

from relsent_ir.cli import options
from relsent_ir.cli.serving import LOOPBACK, Listener, listener, serve_app
from relsent_ir.errors import MissingError, UsageError


@options.verb()
def command(
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
    # The client is gone: what is still being opened for it is not waited for.
    sys.stderr.flush()
    os._exit(0)
