"""Settings to try: all combinations of values, or so many drawn at random."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product

import numpy as np

from relsent_ir.errors import UsageError
from relsent_ir.method import read_number

Value = float | str
Setting = dict[str, Value]


@dataclass(frozen=True)
class Values:
    """The values of one flag: some numbers or texts, or a range to draw from.

    Attributes
    ----------
    several : tuple of float, or of str
    low, high : float
        Both ends are included; read if there are no several.
    whole : bool
        Only whole numbers.
    """

    several: tuple[Value, ...] = ()
    low: float = math.nan
    high: float = math.nan
    whole: bool = False


def parse_values(text: str, *, whole: bool = False) -> Values:
    """Read ``5,10,20``, or a range ``0.5:2``.

    Raises
    ------
    UsageError
        If something else is written, or a fraction where whole numbers are wanted.
    """
    low, colon, high = text.partition(":")
    try:
        numbers = [_number(part, whole) for part in ([low, high] if colon else text.split(","))]
    except ValueError:
        what = "whole numbers" if whole else "numbers"
        raise UsageError(
            f"cannot read the values {text!r}", fix=f"{what}, as 5,10,20 or 5:20"
        ) from None
    if colon and not numbers[0] <= numbers[1]:
        raise UsageError(f"the range {text!r} is empty", fix="write low:high")
    if colon:
        return Values((), numbers[0], numbers[1], whole)
    return Values(tuple(dict.fromkeys(numbers)), whole=whole)


def parse_texts(text: str) -> Values:
    """Read ``ltn,bm25``; a plus in a value stands for its comma, as in ``CONCLUSION,TITLE+MESH``.

    Raises
    ------
    UsageError
        If a value is empty.
    """
    texts = [part.strip().replace("+", ",") for part in text.split(",")]
    if not all(texts):
        raise UsageError(f"cannot read the values {text!r}", fix="texts, as ltn,bm25")
    return Values(tuple(dict.fromkeys(texts)))


def grid(values: Mapping[str, Values]) -> list[Setting]:
    """Return all combinations, the last flag's values changing fastest.

    Raises
    ------
    UsageError
        If a flag has a range.
    """
    for flag, of in values.items():
        if not of.several:
            raise UsageError(f"a range for {flag}", fix="list its values, or draw with --random N")
    return [
        dict(zip(values, chosen, strict=True))
        for chosen in product(*(of.several for of in values.values()))
    ]


def drawn(values: Mapping[str, Values], count: int, *, seed: int = 0) -> list[Setting]:
    """Draw so many settings at random, all different; fewer, if there are no more.

    Bergstra, Bengio: Random search for hyper-parameter optimization. JMLR 13, 2012.
    """
    if count < 1:
        raise UsageError(f"{count} settings", fix="at least 1")
    chance = np.random.default_rng(seed)
    found: list[Setting] = []
    for _ in range(20 * count):
        setting = {flag: _draw(of, chance) for flag, of in values.items()}
        if setting not in found:
            found.append(setting)
        if len(found) == count:
            break
    return found


def spelled(value: Value) -> str:
    """Write a value as a flag's."""
    if isinstance(value, str):
        return value
    return str(int(value)) if value == int(value) else repr(value)


def described(setting: Mapping[str, Value]) -> str:
    """Write a setting on one line."""
    return " ".join(f"{flag} {spelled(value)}" for flag, value in setting.items())


def _draw(of: Values, chance: np.random.Generator) -> Value:
    if of.several:
        return of.several[int(chance.integers(len(of.several)))]
    if of.whole:
        return float(chance.integers(int(of.low), int(of.high), endpoint=True))
    return round(float(chance.uniform(of.low, of.high)), 4)


def _number(text: str, whole: bool) -> float:
    number = float(read_number(text, int if whole else float))
    if not math.isfinite(number):
        raise ValueError
    return number
