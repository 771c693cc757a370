"""Methods as values: declarations, checks, composition, the text form."""

import math
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields
from typing import Any

import pytest

from relsent_ir.errors import UsageError
from relsent_ir.method import Method, Pipeline, parameter, parameters, parse


@dataclass(frozen=True)
class Find(Method):
    """Find by a text."""

    name: str = parameter(MISSING, "What to find.", "--find", metavar="NAME")
    count: int = parameter(10, "How many.", "--count", "-c", low=1, high=100)
    share: float = parameter(0.5, "Of all.", low=0, high=1, above=True)
    way: str = parameter("up", "Where to.", choices=("up", "down"))
    deep: bool = parameter(False, "All the way.")
    limit: float | None = parameter(None, "At most.", low=0)


@dataclass(frozen=True)
class Weigh(Method):
    """Weigh by name."""

    weights: Mapping[str, float] = parameter(MISSING, "By name.")


KNOWN = {"Find": Find, "Weigh": Weigh}


def test_declared() -> None:
    """A declaration has all that flags, grids and schemas need."""
    name, count, share, way, deep, limit = parameters(Find)
    assert name.required
    assert not count.required
    assert (count.kind, count.default, count.flags) == (int, 10, ("--count", "-c"))
    assert (share.kind, way.choices, deep.kind) == (float, ("up", "down"), bool)
    assert limit.optional
    assert limit.kind is float
    assert parameters(Weigh)[0].kind is dict
    assert count.schema() == {
        "type": "integer",
        "description": "How many.",
        "default": 10,
        "minimum": 1,
        "maximum": 100,
    }
    assert way.schema()["enum"] == ["up", "down"]
    assert "default" not in name.schema()


@pytest.mark.parametrize(
    ("values", "problem"),
    [
        ({"count": 0}, r"Find with count 0 \(from 1 to 100\)"),
        ({"count": 101}, "from 1 to 100"),
        ({"count": 1.0}, "a value of type int"),
        ({"count": True}, "a value of type int"),
        ({"share": 0.0}, "above 0, at most 1"),
        ({"share": math.nan}, "above 0, at most 1"),
        ({"limit": -1}, "0 or more"),
        ({"limit": math.inf}, "0 or more"),
        ({"way": "left"}, "one of up, down"),
        ({"way": None}, "a value of type str"),
        ({"deep": 1}, "a value of type bool"),
    ],
)
def test_out_of_range(values: dict[str, Any], problem: str) -> None:
    """A value of another type, or outside its range, is refused where it is given."""
    with pytest.raises(UsageError, match=problem):
        Find("x", **values)


def test_changed() -> None:
    """A method with another value is another method, checked in the same way."""
    method = Find("x")
    assert method.changed(count=5, share=1) == Find("x", 5, 1.0)
    assert method == Find("x")
    with pytest.raises(UsageError, match="Find has no parameter 'cuont'"):
        method.changed(cuont=5)
    with pytest.raises(UsageError, match="from 1 to 100"):
        method.changed(count=0)
    with pytest.raises(UsageError, match=r"too many positional arguments \(it takes name"):
        Find("x", *[1] * (len(fields(Find)) - 1), "more")


@pytest.mark.parametrize(
    ("method", "text"),
    [
        (Find("x"), 'Find("x")'),
        (Find('a "b" \\ ü', 3), 'Find("a \\"b\\" \\\\ ü", count=3)'),
        (Find("x", limit=2.5, deep=True), 'Find("x", deep=True, limit=2.5)'),
        (Find("x") >> Weigh({"a": 1.0, "b": 0.5}), "Find(\"x\") >> Weigh({'a': 1.0, 'b': 0.5})"),
    ],
)
def test_text_form(method: Method | Pipeline, text: str) -> None:
    """The text form leaves defaults out, and is read back as the same value."""
    assert str(method) == text
    read = parse(text, KNOWN)
    assert read == (method if isinstance(method, Pipeline) else Pipeline((method,)))


def test_composed() -> None:
    """Pipelines are flat, however they are put together."""
    one, two, three = Find("1"), Find("2"), Find("3")
    assert (one >> two) >> three == one >> (two >> three) == Pipeline((one, two, three))
    with pytest.raises(UsageError, match="a function"):
        one >> 2


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "cannot read the method"),
        ("Find(", "cannot read the method"),
        ("Find(open('x'))", "cannot read the method"),
        ("Find.__class__", "cannot read the method"),
        ("Find('x') + Find('y')", "cannot read the method"),
        ("(" * 3000, "cannot read the method"),
        ("Find('" + "x" * 5000 + "')", "cannot read the method"),
        ("Fnid('x')", "no method 'Fnid' .did you mean Find. one of Find, Weigh"),
        ("Find", "Find needs name"),
        ("Find('x', cuont=1)", "no parameter 'cuont'"),
        ("Find('x', name='y')", "or has it twice"),
        ("Find('x', 1, 1.0, 'up', False, 1.0, 7)", "has only 6 parameters"),
        ("Find(*['x'])", "cannot read the method"),
        ("Find(**{'name': 'x'})", "no parameter None"),
        ("Find('x', count=0)", "from 1 to 100"),
        ("Weigh({'a': 'b'})", "weights"),
    ],
)
def test_what_cannot_be_read(text: str, problem: str) -> None:
    """Whatever is written, nothing is evaluated, and one line says what is wrong."""
    with pytest.raises(UsageError, match=problem):
        parse(text, KNOWN)


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [("count", "7", 7), ("share", "0.25", 0.25), ("deep", "true", True), ("way", "down", "down")],
)
def test_values_of_a_command_line(name: str, text: str, value: object) -> None:
    """A parameter reads its value from a text."""
    declared = {one.name: one for one in parameters(Find)}
    assert declared[name].read(text) == value
    assert parameters(Weigh)[0].read("a=1,b=0.5") == {"a": 1.0, "b": 0.5}


@pytest.mark.parametrize(
    ("name", "text"),
    [("count", "x"), ("count", "1_0"), ("share", "0_0"), ("deep", "maybe"), ("share", "2")],
)
def test_wrong_values_of_a_command_line(name: str, text: str) -> None:
    """A text that is no value is refused."""
    declared = {one.name: one for one in parameters(Find)}
    with pytest.raises(UsageError):
        declared[name].read(text)


@pytest.mark.parametrize("text", ["a", "a=", "a=1,a=2", "=1", "a=x"])
def test_wrong_weights(text: str) -> None:
    """A name needs its weight, once, unless the parameter says that it may be left out."""
    with pytest.raises(UsageError, match="cannot read weights"):
        parameters(Weigh)[0].read(text)
