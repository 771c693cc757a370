"""Methods as values: declared parameters, composition by ``>>``, and one text form.

A method is a frozen dataclass whose fields are created by `parameter`. Command-line flags, the
grids of `tune`, the parameters of the web page, JSON schemas and the options' tables in the docs
are all derived from these declarations, so that each parameter is declared once.

    BM25(k1=0.9) >> RM3(fb_terms=20) >> Related("I1.5", depth=100)
"""

import ast
import dataclasses
import json
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import MISSING, dataclass, field, fields
from functools import cache
from importlib import import_module
from threading import Lock
from typing import Any, ClassVar, Final, get_args, get_type_hints

from relsent_ir.errors import Advising, UsageError, advice, refused

MANY: Final = 2**31 - 1
"""The largest integer that Java can hold."""

_INSTEAD: Final = (
    ">> joins methods, cf.search(topics, METHOD, k) runs them, rir.fuse joins their runs"
)
_KEY: Final = "parameter"
_LONGEST: Final = 4000  # characters of a text form
_lock: Final = Lock()


@dataclass(frozen=True)
class Parameter:
    """A declared parameter of a method.

    Attributes
    ----------
    name : str
        The name of the field.
    kind : type
        bool, int, float, str or dict (names with their weights).
    default : value, or `dataclasses.MISSING` if it has to be given
    help : str
        One line of text.
    flags : tuple of str
        The flags of the command line, Pyserini's spelling first.
    low, high : float
        The range, its ends included.
    above : bool
        Whether the low end itself is excluded.
    choices : tuple of str
        The values allowed for a text; empty if any value is allowed.
    optional : bool
        Whether None is allowed.
    metavar : str
    when : tuple of str
        Another parameter, and those of its values with which this parameter has an effect; if no
        values are listed, all but its default.
    made : bool
        Whether a function, or an object with ``rerank``, may be passed instead of the text.
    """

    name: str
    kind: type
    default: Any
    help: str
    flags: tuple[str, ...] = ()
    low: float = -math.inf
    high: float = math.inf
    above: bool = False
    choices: tuple[str, ...] = ()
    optional: bool = False
    metavar: str = ""
    when: tuple[str, ...] = ()
    made: bool = False

    @property
    def required(self) -> bool:
        """Whether the parameter has no default."""
        return self.default is MISSING

    def check(self, value: Any, method: str = "") -> Any:
        """Return a value converted to the parameter's type, if it is within the range.

        Parameters
        ----------
        value : Any
            A whole number is accepted for a float.
        method : str
            The method's name for the error message; if "", the message names the flag.

        Raises
        ------
        UsageError
            If the value is of another type, outside the range, or none of the choices.
        """
        if value is None and self.optional:
            return value
        if self.kind is float and type(value) is int:
            value = float(value)
        subject = f"{method} with {self.name}" if method else (*self.flags, self.name)[0]
        fits = _is_weights(value) if self.kind is dict else type(value) is self.kind
        fits |= (
            self.made
            and not isinstance(value, Advising)
            and (callable(value) or hasattr(value, "rerank"))
        )
        if not fits:
            raise UsageError(f"{subject} {value!r}", fix=f"a value of type {self._type}")
        if self.choices and value not in self.choices:
            fix = f"one of {', '.join(self.choices)}"
            raise UsageError(f"{subject} {value!r}", fix=fix)
        if self.kind in (int, float):
            high = min(self.high, MANY) if self.kind is int else self.high
            fits = self.low <= value <= high and math.isfinite(value)
            if not fits or (self.above and value == self.low):
                raise UsageError(f"{subject} {value}", fix=self.range)
        return value

    def read(self, text: str) -> Any:
        """Read a value from the text form of the command line or of a URL.

        Raises
        ------
        UsageError
            If the text is not a value of the parameter.
        """
        name = self.flags[0] if self.flags else self.name
        try:
            if self.kind is bool:
                return self.check({"true": True, "false": False}[text.lower()])
            if self.kind in (int, float):
                return self.check(read_number(text, self.kind))
            if self.kind is dict:
                return self.check(_weights(text, "[=W]" in self.metavar))
            return self.check(self.kind(text))
        except (KeyError, ValueError):
            problem = f"cannot read {name} {text!r}"
            raise UsageError(problem, fix=f"a value of type {self._type}") from None

    @property
    def range(self) -> str:
        """The allowed range in words; "" if there is none."""
        low, high = (f"{end:g}" if abs(end) < MANY else "" for end in (self.low, self.high))
        if self.above:
            return f"above {low}, at most {high}" if high else f"above {low}"
        if low and high:
            return f"from {low} to {high}"
        return f"{low} or more" if low else f"at most {high}" if high else "a finite number"

    def schema(self) -> dict[str, Any]:
        """Return the parameter's JSON schema."""
        names = {bool: "boolean", int: "integer", float: "number", str: "string", dict: "object"}
        schema: dict[str, Any] = {"type": names[self.kind], "description": self.help}
        if self.default not in (MISSING, None):
            schema["default"] = self.default
        if self.choices:
            schema["enum"] = list(self.choices)
        ends = {"minimum": self.low, "maximum": self.high}
        return schema | {name: end for name, end in ends.items() if math.isfinite(end)}

    @property
    def _type(self) -> str:
        if self.made:
            return "str, or a function (query, texts) -> scores"
        return "NAME=WEIGHT,…" if self.kind is dict else self.kind.__name__


