"""The options of verbs that have a ranker: runs from elsewhere, a model of related sentences."""

from pathlib import Path
from typing import TYPE_CHECKING

from relsent_ir.cli.options import F, file_option
from relsent_ir.errors import UsageError

if TYPE_CHECKING:
    from relsent_ir.hits import Run
    from relsent_ir.ranker.reranking import RankerReranker


def related_option(function: F) -> F:
    """``--related MODEL``."""
    text = "A trained model of related sentences whose scores are features.  [default: none]"
    return file_option("--related", metavar="MODEL", help=text)(function)


def read_runs(given: tuple[str, ...]) -> "dict[str, Run]":
    """Read the runs of ``--run NAME=FILE``.

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
            raise UsageError(f"cannot read --run {one}", fix="write --run dense=FILE")
        if name in found:
            raise UsageError(f"two runs of the name {name}", fix="give each a name of its own")
        found[name] = read_run(path)
    return found


def open_ranker(
    model: str | Path, runs: "dict[str, Run] | None" = None, related: Path | None = None
) -> "RankerReranker":
    """Open a ranker, with what its features need."""
    from relsent_ir.ranker.reranking import RankerReranker
    from relsent_ir.related.model import load_related

    trained = load_related(related) if related else None
    return RankerReranker(model, runs=runs, related=trained)
