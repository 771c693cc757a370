"""``relsent-ir rerank``: reorder a run with another model."""

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from relsent_ir.cli import options
from relsent_ir.cli.options import Topics
from relsent_ir.cli.output import Output, describe_run, progress
from relsent_ir.cli.requests import Request, options_of, run_verb
from relsent_ir.methods import Ranker, Rerank

if TYPE_CHECKING:
    from relsent_ir.executor import Executor
    from relsent_ir.hits import Run
    from relsent_ir.lucene.read.collection import Indexes
    from relsent_ir.rank import Reranker


class Reranking(Request[Rerank]):
    """Order the hits of a run, sentences or records, by a model of what the topics ask for.

    Without --output the first hits are shown, with what the model says of them.

    Hits that the model cannot score, such as records without an abstract where sentences of
    abstracts are scored, follow the others in the order that they had.
    """

    kinds = (Rerank,)
    first: Path = options.file("--run", "The run to order.", required=True, metavar="RUN")
    topics: Topics = options.topics("Its topics.", required=True)
    index: Path = options.index
    flags: Mapping[str, Any] = options_of(kinds)
    evidence: tuple[str, ...] = options.option(
        "A run that a ranker was learned with (train ranker --run); may be repeated.",
        multiple=True,
        metavar="NAME=FILE",
    )
    hits: int | None = options.count(
        "Hits per topic.  [default: 10 that are shown; all in a run]", metavar="N"
    )
    executor: "Executor" = options.executor("Processes that order topics; the run is the same.")
    output: Output = options.run

    @cached_property
    def inputs(self) -> "tuple[Run, dict[str, str]]":
        """The run and its topics."""
        from relsent_ir.trec.columns import check_common_topics
        from relsent_ir.trec.runs import read_run

        queries, first = self.topics.read(), read_run(self.first)
        check_common_topics(first, queries, str(self.first), str(self.topics.path))
        return first, queries

    @cached_property
    def collection(self) -> "Indexes":
        """The indexes, in which ids are resolved as those of the run."""
        from relsent_ir.lucene.jvm import expect_queries
        from relsent_ir.lucene.read.collection import Indexes

        first, _ = self.inputs
        expect_queries(len(first), self.index / "abstracts")
        return self.files.enter_context(Indexes(self.index)).resolving(first)

    @cached_property
    def _runs(self) -> "dict[str, Run]":
        from relsent_ir.trec.runs import read_named_runs

        return read_named_runs(self.evidence, "--evidence")

    def _stage(self, model: str) -> Ranker | Rerank:
        return Ranker(model) if self.evidence else Rerank(model)

    def reranker(self, model: str) -> "Reranker":
        """Return a reranker, opened at its first use, as a ranker if it gives evidence."""
        reranker: Reranker = self._stage(model).open("rerank", self.opened, self._runs)
        return reranker

    def run(self, method: Rerank, hits: int | None) -> "Run":
        """Order the hits."""
        from relsent_ir.rank import reorder
        from relsent_ir.searching import reorder_apart

        model = method.model
        first, queries = self.inputs
        settings: dict[str, Any] = {
            name: getattr(method, name) for name in ("depth", "interpolate", "aggregate")
        }
        with progress("Reranking", "topics") as tick:
            settings["progress"] = tick
            if self.workers.local:
                ordered = reorder(self.reranker(model), self.collection, first, queries, **settings)
            else:
                stage, runs = self._stage(model), self._runs
                ordered = reorder_apart(
                    self.workers, self.index, stage, first, queries, runs=runs, **settings
                )
        return ordered.head(hits) if hits else ordered

    def show(self, run: "Run") -> None:
        """Show the first hits with the evidence of the model."""
        from relsent_ir.rank import Explains

        reranker = self.reranker(self.method(self.flags).model)
        explains = reranker if isinstance(reranker, Explains) else None
        first = run.head(self.output.depth(self.hits))
        self.output.view.show(describe_run(self.collection, first, self.inputs[1], explains))


command = run_verb("rerank", Reranking)
