"""Find themes in an index, for many topics together; threads share the term matrix."""

import logging
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypedDict, TypeVar

import numpy as np

from relsent_ir.drawing import aligned
from relsent_ir.errors import InputError
from relsent_ir.executor import SERIAL, Executor, spread
from relsent_ir.feedback.search import FeedbackSearcher
from relsent_ir.hits import Hits, Run
from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.lucene.read.search import Searcher, default_threads
from relsent_ir.methods import Rocchio, Themes
from relsent_ir.rank import RecordReranker
from relsent_ir.text.words import read_stopwords
from relsent_ir.themes.em import IMPROVED, IMPROVED_FIELDS, Theme, ThemeSettings, find_theme
from relsent_ir.themes.labels import common_phrases, label_theme, records_on_theme, terms_of_theme
from relsent_ir.themes.matrix import Selection, Terms, open_matrix
from relsent_ir.themes.quality import coherence
from relsent_ir.typing import Floats, NDArray, Progress

if TYPE_CHECKING:
    from relsent_ir.rank import Collection

TOGETHER: Final = 8
"""Topics in a batch for one process."""

_BATCH: Final = 64  # topics searched together

_log = logging.getLogger(__name__)
_Read = TypeVar("_Read")


@dataclass(frozen=True)
class ThemeTopic:
    """The records from which a theme is found.

    Attributes
    ----------
    kernels : tuple of str
        Ids of the records from which to start.
    text : str
        The query whose hits are the kernels; "" if the kernels were given.
    """

    kernels: tuple[str, ...]
    text: str = ""


