"""The meaning of a model's columns: a model whose features have changed since is refused.

A feature's definition is recorded by its values for a few invented sentences. So a changed
exponent, constant or rule is noticed even if nobody declares it, and rewritten code with the same
values is not. Parts that invented sentences cannot show, such as lists of words, are recorded by a
digest.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

import numpy as np

from relsent_ir.errors import MismatchError
from relsent_ir.models.folders import Stored

Columns: TypeAlias = Mapping[str, Sequence[float] | str]
"""Each feature, in the order of a model's weights: its values for invented input, or a digest."""


def check_columns(stored: Stored, columns: Columns, tolerance: float = 1e-6) -> None:
    """Refuse a model whose columns (``columns`` in model.json) are not those of this version.

    Parameters
    ----------
    stored : Stored
    columns : Columns
        This version's.
    tolerance : float
        The relative difference of values that are the same.

    Raises
    ------
    MismatchError
        If it has others, in another order or of another meaning; or does not record them.
    """
    recorded = stored.facts.get("columns")
    if not isinstance(recorded, dict):
        problem = "the model does not say what its features are"
        raise MismatchError(problem, where=stored.path, fix="train it again with this version")
    changed = [
        name for name, value in columns.items() if not _same(recorded.get(name), value, tolerance)
    ]
    changed += [name for name in recorded if name not in columns]
    if changed or list(recorded) != list(columns):
        names = ", ".join(changed[:3]) + (", …" if len(changed) > 3 else "") or "their order"
        problem = f"a model with other features than this version's: {names}"
        raise MismatchError(problem, where=stored.path, fix="train it again with this version")


def figures(values: Iterable[float]) -> list[float]:
    """Round values to nine digits, as they are recorded."""
    return [float(f"{value:.9g}") for value in values]


def digest(*facts: object) -> str:
    """Twelve hex digits that tell lists, patterns and constants from others."""
    text = json.dumps(facts, ensure_ascii=False, default=sorted)
    return hashlib.blake2b(text.encode(), digest_size=6).hexdigest()


def _same(recorded: object, value: Sequence[float] | str, tolerance: float) -> bool:
    if isinstance(recorded, str) or isinstance(value, str):
        return recorded == value
    if not isinstance(recorded, list) or len(recorded) != len(value):
        return False
    return bool(
        np.allclose(
            np.array(recorded, dtype=float), np.array(value), rtol=tolerance, atol=tolerance / 1000
        )
    )
