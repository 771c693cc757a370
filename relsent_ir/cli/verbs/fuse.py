"""``relsent-ir fuse``: one run out of several."""

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from relsent_ir.cli import options
from relsent_ir.cli.output import Output
from relsent_ir.cli.requests import Request, options_of, run_verb
from relsent_ir.methods import Fusion

if TYPE_CHECKING:
    from relsent_ir.hits import Run


class Fusing(Request[Fusion]):
    """Fuse runs into one.

    Ranks are those that trec_eval sees: by score, whatever the rank column says.
    """

    kinds = (Fusion,)
    runs: tuple[Path, ...] = options.files("The runs to fuse.", required=True, metavar="RUN RUN...")
    output: Output = options.grouped(
        Output,
        path=options.file("--output", "The run to write.", required=True, metavar="PATH"),
        tag=options.option(
            "--runtag", "Name of the fused run.", default="relsent-ir", show_default=True
        ),
    )
    flags: Mapping[str, Any] = options_of(kinds)

    @cached_property
    def inputs(self) -> "list[Run]":
        """The runs, which share topics."""
        from relsent_ir.trec import check_common_topics, read_run

        runs = [read_run(path) for path in self.runs]
        for path, run in zip(self.runs[1:], runs[1:], strict=True):
            check_common_topics(runs[0], run, str(self.runs[0]), str(path))
        return runs

    def run(self, method: Fusion, hits: int | None) -> "Run":
        """Fuse them."""
        from relsent_ir.trec import average, combine, interpolate, normalize, reciprocal_rank

        runs, sizes = self.inputs, {"depth": method.depth, "k": hits or method.k}
        if method.method == "rrf":
            return reciprocal_rank(runs, rrf_k=method.rrf_k, **sizes)
        if method.method == "interpolation":
            return interpolate(runs, alpha=method.alpha, **sizes)
        if method.method == "average":
            return average(runs, **sizes)
        if method.method == "normalize":
            return normalize(runs, weights=method.numbers, **sizes)
        return combine(runs, how=method.method, **sizes)


command = run_verb("fuse", Fusing)
