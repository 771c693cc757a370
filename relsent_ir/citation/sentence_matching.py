"""Articles compared sentence by sentence, with a model of related sentences.

For each sentence of the topic its best score among the other article's sentences (the M-match of
Smith & Wilbur 2010, within one article), and the mean of these, over all and over each move.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from relsent_ir.citation.documents import TITLE
from relsent_ir.hits import Run
from relsent_ir.moves import MOVES
from relsent_ir.records import Sentence
from relsent_ir.related.features import Sentences
from relsent_ir.typing import Progress

if TYPE_CHECKING:
    from relsent_ir.related import Model

COLUMNS = ("ALL", TITLE, *MOVES)
"""Which of the topic's sentences a column of features is the mean of."""

Spoken: TypeAlias = list[tuple[str, str]]
"""The sentences of an article, each with its part."""


def spoken(tagged: Iterable[Sentence]) -> Spoken:
    """Give a record's title and sentences, each with its part."""
    return [(s.move if s.n else TITLE, s.text) for s in tagged]


def match_articles(
    run: Run,
    articles: Mapping[str, Spoken],
    model: "Model",
    *,
    progress: Progress | None = None,
) -> dict[str, NDArray[np.float64]]:
    """Compare each topic's article with those of its hits.

    Parameters
    ----------
    run : Run
        Topics and hits are ids of articles.
    articles : mapping of str to Spoken
        By id; at least the run's.
    model : Model
        As `relsent_ir.related.open_model` gives it.
    progress : callable, optional
        Gets the number of topics done, and of all.

    Returns
    -------
    dict of str to ndarray of float64, shape (hits, len(COLUMNS))
        By topic; NaN where the topic has no sentence of the move, or the hit has none at all.
    """
    first: dict[str, int] = {}
    flat: list[str] = []
    for name in dict.fromkeys(n for topic, hits in run.items() for n in (topic, *hits.ids)):
        first[name] = len(flat)
        flat += [text for _, text in articles[name]]
    together = Sentences.from_texts(flat, model.stopwords)
    found = {}
    for topic, hits in run.items():
        own = articles[topic]
        sizes = np.array([len(articles[name]) for name in hits.ids], dtype=np.intp)
        starts = np.cumsum(sizes) - sizes
        rows = np.arange(sizes.sum()) + np.repeat([first[n] for n in hits.ids] - starts, sizes)
        best = np.full((len(own), len(hits)), np.nan)
        filled = sizes > 0
        for i in range(len(own) if len(rows) else 0):
            scores = model.query_scores(together, first[topic] + i, rows)
            best[i, filled] = np.maximum.reduceat(scores, starts[filled])
        found[topic] = _means(best, [part for part, _ in own])
        if progress:
            progress(len(found), len(run))
    return found


def _means(best: NDArray[np.float64], parts: Sequence[str]) -> NDArray[np.float64]:
    """Average the best scores of the topic's sentences, of all and by part."""
    columns = []
    for column in COLUMNS:
        kept = [i for i, part in enumerate(parts) if column in ("ALL", part)]
        columns.append(best[kept].mean(axis=0) if kept else np.full(best.shape[1], np.nan))
    return np.stack(columns, axis=1)
