"""Answering many questions, some here and some there: see `relsent_ir.answers.searching`."""

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, Final

from relsent_ir import models
from relsent_ir.answers.searching import Found, search
from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.processes import Spread, gathered
from relsent_ir.typing import Progress

TOGETHER: Final = 32
"""Questions that are answered by one process at a time."""


def answered(
    index: Path,
    model: Path | None,
    topics: Mapping[str, str],
    spread: Spread,
    progress: Progress | None = None,
    **settings: Any,
) -> dict[str, list[Found]]:
    """Find abstracts for each topic, and rank each one's sentences, as `search` does.

    Parameters
    ----------
    index : Path
    model : Path or None
        A model's folder; the one that comes with the package if None.
    topics : mapping of topic id to question
    spread : Spread
    progress : callable, optional
        Gets the number of topics done, and of all.
    **settings
        Of `search`.
    """
    folder = model.absolute() if model and model.exists() else model
    make = partial(_answering, index.absolute(), folder, settings)
    return gathered(spread, make, topics, TOGETHER, progress)


def _answering(
    index: Path, folder: Path | None, settings: Mapping[str, Any]
) -> Callable[[dict[str, str]], dict[str, list[Found]]]:
    collection, model = Indexes(index), models.load(folder, "answers")
    return lambda topics: search(collection, topics, model, **settings)
