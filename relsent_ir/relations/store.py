"""Rankers on disk, and the one that comes with the package (relsent_ir/models.py); no pickle."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np

from relsent_ir.errors import InputError, MismatchError, UsageError
from relsent_ir.models import load_folder, pack_strings, save_folder, unpack_strings
from relsent_ir.relations import features, lexical
from relsent_ir.relations.ranker import Ranker, Settings
from relsent_ir.text.parsing import default_parser

KIND: Final = "relations"
DEFAULT: Final = Path(__file__).parent / "default"
"""The ranker that comes with the package."""


def save_ranker(path: str | Path, ranker: Ranker, facts: Mapping[str, Any]) -> None:
    """Write a ranker, with the facts of how it was made. Its parser is not written.

    Raises
    ------
    OutputError
        If the folder cannot be written.
    """
    settings = ranker.settings
    described = {
        "features": settings.kind,
        "simplify": settings.simplify,
        "without": list(settings.without),
    }
    names = sorted(ranker.weights)
    arrays: dict[str, Any] = {
        "names": pack_strings(names),
        "weights": np.array([ranker.weights[name] for name in names], dtype=np.float32),
    }
    save_folder(path, KIND, {**facts, **described}, arrays)


def load_ranker(path: str | Path) -> Ranker:
    """Read a ranker; it tags with the package's tagger and chunker.

    Raises
    ------
    InputError
        If there is no model, or it is damaged.
    MismatchError
        If it is a model of something else.
    """
    stored = load_folder(path)
    if stored.kind != KIND:
        raise MismatchError(
            f"a model of kind {stored.kind}, not of relations",
            where=path,
            fix="relsent-ir train relations",
        )
    try:
        without = tuple(stored.facts["without"])
        settings = Settings(stored.facts["features"], bool(stored.facts["simplify"]), without)
        names = unpack_strings(stored.arrays["names"])
        weights = stored.arrays["weights"].astype(np.float64)
        sound = bool(names) and weights.shape == (len(names),) and bool(np.isfinite(weights).all())
        sound = sound and set(without) <= {*features.GROUPS, *lexical.GROUPS}
    except (KeyError, TypeError, ValueError, UsageError):
        sound = False
    if not sound:
        raise InputError("the model's parts do not fit together", where=path, fix="train again")
    return Ranker(default_parser(), settings, dict(zip(names, weights.tolist(), strict=True)))


@cache
def default_ranker() -> Ranker:
    """The ranker that comes with the package, read once."""
    return load_ranker(DEFAULT)
