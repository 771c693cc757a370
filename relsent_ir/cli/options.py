"""Options that several verbs have, spelled as Pyserini and Anserini spell them."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

F = TypeVar("F", bound=Callable[..., Any])


def index_option(function: F) -> F:
    """``--index DIR``."""
    return click.option(
        "--index",
        required=True,
        type=click.Path(path_type=Path),
        metavar="DIR",
        help="The collection's indexes.",
    )(function)


def unit_option(function: F) -> F:
    """``--unit abstracts|sentences``."""
    return click.option(
        "--unit",
        type=click.Choice(["abstracts", "sentences"]),
        default="abstracts",
        show_default=True,
        help="What is searched.",
    )(function)


def heap_option(function: F) -> F:
    """``--heap SIZE``, applied before Java starts."""

    def set_heap(_ctx: click.Context, _option: click.Parameter, size: str | None) -> None:
        from relsent_ir.lucene.jvm import set_heap as apply

        apply(size)

    return click.option(
        "--heap",
        metavar="SIZE",
        expose_value=False,
        callback=set_heap,
        help="Java's largest heap, as 512m or 4g.  [default: RELSENT_HEAP, or 1g]",
    )(function)


def model_output_option(function: F) -> F:
    """``--output MODEL``, of the verbs that train."""
    return click.option(
        "--output",
        required=True,
        type=click.Path(path_type=Path),
        metavar="MODEL",
        help="The folder to write.",
    )(function)


def json_option(function: F) -> F:
    """``--json``."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON.")(function)


def bm25_options(function: F) -> F:
    """``--k1`` and ``--b``."""
    for name, default in (("--b", 0.4), ("--k1", 0.9)):
        function = click.option(
            name, type=float, default=default, show_default=True, help=f"BM25's {name[2:]}."
        )(function)
    return function