class ThemeFinder:
    """Find themes in one collection.

    Parameters
    ----------
    collection : Indexes
        The collection's indexes; the term matrix is built beside them if it is missing.
    settings : ThemeSettings, optional
        `IMPROVED` if None.
    terms : Terms, optional
        The choice of the records' terms; `IMPROVED_FIELDS` if None.
    progress : callable, optional
        Called while the matrix is built, with the number of records read and the total.
    known : dict, optional
        A cache of the similarities of all records to a topic. Finders with several settings may
        share it, so that each topic is searched once.

    Raises
    ------
    InputError
        If there is no index, or it has no record or no term.
    OutputError
        If the matrix cannot be written.
    """

    def __init__(
        self,
        collection: Indexes,
        settings: ThemeSettings | None = None,
        terms: Terms | None = None,
        progress: Progress | None = None,
        known: dict[ThemeTopic, Floats] | None = None,
    ) -> None:
        self.collection = collection
        self.index = collection.abstracts
        self._known = known
        self.settings = settings or IMPROVED
        self.terms = terms or Terms(IMPROVED_FIELDS)
        self.matrix = open_matrix(self.index, self.terms, progress)

    @cached_property
    def _searcher(self) -> Searcher:
        return Searcher(self.index)

    def rows(self, ids: Sequence[str]) -> NDArray[np.intp]:
        """Return the rows of records in the matrix.

        Raises
        ------
        InputError
            If a record is not in the index.
        """
        rows = self.matrix.ids.locate(ids).astype(np.intp)
        if len(rows) and rows.min() < 0:
            missing = ids[int(rows.argmin())]
            raise InputError(f"no record {missing!r}", where=self.index.folder)
        return rows

    def from_hits(self, texts: Mapping[str, str], count: int) -> dict[str, ThemeTopic]:
        """Return topics whose kernels are BM25's first hits for texts; omit texts without hits."""
        run = self._searcher.search(texts, count, threads=default_threads())
        return {
            name: ThemeTopic(tuple(hits.ids), texts[name])
            for name, hits in run.items()
            if len(hits)
        }

    def run(
        self,
        topics: Mapping[str, ThemeTopic],
        k: int = 1000,
        *,
        keep_kernel: bool = False,
        threads: int | None = None,
        executor: Executor = SERIAL,
        progress: Progress | None = None,
    ) -> Run:
        """Rank the records of each topic's theme; if kernels are hits of a text, they are kept.

        `threads` is as in `find`; each process of an executor uses one thread.
        """
        if not executor.local:
            place = self.collection.folder.absolute(), self.settings, self.terms
            usable = {name: topics[name] for name in self.usable(topics)}
            make = partial(_finding, *place, k, keep_kernel)
            return Run(spread(executor, make, usable, TOGETHER, progress))

        hits = self.find(
            topics,
            lambda topic, theme: records_on_theme(
                self.matrix, theme, k, keep_kernel=keep_kernel or bool(topic.text)
            ),
            threads=threads,
            progress=progress,
        )
        return Run(hits)

    def find(
        self,
        topics: Mapping[str, ThemeTopic],
        read: Callable[[ThemeTopic, Theme], _Read],
        *,
        threads: int | None = None,
        progress: Progress | None = None,
    ) -> dict[str, _Read]:
        """Find the theme of each topic.

        Parameters
        ----------
        topics : mapping of str to ThemeTopic
        read : callable
            Extracts the result from a theme, which is then discarded.
        threads : int, optional
            Number of themes that are found at the same time; by default one for each processor.
        progress : callable, optional
            Called with the number of topics done and the total.

        Returns
        -------
        dict
            The results of `read`. Topics whose kernels share no term with another record are
            omitted, with a warning in the log.

        Raises
        ------
        InputError
            If a kernel is not in the index, or no topic has a kernel with a term.
        """
        rows = {name: self.rows(topic.kernels) for name, topic in topics.items()}
        names = self.usable(topics)
        results: dict[str, _Read] = {}
        with ThreadPoolExecutor(threads or default_threads()) as pool:
            for at in range(0, len(names), _BATCH):
                batch = names[at : at + _BATCH]
                similarity = self._similarity({name: topics[name] for name in batch}, rows)

                def find_one(name: str, similar: Mapping[str, Floats] = similarity) -> _Read:
                    theme = find_theme(self.matrix, rows[name], self.settings, similar.get(name))
                    return read(topics[name], theme)

                for name, result in zip(batch, pool.map(find_one, batch), strict=True):
                    results[name] = result
                    if progress:
                        progress(len(results), len(names))
        return results

    def usable(self, topics: Mapping[str, ThemeTopic]) -> list[str]:
        """Return the topics that have a theme, and warn of all others.

        Raises
        ------
        InputError
            As in `find`.
        """
        lengths = self.matrix.lengths
        names = [name for name, topic in topics.items() if lengths[self.rows(topic.kernels)].any()]
        for name in topics.keys() - set(names):
            ids = " ".join(topics[name].kernels)
            problem = f"record {ids} has no term of another record, so it has no theme"
            if not names:
                raise InputError(problem, where=self.index.folder)
            _log.warning("topic %s: %s", name, problem)
        return names

    def _similarity(
        self, topics: Mapping[str, ThemeTopic], rows: Mapping[str, NDArray[np.intp]]
    ) -> dict[str, Floats]:
        """Score all records for the kernels, or for the text; the best kernel has the score 1."""
        if not self.settings.similarity:
            return {}
        known = {} if self._known is None else self._known
        queries: dict[str, dict[str, float]] = {}
        for name, topic in topics.items():
            if topic not in known and topic.text:
                queries[name] = dict(Counter(self._searcher.analysis.terms(topic.text)))
            elif topic not in known:
                vectors = self.index.vectors(topic.kernels)
                counts = vectors.counts.sum(axis=0).astype(float).tolist()
                queries[name] = {t: n for t, n in zip(vectors.terms, counts, strict=True) if n}
        if queries:
            feedback = FeedbackSearcher(self._searcher, self.index, Rocchio())
            run = feedback.search(queries, len(self.index), threads=default_threads())
            for name, hits in run.items():
                scores = np.zeros(len(self.matrix.ids))
                scores[self.rows(hits.ids.tolist())] = hits.scores
                known[topics[name]] = scores / (scores[rows[name]].max() or 1.0)
        return {name: known[topic] for name, topic in topics.items()}


