"""Reranking by themes: by the log-odds that records are on the theme of a topic's first hits."""

from collections.abc import Iterator, Mapping
from typing import Final

import numpy as np

from relsent_ir.hits import Run
from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.rank import RecordReranker
from relsent_ir.themes.em import Theme
from relsent_ir.themes.finding import ThemeFinder, ThemeTopic
from relsent_ir.themes.settings import IMPROVED, IMPROVED_FIELDS
from relsent_ir.themes.store import Terms
from relsent_ir.typing import Floats

KERNELS: Final = 3
"""First hits of a topic from which its theme is found."""


class ThemeReranker(RecordReranker):
    """Scores records by the theme of the first hits (Shatkay & Wilbur 2000, as improved by us).

    If these share no term with another record, there is no theme, and the order stays.

    Parameters
    ----------
    name : str
        ``themes``.
    kernels : int
        Number of the first hits.
    """

    def __init__(self, name: str = "themes", kernels: int = KERNELS) -> None:
        self.name = name
        self.kernels = kernels

    def score(self, collection: Indexes, run: Run, topics: Mapping[str, str]) -> Iterator[Floats]:
        """Score hits, which are records; see `relsent_ir.rank.RecordReranker`."""
        theme_topics = {
            topic: ThemeTopic(tuple(hits.ids[: self.kernels]), topics[topic])
            for topic, hits in run.items()
            if len(hits)
        }
        log_odds: dict[str, Floats] = {}
        if theme_topics:
            finder = ThemeFinder(collection, IMPROVED, Terms(IMPROVED_FIELDS))
            rows = {topic: finder.rows(run[topic].ids.tolist()) for topic in theme_topics}
            names = {id(topic): name for name, topic in theme_topics.items()}

            def read(topic: ThemeTopic, theme: Theme) -> Floats:
                return theme.log_odds[rows[names[id(topic)]]]

            log_odds = finder.find(theme_topics, read)
        for topic, hits in run.items():
            yield log_odds.get(topic, np.full(len(hits), np.nan))
