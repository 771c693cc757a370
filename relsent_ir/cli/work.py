"""Where a verb's work is done: here, in several processes, or on the workers of a cluster."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import click

from relsent_ir.cli.options import F, file_option
from relsent_ir.errors import UsageError

if TYPE_CHECKING:
    from relsent_ir.processes import Spread


@dataclass(frozen=True)
class Work:
    """What the user said of where to work.

    Attributes
    ----------
    threads : int
        Processes.
    scheduler : str or None
        The address of Dask's.
    certificates : tuple of Path or None
        The authority's, ours, our key; all or none.
    """

    threads: int = 1
    scheduler: str | None = None
    certificates: tuple[Path | None, ...] = (None, None, None)

    @property
    def elsewhere(self) -> bool:
        """Whether others than this process work."""
        return self.scheduler is not None or self.threads > 1

    @contextmanager
    def open(self) -> "Iterator[Spread]":
        """Start processes, or meet the cluster."""
        from relsent_ir.processes import Crew, here

        if self.scheduler is not None:
            from relsent_ir.cluster import Certificates, Cluster

            named = [path for path in self.certificates if path is not None]
            if named and len(named) < len(self.certificates):
                raise UsageError("--tls-ca, --tls-cert and --tls-key go together")
            with Cluster(self.scheduler, Certificates(*named) if named else None) as cluster:
                yield cluster
        elif self.threads > 1:
            with Crew(self.threads) as crew:
                yield crew
        else:
            yield here


def work_options(help_text: str, *, processes: bool = True) -> Callable[[F], F]:
    """``--threads`` (if `processes`), ``--scheduler`` and ``--tls-*``; the verb gets `Work`."""

    def decorate(function: F) -> F:
        @wraps(function)
        def call(
            scheduler: str | None,
            tls_ca: Path | None,
            tls_cert: Path | None,
            tls_key: Path | None,
            **rest: Any,
        ) -> Any:
            threads = rest.pop("threads") if processes else 1  # else the verb's own
            if scheduler is not None and threads > 1:
                raise UsageError("--threads and --scheduler exclude each other")
            return function(work=Work(threads, scheduler, (tls_ca, tls_cert, tls_key)), **rest)

        call = file_option("--tls-key", metavar="PEM", help="Our key.")(call)
        call = file_option("--tls-cert", metavar="PEM", help="Our certificate.")(call)
        call = file_option("--tls-ca", metavar="PEM", help="Talk by TLS; the authority.")(call)
        call = click.option(
            "--scheduler",
            metavar="ADDRESS",
            help="Work on the workers of this Dask scheduler, as 10.0.0.1:8786.",
        )(call)
        if processes:
            call = click.option(
                "--threads",
                type=click.IntRange(1),
                default=1,
                show_default=True,
                help=help_text,
            )(call)
        return cast("F", call)

    return decorate
