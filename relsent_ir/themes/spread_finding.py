"""Themes of many kernels, some here and some there: see `relsent_ir.themes.finding`."""

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Final

from relsent_ir.hits import Run
from relsent_ir.processes import Spread, gathered
from relsent_ir.themes.finding import ThemeFinder, ThemeTopic
from relsent_ir.themes.settings import Settings
from relsent_ir.themes.store import Terms
from relsent_ir.typing import Progress

TOGETHER: Final = 8
"""Themes that are found by one process at a time."""


def ranked(
    finder: ThemeFinder,
    topics: Mapping[str, ThemeTopic],
    k: int,
    spread: Spread,
    *,
    keep_kernel: bool = False,
    progress: Progress | None = None,
) -> Run:
    """Rank the records of each topic's theme, as `ThemeFinder.run` does.

    Parameters
    ----------
    finder : ThemeFinder
        Of the index, the settings and the terms; what they are derived from is there then.
    topics : mapping of str to ThemeTopic
    k : int
    spread : Spread
    keep_kernel : bool
    progress : callable, optional
        Gets the number of topics done, and of all.
    """
    usable = finder.usable(topics)
    place = finder.index.folder.absolute(), finder.settings, finder.terms
    make = partial(_finding, *place, k, keep_kernel)
    some = {name: topics[name] for name in usable}
    return Run(gathered(spread, make, some, TOGETHER, progress))


def _finding(
    index: Path,
    settings: Settings,
    terms: Terms,
    k: int,
    keep_kernel: bool,
) -> Callable[[dict[str, ThemeTopic]], Run]:
    finder = ThemeFinder(index, settings, terms)
    return lambda topics: finder.run(topics, k, keep_kernel=keep_kernel, threads=1)
