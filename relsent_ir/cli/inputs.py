"""Inputs of the verbs: topics and runs that are read, engines and rerankers that are opened."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from relsent_ir.errors import UsageError

if TYPE_CHECKING:
    from relsent_ir.feedback.engine import Engine
    from relsent_ir.hits import Run
    from relsent_ir.rank import Reranker
    from relsent_ir.ranker.ranking import RankerReranker


@dataclass(frozen=True)
class Topics:
    """The topics that a user named: a file, its format (None: by content), TREC's field."""

    path: Path
    form: str | None
    field: str

    def read(self) -> dict[str, str]:
        """Read them."""
        from relsent_ir.trec import read_topics

        return read_topics(self.path, self.form, field=self.field)


def read_runs(given: tuple[str, ...], flag: str = "--run") -> "dict[str, Run]":
    """Read the runs of ``--run NAME=FILE``, or of another flag.

    Raises
    ------
    UsageError
        If one has no name, or two have the same.
    """
    from relsent_ir.trec import read_run

    runs: dict[str, Run] = {}
    for text in given:
        name, sign, path = text.partition("=")
        if not (sign and path and name.replace("-", "").isalnum()):
            raise UsageError(f"cannot read {flag} {text}", fix=f"write {flag} dense=FILE")
        if name in runs:
            raise UsageError(f"two runs of the name {name}", fix="give each a name of its own")
        runs[name] = read_run(path)
    return runs


def open_ranker(
    model: str | Path, runs: "dict[str, Run] | None" = None, related: Path | None = None
) -> "RankerReranker":
    """Open a ranker, with what its features need."""
    from relsent_ir.ranker.ranking import RankerReranker
    from relsent_ir.related.opening import load_related

    trained = load_related(related) if related else None
    return RankerReranker(model, runs=runs, related=trained)


class Cached:
    """The collections and rerankers that ``tune`` keeps for a verb, whose runs it takes itself.

    A verb knows by this object of its click context that it is cached.
    """

    def __init__(self) -> None:
        self.engines: dict[tuple[Path, str], Engine] = {}
        self.rerankers: dict[tuple[Path, str, tuple[str, ...]], Reranker] = {}

    def close(self) -> None:
        """Let go of the files."""
        for engine in self.engines.values():
            engine.collection.close()


def cached_for_tuning() -> Cached | None:
    """Return what stays open between runs of a verb that is tuned; None where a user called it."""
    context = click.get_current_context(silent=True)
    return context.find_object(Cached) if context else None


@contextmanager
def open_engine(index: Path, unit: str, engine: str = "auto") -> "Iterator[Engine]":
    """Open a collection to search, by an engine; while the verb is tuned, it stays open."""
    from relsent_ir.feedback.engine import Engine
    from relsent_ir.lucene.read.collection import Indexes

    cached = cached_for_tuning()
    if cached is None:
        with Indexes(index) as collection:
            yield Engine(collection, unit, engine)
        return
    if (index, unit) not in cached.engines:
        cached.engines[index, unit] = Engine(Indexes(index), unit, engine)
    yield cached.engines[index, unit]


def cached_reranker(index: Path, model: str, evidence: tuple[str, ...] = ()) -> "Reranker":
    """Open a reranker; while the verb is tuned it is kept, and what sentences and rankers score.

    A ranker takes runs as evidence.
    """
    from relsent_ir.rank import Remembers, open_reranker

    cached = cached_for_tuning()
    if cached and (index, model, evidence) in cached.rerankers:
        return cached.rerankers[index, model, evidence]
    if evidence:
        opened: Reranker = open_ranker(model, read_runs(evidence, "--evidence"))
    else:
        opened = open_reranker(model)
    if cached:
        cached.rerankers[index, model, evidence] = opened
        if isinstance(opened, Remembers):
            opened.remembered = {}
    return opened
