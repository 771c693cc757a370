"""The options of verbs whose work is done here, in several processes, or on a cluster."""

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import click

from relsent_ir.cli.options import F, file_option
from relsent_ir.errors import UsageError

if TYPE_CHECKING:
    from relsent_ir.executor import Executor

_TLS = {
    "key": "Our key.",
    "cert": "Our certificate.",
    "ca": "Talk by TLS; the authority.",
}


def executor_option(help_text: str = "") -> Callable[[F], F]:
    """``--scheduler``, ``--tls-*`` and, if it has a help text, ``--threads``.

    The verb gets an `Executor`, to be entered where its work begins.
    """

    def decorate(function: F) -> F:
        @wraps(function)
        def call(scheduler: str | None, **rest: Any) -> Any:
            threads = rest.pop("threads") if help_text else 1  # else the verb's own
            tls = [path for name in reversed(_TLS) if (path := rest.pop(f"tls_{name}"))]
            return function(executor=_executor(threads, scheduler, tls), **rest)

        for name, text in _TLS.items():
            call = file_option(f"--tls-{name}", metavar="PEM", help=text)(call)
        call = click.option(
            "--scheduler",
            metavar="ADDRESS",
            help="Work on the workers of this Dask scheduler, as 10.0.0.1:8786.",
        )(call)
        if help_text:
            call = click.option(
                "--threads",
                type=click.IntRange(1),
                default=1,
                show_default=True,
                help=help_text,
            )(call)
        return cast("F", call)

    return decorate


def _executor(threads: int, scheduler: str | None, tls: list[Path]) -> "Executor":
    from relsent_ir.executor import SERIAL, Dask, Processes

    if scheduler is None:
        return Processes(threads) if threads > 1 else SERIAL
    if threads > 1:
        raise UsageError("--threads and --scheduler exclude each other")
    if len(tls) not in (0, len(_TLS)):
        raise UsageError("--tls-ca, --tls-cert and --tls-key go together")
    return Dask(scheduler, (tls[0], tls[1], tls[2]) if tls else None)
