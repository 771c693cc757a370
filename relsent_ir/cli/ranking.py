"""The options of verbs that have a ranker: runs from elsewhere, a model of related sentences."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from relsent_ir.cli.options import F, evidence_option, file_option
from relsent_ir.errors import UsageError

if TYPE_CHECKING:
    from relsent_ir.hits import Run
    from relsent_ir.ranker.ranking import RankerReranker


def candidates_options(function: F) -> F:
    """``--depth``, ``--run`` and ``--related``: the candidates, and what their features are of."""
    depth = click.option(
        "--depth",
        type=click.IntRange(1),
        default=1000,
        show_default=True,
        help="Candidates of a topic.",
    )
    text = "A trained model of related sentences whose scores are features.  [default: none]"
    related = file_option("--related", metavar="MODEL", help=text)
    return depth(evidence_option(related(function)))


def read_runs(given: tuple[str, ...], flag: str = "--run") -> "dict[str, Run]":
    """Read the runs of ``--run NAME=FILE``, or of another flag.

    Raises
    ------
    UsageError
        If one has no name, or two have the same.
    """
    from relsent_ir.trec import read_run

    found: dict[str, Run] = {}
    for one in given:
        name, sign, path = one.partition("=")
        if not (sign and path and name.replace("-", "").isalnum()):
            raise UsageError(f"cannot read {flag} {one}", fix=f"write {flag} dense=FILE")
        if name in found:
            raise UsageError(f"two runs of the name {name}", fix="give each a name of its own")
        found[name] = read_run(path)
    return found


def open_ranker(
    model: str | Path, runs: "dict[str, Run] | None" = None, related: Path | None = None
) -> "RankerReranker":
    """Open a ranker, with what its features need."""
    from relsent_ir.ranker.ranking import RankerReranker
    from relsent_ir.related.opening import load_related

    trained = load_related(related) if related else None
    return RankerReranker(model, runs=runs, related=trained)