def parameter(
    default: Any,
    help: str,  # noqa: A002 (as in click)
    *flags: str,
    low: float = -math.inf,
    high: float = math.inf,
    above: bool = False,
    choices: tuple[str, ...] = (),
    metavar: str = "",
    when: tuple[str, ...] = (),
    made: bool = False,
) -> Any:
    """Declare a field of a method: default (`MISSING` if required), help, flags and range.

    `Parameter` describes the arguments.
    """
    settings = {"help": help, "flags": flags, "low": low, "high": high, "above": above}
    settings |= {"choices": choices, "metavar": metavar, "when": when, "made": made}
    return field(default=default, metadata={_KEY: settings})


def parameters(kind: "type[Method]") -> tuple[Parameter, ...]:
    """Return the declared parameters of a method, in the order of its fields."""
    return tuple(_by_name(kind).values())


@cache
def _by_name(kind: Any) -> dict[str, Parameter]:
    hints = get_type_hints(kind)
    declared = {}
    for entry in fields(kind):
        if settings := entry.metadata.get(_KEY):
            hint = hints[entry.name]
            options = get_args(hint)
            plain = next((option for option in options if option is not type(None)), hint)
            base = dict if "Mapping" in str(hint) else plain
            optional = type(None) in options
            declared[entry.name] = Parameter(
                entry.name, base, entry.default, **settings, optional=optional
            )
    return declared


@dataclass(frozen=True)
class Method(Advising):
    """A value that describes how to rank; the base class of all methods.

    Attributes
    ----------
    flag : str
        The flag that selects the method; "" if there is none.
    role : str
        Its role in a pipeline: "rank" if it ranks first, "expand" if it changes the topics,
        "rerank" if it reorders hits, "cut" if it drops hits at the end. For a method that stands
        alone, the name of its verb.
    part : str
        The argument of `relsent_ir.feedback.Engine.searcher` that it sets; "" if none.
    opens : mapping of str to str
        For each role, the function that opens the method: ``package.module:name``. It is imported
        when first used, since it is in a layer above.
    """

    flag: ClassVar[str] = ""
    role: ClassVar[str] = ""
    part: ClassVar[str] = ""
    opens: ClassVar[Mapping[str, str]] = {}
    instead = _INSTEAD
    __call__ = refused

    def __init_subclass__(
        cls,
        flag: str = "",
        role: str = "",
        *,
        part: str = "",
        opens: Mapping[str, str] | None = None,
    ) -> None:
        super().__init_subclass__()
        cls.flag, cls.role, cls.part, cls.opens = flag, role, part, opens or {}

    @property
    def unit(self) -> str:
        """The unit that the method requires; "" if it works with either."""
        return "abstracts" if self.part == "source" else ""

    def open(self, role: str, *given: Any) -> Any:
        """Open the method for a role, with the function that its class declares.

        Parameters
        ----------
        role : str
            A key of `opens`.
        *given : Any
            For "rank" and "join", a `relsent_ir.feedback.engine.Opening`; for "rerank", the dict of
            open rerankers by their models, to which it is added, and runs by their names, or None.
        """
        module, _, name = self.opens[role].partition(":")
        return getattr(import_module(module), name)(self, *given)

    def __post_init__(self) -> None:
        declared = _by_name(type(self))
        for name, parameter in declared.items():
            object.__setattr__(
                self, name, parameter.check(getattr(self, name), type(self).__name__)
            )
        self.check_heeded(filter(self._is_set, declared))

    def check_heeded(self, names: Iterable[str], *, as_flags: bool = False) -> None:
        """Refuse parameters that have no effect together with the others.

        Parameters
        ----------
        names : iterable of str
            The parameters that the user set.
        as_flags : bool
            Whether the error message names flags.

        Raises
        ------
        UsageError
        """
        declared = _by_name(type(self))
        for name in names:
            other, *values = declared[name].when or ("",)
            if not other or (getattr(self, other) in values if values else self._is_set(other)):
                continue
            if as_flags:
                subject, need = declared[name].flags[0], declared[other].flags[0]
            else:
                subject, need = f"{type(self).__name__} with {name}", other
            raise UsageError(f"{subject} needs {' '.join([need, ' or '.join(values)]).strip()}")

    def _is_set(self, name: str) -> bool:
        """Return whether a parameter differs from its default."""
        return bool(getattr(self, name) != _by_name(type(self))[name].default)

    def changed(self, **values: Any) -> "Method":
        """Return a copy of the method with other values for some parameters."""
        return dataclasses.replace(self, **values)

    def __rshift__(self, other: "Method | Pipeline | Any") -> "Pipeline":
        return Pipeline((self,)) >> other

    def __str__(self) -> str:
        parts = []
        for parameter in parameters(type(self)):
            value = getattr(self, parameter.name)
            if parameter.required:
                parts.append(_spelled(value))
            elif value != parameter.default:
                parts.append(f"{parameter.name}={_spelled(value)}")
        return f"{type(self).__name__}({', '.join(parts)})"


