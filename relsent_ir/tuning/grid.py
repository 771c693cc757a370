"""Settings to try: all combinations of values, or a number of random combinations."""

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
    """The values of one flag: some numbers or texts, or a range from which to draw.

    Attributes
    ----------
    several : tuple of float, or of str
    low, high : float
        The range, with both ends included; used if `several` is empty.
    whole : bool
        Whether only whole numbers are drawn.
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
        If the text has another form, or a fraction in place of a whole number.
    """
    low, colon, high = text.partition(":")
    try:
        parts, kind = [low, high] if colon else text.split(","), int if whole else float
        numbers = [float(read_number(part, kind)) for part in parts]
        if not all(map(math.isfinite, numbers)):
            raise ValueError
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
    """Read ``ltn,bm25``; in a value, a plus stands for a comma, as in ``CONCLUSION,TITLE+MESH``.

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
    """Return all combinations; the values of the last flag change fastest.

    Raises
    ------
    UsageError
        If the values of a flag are a range.
    """
    for flag, of in values.items():
        if not of.several:
            raise UsageError(f"a range for {flag}", fix="list its values, or draw with --random N")
    return [
        dict(zip(values, chosen, strict=True))
        for chosen in product(*(of.several for of in values.values()))
    ]


def drawn(values: Mapping[str, Values], count: int, *, seed: int = 0) -> list[Setting]:
    """Draw distinct settings at random, or return all if there are no more.

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
    """Write a value as that of a flag."""
    if isinstance(value, str):
        return value
    return str(int(value)) if value == int(value) else repr(value)


def described(setting: Mapping[str, Value]) -> str:
    """Write a setting in one line."""
    return " ".join(f"{flag} {spelled(value)}" for flag, value in setting.items())


def _draw(of: Values, chance: np.random.Generator) -> Value:
    if of.several:
        return of.several[int(chance.integers(len(of.several)))]
    if of.whole:
        return float(chance.integers(int(of.low), int(of.high), endpoint=True))
    return round(float(chance.uniform(of.low, of.high)), 4)