def _finding(
    index: Path, settings: ThemeSettings, terms: Terms, k: int, keep_kernel: bool
) -> Callable[[dict[str, ThemeTopic]], Run]:
    finder = ThemeFinder(Indexes(index), settings, terms)
    return lambda topics: finder.run(topics, k, keep_kernel=keep_kernel, threads=1)


def read_method(method: Themes) -> tuple[ThemeSettings, Terms]:
    """Return the settings and the choice of terms of a method."""
    given: dict[str, Any] = {"max_iterations": method.max_iterations, "size": method.size}
    given = {name: value for name, value in given.items() if value is not None}
    settings = replace(ThemeSettings() if method.published else IMPROVED, **given)
    fields = Terms().fields if method.published else IMPROVED_FIELDS
    if method.fields:
        fields = tuple(name.strip() for name in method.fields.split(","))
    words = tuple(sorted(set(read_stopwords(method.stopwords)))) if method.stopwords else None
    return settings, Terms(fields, words, Selection(method.min_df, method.max_df))


TermFacts = TypedDict(
    "TermFacts",
    {
        "term": str,
        "p": float,
        "q": float,
        "lambda": float,
        "db": float,
        "records": float,
        "lift": float,
    },
)
"""A term of a theme."""


class PhraseFacts(TypedDict):
    """A phrase that records on theme share."""

    phrase: str
    records: float
    share: float
    lift: float


class ThemeFacts(TypedDict):
    """The facts of a theme.

    Attributes
    ----------
    kernels : list of str
    label : str
        The theme's name, or names; "" if no phrase is certain enough.
    size : float
        The expected number of records on theme.
    iterations : int
    converged : bool
    moving : float
        The records that the last iteration moved, as a share of those on theme.
    log_likelihood : float
    coherence : float or None
        The NPMI of the terms; None for a single term.
    phrases : list of PhraseFacts
    terms : list of TermFacts
    """

    kernels: list[str]
    label: str
    size: float
    iterations: int
    converged: bool
    moving: float
    log_likelihood: float
    coherence: float | None
    phrases: list[PhraseFacts]
    terms: list[TermFacts]


def describe_theme(
    finder: ThemeFinder, topic: ThemeTopic, theme: Theme, hits: int, terms: int
) -> tuple[Hits, dict[str, dict[str, Any]], ThemeFacts]:
    """Return the first records of a theme with their values, and its facts and terms."""
    matrix = finder.matrix
    ranking = records_on_theme(matrix, theme, hits, keep_kernel=True)
    names = ranking.ids.tolist()
    choose = terms_of_theme if finder.settings.published else label_theme
    chosen = choose(matrix, theme, terms)
    npmi = coherence(matrix, [term.term for term in chosen])
    shared = common_phrases(finder.index, matrix, theme, terms)
    values: dict[str, dict[str, Any]] = {}
    for name, pr in zip(names, theme.on[finder.rows(names)], strict=True):
        kernel = name in topic.kernels
        values[name] = {"pr": float(f"{pr:.6g}"), "kernel": kernel, "star": kernel}
    facts: ThemeFacts = {
        "kernels": list(topic.kernels),
        "label": ", ".join([phrase.text for phrase in shared if phrase.names]),
        "size": round(theme.size, 2),
        "iterations": len(theme.sizes),
        "converged": theme.converged,
        "moving": float(f"{theme.moving:.3g}"),
        "log_likelihood": theme.log_likelihoods[-1],
        "coherence": None if npmi is None else round(npmi, 4),
        "phrases": [
            {
                "phrase": phrase.text,
                "records": round(phrase.records, 2),
                "share": round(phrase.share, 4),
                "lift": round(phrase.lift, 2),
            }
            for phrase in shared
        ],
        "terms": [
            {
                "term": term.term,
                "p": term.p,
                "q": term.q,
                "lambda": term.lam,
                "db": term.db,
                "records": round(term.support, 2),
                "lift": round(term.lift, 2),
            }
            for term in chosen
        ],
    }
    return ranking, values, facts


