"""Verbs that write a run: parsed once, and run once or, by ``tune``, with several settings.

Methods have flags, declared by their parameters: a flag selects a method, or sets a parameter of
one or several methods. A flag that belongs to no method of the pipeline is refused.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final, Generic, TypeVar, cast, dataclass_transform

import click

from relsent_ir.cli.options import KINDS, Command, Topics, declare, grouped, option
from relsent_ir.cli.output import Outcome, Output
from relsent_ir.errors import UsageError
from relsent_ir.files import Closing, atomic_writer, input_errors
from relsent_ir.method import Method, Parameter, Pipeline, parameters, parse
from relsent_ir.methods import METHODS

Kinds = Sequence[type[Method]]
SETTINGS: Final = "--settings"
"""The flag that takes a method in its text form."""


def options_of(kinds: Kinds, *some: str) -> Any:
    """Declare the flags of methods: a dict of the flags on the command line, with their values.

    For a verb with a single method, the flags of required parameters are required.

    Parameters
    ----------
    kinds : sequence of type
    *some : str
        Declare only these flags; all if none are given.
    """
    options: dict[str, Any] = {}
    for kind in kinds:
        for flag, declared in flags_of(kind).items():
            if flag not in options and (not some or flag in some):
                options[flag] = _option(flag, kind, declared, alone=len(kinds) == 1)
    if not some and (kinds[1:] or not any(of.required for of in parameters(kinds[0]))):
        options[SETTINGS] = option(
            SETTINGS,
            "The method in one line, or the file or model that has it.",
            metavar="TEXT|FILE",
        )
    flags = {_name(flag): flag for flag in options}

    def chosen(**values: Any) -> dict[str, Any]:
        return {flags[name]: v for name, v in values.items() if v not in (None, ())}

    return grouped(chosen, **{_name(flag): of for flag, of in options.items()})


def read_methods(
    kinds: Kinds, flags: Mapping[str, Any], base: Iterable[Method] = ()
) -> list[Method]:
    """Return the methods that flags select, in the order of `kinds`.

    Parameters
    ----------
    kinds : sequence of type
        The methods that can be selected.
    flags : mapping of str to Any
        The dict of flags, from `options_of`.
    base : iterable of Method
        Methods that need no flag, such as those of a preset; flags change their parameters.

    Raises
    ------
    UsageError
        If a flag is combined with `SETTINGS`, belongs to no method of the pipeline, or has a value
        out of range.
    """
    if SETTINGS in flags:
        for flag in flags.keys() - {SETTINGS}:
            raise UsageError(f"{SETTINGS} and {flag} exclude each other")
        text = flags[SETTINGS]
        by_name = METHODS if kinds[1:] else {kind.__name__: kind for kind in kinds}
        if "(" not in text and text not in by_name:
            if Path(text).is_dir():
                from relsent_ir.models.registry import method_of

                return list(parse(str(method_of(text)), by_name))
            with input_errors(text):
                text = Path(text).read_text(encoding="utf-8", errors="replace")
        return list(parse(text, by_name))
    chosen: dict[type[Method], Method | None] = {}
    settings = {type(method): method for method in base}
    for kind in kinds:
        claimed = any(kind.flag in flags_of(other) for other in chosen)
        if kind in settings or (kind.flag in flags and not claimed):
            chosen[kind] = settings.get(kind)
    for flag in flags:
        if not any(flag in flags_of(kind) for kind in chosen):
            owners = [k.flag for k in kinds if flag in flags_of(k) and k.flag not in flags]
            raise UsageError(f"{flag} needs {' or '.join(dict.fromkeys(owners))}")
    methods = []
    for kind, method in chosen.items():
        given = [(d, flags[f]) for f, d in flags_of(kind).items() if d is not None and f in flags]
        values = {declared.name: _value(declared, value) for declared, value in given}
        first = {d.name: values[d.name] for d, _ in given if not d.when}  # the others depend on it
        method = method.changed(**first) if method else kind(**first)
        method.check_heeded(values, as_flags=True)
        methods.append(method.changed(**values))
    return methods


def flag_of(kind: type[Method]) -> str:
    """Return a method's name on the command line, for error messages."""
    return kind.flag or kind.__name__


def flags_of(kind: type[Method]) -> dict[str, Parameter | None]:
    """Map the first spelling of each flag of a method to its parameter, its own to None."""
    flags: dict[str, Parameter | None] = {of.flags[0]: of for of in parameters(kind) if of.flags}
    return flags if kind.flag in flags or not kind.flag else {kind.flag: None, **flags}


