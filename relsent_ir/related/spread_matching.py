"""Matching many topics, some here and some there: see `relsent_ir.related.matching`."""

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, Final

from relsent_ir.hits import Run
from relsent_ir.processes import Spread, gathered
from relsent_ir.related.exact import BATCH
from relsent_ir.related.matching import Matcher
from relsent_ir.typing import Progress

TOGETHER: Final = BATCH
"""Topics that are matched by one process at a time."""


def related(
    index: Path,
    model: str,
    topics: Mapping[str, str],
    k: int,
    spread: Spread,
    progress: Progress | None = None,
    **settings: Any,
) -> Run:
    """Find the `k` most related sentences for each topic, as `Matcher.related` does.

    What is derived from the index should be there, or each process waits for one that makes it.

    Parameters
    ----------
    index : Path
    model : str
        A formula's name, or the folder of a trained model.
    topics : mapping of topic id to text
    k : int
    spread : Spread
    progress : callable, optional
        Gets the number of topics done, and of all.
    **settings
        Of `Matcher.related`.
    """
    place = str(Path(model).absolute()) if Path(model).is_dir() else model
    make = partial(_matching, index.absolute(), place, k, settings)
    return Run(gathered(spread, make, topics, TOGETHER, progress))


def _matching(
    index: Path, model: str, k: int, settings: Mapping[str, Any]
) -> Callable[[dict[str, str]], Run]:
    matcher = Matcher(index, model)
    return lambda topics: matcher.related(topics, k, **settings)