def summary_of(theme: Mapping[str, Any]) -> str:
    """Return a theme's name and its number of records in words, from `ThemeFacts`."""
    plural = "" if round(theme["size"]) == 1 else "s"
    number = f"{theme['size']:,.0f} record{plural} expected on theme"
    if not theme["converged"]:
        number += (
            f"; not settled after {theme['iterations']} iterations: the last changed "
            f"{100 * theme['moving']:.2g} % of them (--max-iterations)"
        )
    return f"{theme['label']}: {number}" if theme["label"] else number


def table_of_phrases(theme: Mapping[str, Any]) -> str:
    """Write the phrases that the records of a theme share, from its `ThemeFacts`."""
    rows = [
        [
            phrase["phrase"],
            f"in {100 * phrase['share']:.0f} % of them,",
            f"{phrase['lift']:,.0f} times as often as in all",
        ]
        for phrase in theme["phrases"]
    ]
    return aligned(rows) if rows else ""


def shared_by(themes: Mapping[str, Mapping[str, Any]], least: float = 0.3) -> str:
    """Write the phrases that two or more themes have in a share `least` of their records.

    Parameters
    ----------
    themes : mapping of str to ThemeFacts
        Facts by topic, for example by a gene, with the theme of the gene's records.
    least : float
    """
    having: dict[str, list[str]] = {}
    for name, theme in themes.items():
        for phrase in theme["phrases"]:
            if phrase["share"] >= least:
                having.setdefault(phrase["phrase"].lower(), []).append(name)
    several = sorted((-len(names), text) for text, names in having.items() if len(names) > 1)
    rows = [
        [text, f"in {-n} of {len(themes)} themes:", " ".join(having[text])] for n, text in several
    ]
    return aligned(rows) if rows else "no phrase is in two of the themes"


def table_of_terms(theme: Mapping[str, Any]) -> str:
    """Write a theme's coherence and its terms, from its `ThemeFacts`."""
    rows = [["", "records", "lift", "p", "q", "λ"]]
    for term in theme["terms"]:
        counts = [f"{term[name]:.1f}" for name in ("records", "lift")]
        rows.append([term["term"], *counts, *(f"{term[n]:.3g}" for n in ("p", "q", "lambda"))])
    npmi = theme["coherence"]
    head = "" if npmi is None else f"coherence {npmi:.2f}\n"
    return head + aligned(rows, right=True)


KERNELS: Final = 3
"""Number of a topic's first hits from which its theme is found."""


@dataclass(eq=False)
class ThemeReranker(RecordReranker):
    """Score records by the theme of the first hits (Shatkay & Wilbur 2000, with our additions).

    If these share no term with any other record, there is no theme, and the order does not change.

    Parameters
    ----------
    name : str
        ``themes``.
    kernels : int
        Number of the first hits.
    """

    name: str = "themes"
    kernels: int = KERNELS

    def score(
        self, collection: "Collection", run: Run, topics: Mapping[str, str]
    ) -> Iterator[Floats]:
        """Score hits that are records; see `relsent_ir.rank.RecordReranker`."""
        theme_topics = {
            topic: ThemeTopic(tuple(hits.ids[: self.kernels]), topics[topic])
            for topic, hits in run.items()
            if len(hits)
        }
        log_odds: dict[str, Floats] = {}
        if theme_topics:
            finder = ThemeFinder(collection.indexes, IMPROVED, Terms(IMPROVED_FIELDS))
            rows = {topic: finder.rows(run[topic].ids.tolist()) for topic in theme_topics}
            names = {id(topic): name for name, topic in theme_topics.items()}

            log_odds = finder.find(
                theme_topics, lambda topic, theme: theme.log_odds[rows[names[id(topic)]]]
            )
        for topic, hits in run.items():
            yield log_odds.get(topic, np.full(len(hits), np.nan))