@dataclass(frozen=True)
class Pipeline(Advising):
    """Methods applied one after another.

    Attributes
    ----------
    stages : tuple of Method
    """

    stages: tuple[Method, ...]
    instead = _INSTEAD
    __call__ = refused

    def __rshift__(self, other: "Method | Pipeline | Any") -> "Pipeline":
        """Append methods; a function (query, texts) -> scores becomes a `Rerank` with it."""
        if not isinstance(other, Method | Pipeline):
            other = import_module("relsent_ir.methods").Rerank(other)  # a layer above
        return Pipeline((*self.stages, *(other.stages if isinstance(other, Pipeline) else [other])))

    def __iter__(self) -> Iterator[Method]:
        return iter(self.stages)

    def __str__(self) -> str:
        return " >> ".join(map(str, self.stages))


def parse(text: str, methods: Mapping[str, type[Method]]) -> Pipeline:
    """Read the text form that ``str`` returns for a method or a pipeline.

    Parameters
    ----------
    text : str
        A Python expression such as ``BM25(k1=1.2) >> Related("I1.5", depth=100)``; it is parsed but
        never evaluated.
    methods : mapping of str to type
        The methods that the text may name.

    Raises
    ------
    UsageError
        If it cannot be read, or names an unknown method or parameter.
    """
    try:
        if len(text) > _LONGEST:
            raise ValueError
        with _lock:  # building a syntax tree is not thread-safe in Python 3.11
            tree = ast.parse(text.strip(), mode="eval").body
        return Pipeline(tuple(_stages(tree, methods)))
    except (SyntaxError, ValueError, TypeError, RecursionError, MemoryError):
        fix = 'as BM25(k1=0.9) >> RM3(fb_terms=20) >> Related("I1.5")'
        raise UsageError(f"cannot read the method {text[:80]!r}", fix=fix) from None


def _stages(tree: ast.expr, methods: Mapping[str, type[Method]]) -> Iterator[Method]:
    if isinstance(tree, ast.BinOp) and isinstance(tree.op, ast.RShift):
        yield from _stages(tree.left, methods)
        yield from _stages(tree.right, methods)
        return
    call = tree if isinstance(tree, ast.Call) else ast.Call(tree, [], [])
    if not isinstance(call.func, ast.Name):
        raise TypeError
    name = call.func.id
    if name not in methods:
        raise UsageError(f"no method {name!r}", fix=advice(name, methods, "one of"))
    declared = _by_name(methods[name])
    values = dict(zip(declared, map(ast.literal_eval, call.args), strict=False))
    if len(values) < len(call.args):
        raise UsageError(f"{name} has only {len(declared)} parameters")
    for keyword in call.keywords:
        if keyword.arg not in declared or keyword.arg in values:
            problem = f"{name} has no parameter {keyword.arg!r}, or has it twice"
            raise UsageError(problem, fix=f"its parameters: {', '.join(declared)}")
        values[keyword.arg] = ast.literal_eval(keyword.value)
    for parameter in declared.values():
        if parameter.required and parameter.name not in values:
            raise UsageError(f"{name} needs {parameter.name}")
    yield methods[name](**values)


def read_number(text: str, kind: type[int | float] = float) -> Any:
    """Read a number as users write it; ValueError for forms only Python allows: ``1_0``."""
    if not is_plain(text):
        raise ValueError(text)
    return kind(text)


def is_plain(text: str) -> bool:
    """Return whether a number is written in ASCII, without underscores between its digits."""
    return text.isascii() and "_" not in text


def _is_weights(value: object) -> bool:
    return isinstance(value, Mapping) and all(
        isinstance(name, str) and isinstance(weight, int | float) and math.isfinite(weight)
        for name, weight in value.items()
    )


def _weights(text: str, bare: bool) -> dict[str, float]:
    """Read ``title=2,abstract=1``; if `bare`, a name without a number weighs 1."""
    weights: dict[str, float] = {}
    for part in text.split(","):
        name, sign, weight = part.partition("=")
        if not name.strip() or name.strip() in weights or not (sign or bare):
            raise ValueError(part)
        weights[name.strip()] = read_number(weight if sign else "1")
    return weights


def _spelled(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else repr(value)
