"""Verbs that write a run: parsed once, carried out once, or by ``tune`` under several settings."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Self, TypeVar, cast, dataclass_transform

import click

from relsent_ir.cli.methods import Kinds, read_methods
from relsent_ir.cli.options import Command, Topics, declare
from relsent_ir.cli.output import Output
from relsent_ir.files import atomic_writer
from relsent_ir.method import Method, Parameter, Pipeline, parameters

if TYPE_CHECKING:
    from relsent_ir.executor import Executor
    from relsent_ir.hits import Run
    from relsent_ir.lucene.read.collection import Indexes

M = TypeVar("M", bound=Method | Pipeline)
HITS = Parameter("hits", int, None, "Hits per topic.", ("--hits",), low=1, optional=True)


@dataclass_transform(frozen_default=True, eq_default=False, kw_only_default=True)
@dataclass(frozen=True, eq=False, kw_only=True)
class Request(ABC, Generic[M]):
    """A parsed command line: the options of a verb are the defaults of a subclass's fields.

    A subclass is a dataclass too. What a request opens stays open until it is left, so that several
    settings share it.

    Attributes
    ----------
    kinds : sequence of type
        The methods that its flags may stand for.
    flags : mapping of str to Any
        The flags of methods on the command line.
    output : Output
    hits : int or None
        Hits per topic.
    topics : Topics or None
    text : str or None
        The only topic.
    index : Path or None
        The folder of the indexes.
    executor : Executor or None
        What shares out the work.
    files : ExitStack
        What is open.
    """

    kinds: ClassVar[Kinds]
    flags: Mapping[str, Any]
    output: Output
    hits: int | None = None
    topics: Topics | None = None
    text: str | None = None
    index: Path | None = None
    executor: "Executor | None" = None
    files: ExitStack = field(default_factory=ExitStack, init=False)

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        dataclass(frozen=True, eq=False, kw_only=True)(cls)

    @cached_property
    def queries(self) -> dict[str, str]:
        """The topics' texts."""
        return self.topics.read() if self.topics else {"": self.text or ""}

    @cached_property
    def collection(self) -> "Indexes":
        """The indexes."""
        from relsent_ir.lucene.read.collection import Indexes

        assert self.index
        return self.files.enter_context(Indexes(self.index))

    @cached_property
    def workers(self) -> "Executor":
        """The executor, entered."""
        assert self.executor
        return self.files.enter_context(self.executor)

    def method(self, flags: Mapping[str, Any]) -> M:
        """Return the method that flags stand for: by default the verb's only one."""
        (kind,) = self.kinds
        needs = any(declared.required for declared in parameters(kind))
        (method,) = read_methods(self.kinds, flags, () if needs else (kind(),))
        return cast("M", method)

    @abstractmethod
    def run(self, method: M, hits: int | None) -> "Run":
        """Return the run of a method: so many hits a topic, or as many as the verb gives."""

    def show(self, run: "Run") -> None:
        """Show the hits, if the verb works without --output."""

    def execute(self) -> None:
        """Write the run, or show its hits."""
        run = self.run(self.method(self.flags), self.hits)
        if self.output.wanted:
            self.output.finish(run)
        else:
            self.show(run)

    def tunable(self) -> dict[str, Parameter]:
        """Return the parameters that `tune` may set, by all spellings of their flags."""
        declared = [
            (flag, parameter)
            for kind in self.kinds
            for parameter in parameters(kind)
            for flag in parameter.flags
            if parameter.kind is not bool
        ]
        return {"--hits": HITS, **dict(reversed(declared))}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.files.close()


class RunVerb(Command):
    """A verb that writes a run: its callback returns a `Request`, which is carried out."""

    def request(self, name: str, arguments: Sequence[str]) -> Request[Any]:
        """Parse arguments into a request."""
        with self.make_context(name, [*arguments]) as context:
            request: Request[Any] = super().invoke(context)
            return request

    def invoke(self, ctx: click.Context) -> None:
        """Carry out the request."""
        with super().invoke(ctx) as request:
            if request.output.settings:
                with atomic_writer(request.output.settings) as file:
                    file.write(f"{request.method(request.flags)}\n")
            request.execute()


def run_verb(verb: str, request: type[Request[Any]]) -> RunVerb:
    """Make a verb of its request, whose docstring is its help and whose fields are its options."""
    declared = {name: getattr(request, name, None) for name in request.__annotations__}
    return click.command(verb, cls=RunVerb)(declare(request, declared))