def _option(flag: str, kind: type[Method], declared: Parameter | None, *, alone: bool) -> Any:
    settings: dict[str, Any] = {"default": None}
    if not alone:  # of several methods: under their own heading
        settings |= {"group": kind.role, "method": kind.flag}
    if declared is None:
        return option(flag, (kind.__doc__ or "").partition("\n")[0], is_flag=True, **settings)
    text = declared.help
    shown = declared.required or declared.optional or declared.kind is bool or flag == kind.flag
    if not (shown or "[default" in text):  # a flag that selects a method has no default
        text += f"  [default: {declared.default}]"
    settings["required"] = alone and declared.required
    if declared.kind is bool:
        settings["is_flag"] = True
    elif declared.metavar == "[MODEL]":  # can be given without a value
        settings |= {"is_flag": False, "flag_value": ""}
    elif declared.choices:
        settings["type"] = click.Choice(declared.choices)
    elif re.search(r"[A-Z]\.\.\.$", declared.metavar):  # several values, as in FIELD...
        settings["multiple"] = True
    else:
        settings["type"] = KINDS.get(declared.kind, str)
    return option(*declared.flags, text, metavar=declared.metavar or None, **settings)


def _value(declared: Parameter, value: Any) -> Any:
    if declared.kind is bool:
        return not declared.default
    value = ",".join(value) if isinstance(value, tuple) else value
    return declared.read(value) if declared.kind is dict else declared.check(value)


def _name(flag: str) -> str:
    return "flag_" + flag.removeprefix("--").replace("-", "_").replace(".", "_")


if TYPE_CHECKING:
    from relsent_ir.executor import Executor
    from relsent_ir.hits import Run
    from relsent_ir.lucene.read.collection import Indexes

M = TypeVar("M", bound=Method | Pipeline)
HITS = Parameter("hits", int, None, "Hits per topic.", ("--hits",), low=1, optional=True)


@dataclass_transform(frozen_default=True, eq_default=False, kw_only_default=True)
@dataclass(frozen=True, eq=False, kw_only=True)
class Request(Closing, ABC, Generic[M]):
    """A parsed command line; the options of a verb are the defaults of a subclass's fields.

    A subclass must be a dataclass too. All that a request opens stays open until the request is
    closed, so that several settings share it.

    Attributes
    ----------
    kinds : sequence of type
        The methods that its flags may select.
    flags : mapping of str to Any
        The flags of methods on the command line.
    output : Output
    hits : int or None
        Number of hits for each topic.
    topics : Topics or None
    text : str or None
        The only topic, given as text.
    index : Path or None
        The folder of the indexes.
    executor : Executor or None
        The executor that distributes the work.
    files : ExitStack
        What is open, to be closed at the end.
    opened : dict
        Models that were opened, for use by other settings.
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
    opened: dict[Any, Any] = field(default_factory=dict, init=False)

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        dataclass(frozen=True, eq=False, kw_only=True)(cls)

    @cached_property
    def queries(self) -> dict[str, str]:
        """The texts of the topics."""
        return self.topics.read() if self.topics else {"": self.text or ""}

    @cached_property
    def collection(self) -> "Indexes":
        """The open indexes."""
        from relsent_ir.lucene.read.collection import Indexes

        assert self.index
        return self.files.enter_context(Indexes(self.index))

    @cached_property
    def workers(self) -> "Executor":
        """The executor, after it was entered."""
        assert self.executor
        return self.files.enter_context(self.executor)

    def method(self, flags: Mapping[str, Any]) -> M:
        """Return the method that the flags select; by default the only one of the verb."""
        (kind,) = self.kinds
        needs = any(declared.required for declared in parameters(kind))
        (method,) = read_methods(self.kinds, flags, () if needs else (kind(),))
        return cast("M", method)

    @abstractmethod
    def run(self, method: M, hits: int | None) -> "Run":
        """Return the run of a method, with so many hits for each topic, or the default number."""

    def show(self, run: "Run") -> None:
        """Show the hits, if the verb works without --output."""

    def execute(self) -> None:
        """Write the run, or show its hits."""
        run = self.run(self.method(self.flags), self.hits)
        if self.output.wanted:
            counts = self.output.write(run)
            if self.output.as_json:
                Outcome(counts, written=self.output.path).show(as_json=True)
        else:
            self.show(run)

    def tunable(self) -> dict[str, Parameter]:
        """Return the parameters that `tune` can set, by all spellings of their flags."""
        declared = [
            (flag, parameter)
            for kind in self.kinds
            for parameter in parameters(kind)
            for flag in parameter.flags
            if parameter.kind is not bool
        ]
        return {"--hits": HITS, **dict(reversed(declared))}

    def close(self) -> None:
        """Close everything that was opened."""
        self.files.close()


class RunVerb(Command):
    """A verb that writes a run: its callback returns a `Request`, which is then run."""

    def request(self, name: str, arguments: Sequence[str]) -> Request[Any]:
        """Parse arguments into a request."""
        with self.make_context(name, [*arguments]) as context:
            request: Request[Any] = super().invoke(context)
            return request

    def invoke(self, ctx: click.Context) -> None:
        """Run the request."""
        with super().invoke(ctx) as request:
            if request.output.settings:
                with atomic_writer(request.output.settings) as file:
                    file.write(f"{request.method(request.flags)}\n")
            request.execute()


def run_verb(verb: str, request: type[Request[Any]]) -> RunVerb:
    """Create a verb from its request; the docstring is its help, the fields are its options."""
    declared = {name: getattr(request, name, None) for name in request.__annotations__}
    return click.command(verb, cls=RunVerb)(declare(request, declared))
