"""The library of a server: the collection, and the models that all requests share."""

import logging
import time
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property, lru_cache
from hashlib import blake2b
from pathlib import Path
from threading import Event, Lock, Thread
from typing import Any, Final, Generic, TypeVar

import numpy as np

from relsent_ir.answers.model import AnswerModel, default_model
from relsent_ir.api import Collection, open_collection
from relsent_ir.budget import unmeasured
from relsent_ir.citation.graph import CitationGraph
from relsent_ir.citation.similar import Neighbours
from relsent_ir.citation.suggestions import open_graph
from relsent_ir.datasets.bundled import SAMPLE
from relsent_ir.engines import engine_of
from relsent_ir.errors import InputError, MissingError, RelsentError
from relsent_ir.feedback import TermMatrix
from relsent_ir.feedback.wording import meant, read_alternatives
from relsent_ir.files import sha256
from relsent_ir.hit import WordEvidence
from relsent_ir.hits import Hits, Run
from relsent_ir.lucene.commits import SHARDS
from relsent_ir.lucene.documents import UNITS
from relsent_ir.lucene.read.facets import count_facets
from relsent_ir.methods import Ranker, Relations
from relsent_ir.rank import Explains, Reranker, SentenceReranker, open_reranker, reorder
from relsent_ir.records import Sentence
from relsent_ir.related.matching.matcher import Matcher
from relsent_ir.related.matching.shown import Showing
from relsent_ir.related.store import check_model
from relsent_ir.related.tokens import words
from relsent_ir.relations.entity import entity_terms
from relsent_ir.relations.finding import Finder
from relsent_ir.relations.ranker import RelationRanker, open_ranker
from relsent_ir.themes import ThemeFinder, ThemeTopic
from relsent_ir.web.budgets import trim
from relsent_ir.web.settings import RERANKED, Measured, Settings

EXPORTS: Final = {"csv": "CSV", "ris": "RIS", "bibtex": "BibTeX", "json": "JSON", "run": "run"}
"""The formats in which hits can be downloaded, with their names."""

TOLD: Final = ("polarity", "direction")
"""Values of a sentence relating two entities that are shown beside it."""

OPENED: Final = (
    "types", "frequent", "examples", "has_years", "is_sample", "showing",
    "neighbours", "graph", "theme_finder", "answers", "relations", "warm",
)  # fmt: skip
"""Models and indexes that are opened when the server starts."""

LASTING: Final = ("answers", "relations")
"""Models that are kept for the next generation of an index."""

KEPT: Final = 1000
"""Largest number of records whose tagged sentences are cached."""

CACHED: Final = 64
"""Largest number of searches and slow pages in the cache, about 100 kB each."""

UNDER: Final = 3
"""Largest number of related sentences below a sentence of an abstract."""

OFFERED: Final = 100
"""Largest number of suggested journals and headings."""
TRIED: Final = 600
"""Number of titles from which examples are chosen."""
LOOKED_THROUGH: Final = 100_000
"""Number of records from which these titles are drawn evenly."""
TYPES: Final = 40
"""Largest number of publication types among the filters."""

_COMMIT: Final = "**/segments_*"
LOOKS: Final = 3
"""Number of failed checks after which an index counts as gone, since a commit may be under way."""

_log = logging.getLogger(__name__)
T = TypeVar("T")


@dataclass(frozen=True)
class Link:
    """A URL of the page, with its name and purpose."""

    path: str
    name: str
    about: str


class Lasting(Generic[T]):
    """A property of a library, computed at its first use while other threads wait."""

    def __init__(self, make: Callable[["Library"], T]) -> None:
        self._make, self.__doc__ = make, make.__doc__

    def __get__(self, library: "Library", _: type["Library"]) -> T:
        return library.once(self._make.__name__, lambda: self._make(library))


class Library:
    """A collection together with the models that its pages use.

    Parameters
    ----------
    collection : relsent_ir.Collection
    settings : Settings
    measured : Measured, optional
    before : int, optional
        The number of records in the previous generation, if there was one.

    Attributes
    ----------
    name : str
        The name of the collection: from `settings`, or else its folder's name.
    opened : threading.Event
        Set when all models of the pages are open.
    alternatives, meant : callable
        Return other wordings of a query, and what its misspelt words may mean, for its text and a
        unit; the last results are cached.
    cache : dict
        The cache of `cached`.
    chosen : dict of str to Run
        The related sentences that `shown` has chosen for each record.
    aside : concurrent.futures.Executor
        Runs work that no reader waits for.

    Raises
    ------
    RelsentError
        If a model does not exist, or the runs cannot be read or measured.
    """

    def __init__(
        self,
        collection: Collection,
        settings: Settings,
        measured: Measured | None = None,
        before: int | None = None,
    ) -> None:
        self.collection = collection
        self.indexes = collection.indexes
        self.indexes.kept = KEPT
        self.settings = settings
        self.name = settings.name or self.indexes.folder.resolve().name
        check_model(settings.related)
        self.measured = measured
        self.before = before
        self.since = datetime.now(UTC)
        self._closing = False
        self.opened = Event()
        self._opening = Thread(target=self._open, name="opening")
        self.words = WordEvidence(self.indexes.facts.analysis)
        self.aside = ThreadPoolExecutor(1, thread_name_prefix="aside")
        self._lock = Lock()
        self._locks: dict[str, Lock] = {}
        self._opened: dict[str, Any] = {}
        self._choosing = Lock()
        self.chosen: dict[str, Run] = {}
        self.cache: dict[Hashable, Any] = {}
        self.alternatives = lru_cache(KEPT)(
            lambda text, unit: read_alternatives(text, self.indexes.index(unit))
        )
        self.meant = lru_cache(KEPT)(lambda text, unit: meant(text, self.indexes.index(unit)))
        _ = self.ranker  # refuses a folder without a model at once

    def cached(self, key: Hashable, make: Callable[[], T]) -> T:
        """Return a result from the cache, or compute it; the key must contain all inputs."""
        result: T | None = self.cache.get(key)
        if result is None:
            result = make()
            if len(self.cache) >= CACHED:
                self.cache = {}
            self.cache[key] = result
        return result

    def once(self, name: str, make: Callable[[], T]) -> T:
        """Return a value that is computed once, at its first use, while other threads wait."""
        with self._lock:
            lock = self._locks.setdefault(name, Lock())
        with lock:
            if name not in self._opened:
                with unmeasured():  # its memory must not be charged to the page that waits
                    self._opened[name] = make()
            opened: T = self._opened[name]
            return opened

    def begin(self) -> None:
        """Open the models of the pages in another thread, so that readers need not wait."""
        self._opening.start()

    def _open(self) -> None:
        for name in OPENED:
            if self._closing:
                return
            try:
                getattr(self, name)
            except RelsentError as error:
                _log.warning("%s", str(error))
        trim()
        self.opened.set()

    exports = EXPORTS
    told = TOLD

    @cached_property
    def ways(self) -> list[Link]:
        """The pages for querying this collection; search is the first."""
        return [
            Link("/", "Search", "words or a sentence"),
            Link(
                "/question",
                "A question",
                "what abstracts find and conclude, and whether they say yes or no",
            ),
            Link("/names", "Two names", "sentences that relate two entities"),
            Link("/themes", "Themes", "a map of the subjects of this collection"),
            *([Link("/runs", "Runs", "rankings side by side")] if self.measured else []),
        ]

    @cached_property
    def token(self) -> str:
        """The name of this generation and these settings of the collection in ETags."""
        key = f"{self.indexes.content} {self.settings} {self.since}"
        return blake2b(key.encode(), digest_size=8).hexdigest()

    @cached_property
    def is_sample(self) -> bool:
        """Whether the records are the packaged sample, which is invented."""
        digest = sha256(SAMPLE / "sample.xml")
        return any(source.sha256 == digest for source in self.indexes.facts.sources)

    @cached_property
    def has_years(self) -> bool:
        """Whether any record has a year."""
        return self.indexes.abstracts.without_year < len(self.indexes.abstracts)

    @cached_property
    def types(self) -> list[str]:
        """The most frequent publication types, in alphabetical order."""
        counts = self.indexes.abstracts.values("publication_type")
        return sorted(sorted(counts, key=lambda name: -counts[name])[:TYPES])

    @cached_property
    def frequent(self) -> dict[str, list[str]]:
        """The most frequent journals and MeSH headings, and the years in ascending order."""
        index, fields = self.indexes.abstracts, ("journal", "heading", "year")
        if not index.facts.facets:
            return {field: [] for field in fields}
        counts = count_facets(index, index.like("id", ".+"), fields, OFFERED).counts
        return {field: list(counts[field]) for field in fields}

    @cached_property
    def sources(self) -> list[str]:
        """The names of the files from which the records were read."""
        return [Path(source.path).name for source in self.indexes.facts.sources]

    @cached_property
    def examples(self) -> list[Link]:
        """Three examples from titles of the collection; questions if there are any."""
        ids = self.indexes.abstracts.ids(LOOKED_THROUGH)
        titles = [r.title for r in self.indexes.records(ids[:: len(ids) // TRIED + 1])]
        plain = [title for title in titles if 20 < len(title) < 120 and title[0].isalpha()]
        questions = [title for title in plain if title.endswith("?")]
        rest = [title for title in plain if title not in questions]
        links = [Link("/question", title, "question") for title in questions]
        return (links + [Link("/", title, "search") for title in rest])[:3]

    @Lasting
    def ranker(self) -> Reranker | None:
        """The learned ranker, if it is enabled."""
        return open_reranker(self.settings.ranker) if self.settings.ranker else None

    def ranks(self, unit: str) -> bool:
        """Return whether the learned ranker orders this unit, or only records."""
        ranker = self.ranker
        both = isinstance(ranker, SentenceReranker) or self.searches("sentences")
        return both or bool(ranker and unit == "abstracts")

    def searches(self, unit: str) -> bool:
        """Return whether the ranker itself searches, as a ranker of records does for sentences."""
        from relsent_ir.ranker.ranking import RankerReranker

        return unit == "sentences" and isinstance(self.ranker, RankerReranker)

    @property
    def explains(self) -> Explains | None:
        """The learned ranker, if it gives evidence for its scores."""
        return self.ranker if isinstance(self.ranker, Explains) else None

    @Lasting
    def matcher(self) -> Matcher:
        """The matcher of related sentences."""
        return Matcher(self.indexes, self.settings.related)

    @Lasting
    def showing(self) -> Showing:
        """The choice of related sentences that are shown below others.

        Raises
        ------
        MismatchError
            If no sentence is related to one of another record.
        """
        showing = Showing(self.matcher)
        _ = showing.least
        return showing

    def shown(self, record: str) -> Run:
        """Choose the related sentences to show below each sentence of a record."""
        with self._choosing:  # choices depend on the record's other sentences
            if record not in self.chosen:
                if len(self.chosen) >= KEPT:
                    self.chosen.clear()
                sentences = self.indexes.parts([record])[record]
                stopwords = self.matcher.model.stopwords
                topics = {s.id: s.text for s in sentences if words(s.text, stopwords)}
                self.chosen[record] = self.showing.related(topics, UNDER)
            return self.chosen[record]

    @Lasting
    def neighbours(self) -> Neighbours:
        """The searcher for records that are neighbours of a record."""
        index = self.indexes.abstracts
        return Neighbours(TermMatrix.read(index), index.facts.analysis)

    @Lasting
    def graph(self) -> CitationGraph:
        """The citation graph of the collection."""
        return open_graph(self.indexes.abstracts)

    def links(self, record_id: str) -> tuple[Sequence[str], Sequence[str]]:
        """Return what a record cites, and what cites it; nothing if the index is in a cluster."""
        if engine_of(self.indexes.folder):
            return (), ()
        return self.graph.cited(record_id), self.graph.citing(record_id)

    @Lasting
    def answers(self) -> AnswerModel:
        """The model of answers."""
        return default_model()

    @Lasting
    def relations(self) -> RelationRanker:
        """The ranker of sentences that mention two entities."""
        return open_ranker()

    @Lasting
    def theme_finder(self) -> ThemeFinder:
        """The finder of themes, after finding one, since the first takes most of its memory."""
        finder = ThemeFinder(self.indexes)
        with suppress(InputError):  # no term is shared with another record
            first = ThemeTopic(tuple(self.indexes.abstracts.ids(1)))
            finder.find({"": first}, lambda *_: None, threads=1)
        return finder

    @Lasting
    def warm(self) -> bool:
        """Whether ranker and relations have been used once, since the first time takes longest."""
        text = next(iter(self.indexes.records(self.indexes.abstracts.ids(1)))).title
        for unit in ("abstracts", "sentences"):
            if self.searches(unit):
                ranker = Ranker(self.settings.ranker)
                self.collection.search(text, ranker, RERANKED, unit=unit, threads=1)
                continue
            hits = self.collection.search(text, RERANKED, unit=unit, threads=1).hits
            if self.ranker and self.ranks(unit) and len(hits):
                reorder(self.ranker, self.indexes, Run({"": hits}), {"": text})
        with suppress(RelsentError):  # the title may have no word, and a cluster finds no names
            finder = Finder.of(self.indexes, Relations())
            entity_terms(finder, self.relations, max(text.split(), key=len, default=""), 1)
        return True

    def has(self, record_id: str) -> bool:
        """Return whether a record is in the collection."""
        return bool(self.indexes.abstracts.documents([record_id])[0] >= 0)

    def present(self, names: Sequence[str]) -> Hits:
        """Return the distinct ids that are in the collection, as hits with scores of 0."""
        ids = np.array(list(dict.fromkeys(names)), dtype=object)
        units = self.indexes.abstracts, self.indexes.sentences
        there = np.any([index.documents(ids.tolist()) >= 0 for index in units], axis=0)
        return Hits(ids[there], np.zeros(int(there.sum())))

    def sentence(self, name: str) -> Sentence | None:
        """Return the sentence with an id and its move; None if it is not in the collection."""
        record, _, number = name.rpartition(".")
        if not record or not self.has(record):
            return None
        sentences = self.indexes.moves([record])[0]
        return next((sentence for sentence in sentences if str(sentence.n) == number), None)

    def close(self) -> None:
        """Close all files."""
        self._closing = True
        if self._opening.ident:
            self._opening.join()
        self.aside.shutdown(cancel_futures=True)
        self.collection.close()
        self._opened.clear()  # arrays of files that a newer generation has replaced
        self.chosen.clear()
        self.cache.clear()
        trim()


class Shelf:
    """Provide the library of the collection on disk; an older one lives as long as its requests.

    Parameters
    ----------
    collection : relsent_ir.Collection
    settings : Settings
    """

    def __init__(self, collection: Collection, settings: Settings) -> None:
        self._settings = settings
        self._folder = collection.indexes.folder
        self._lock = Lock()
        self._readers: Counter[Library] = Counter()
        self._commits = _commits(self._folder)  # before opening: later commits are new
        _ = collection.indexes.content
        self.library = Library(collection, settings, Measured.read(settings))

    @contextmanager
    def lend(self) -> Iterator[Library]:
        """Lend the library of the newest generation for a request.

        Raises
        ------
        MissingError
            If the index no longer exists.
        """
        with self._lock:
            self._renew()
            library = self.library
            self._readers[library] += 1
        try:
            yield library
        finally:
            with self._lock:
                self._readers[library] -= 1
                self._close_unread(library)

    def _renew(self) -> None:
        if engine_of(self._folder):
            if not self.library.indexes.is_current():
                self._replace(open_collection(self._folder))
            return
        commits = _commits(self._folder)
        for _ in range(LOOKS):
            if all(commits):
                break
            time.sleep(0.05)
            commits = _commits(self._folder)
        else:
            raise MissingError("the index is gone", fix="build it again; this page will follow")
        if commits == self._commits:
            return
        try:
            collection = open_collection(self._folder)
            indexes, content = collection.indexes, collection.indexes.content
            if indexes.abstracts.facts != indexes.sentences.facts:  # one of them is newer already
                collection.close()
                return
        except RelsentError as error:  # one half is written, the other is not yet
            _log.warning("%s", str(error))
            return
        self._commits = commits
        if content == self.library.indexes.content:
            collection.close()
            return
        self._replace(collection)

    def _replace(self, collection: Collection) -> None:
        """Lend a newer generation from now on."""
        old = self.library
        self.library = Library(collection, self._settings, old.measured, len(old.collection))
        self.library._opened |= {n: old._opened[n] for n in LASTING if n in old._opened}
        self.library.begin()
        self._close_unread(old)

    def _close_unread(self, library: Library) -> None:
        if library is not self.library and not self._readers[library]:
            del self._readers[library]
            Thread(target=library.close, name="closing").start()


def _commits(folder: Path) -> tuple[list[tuple[str, int]], ...]:
    """Return the commit files of both indexes, which change with every commit."""
    halves = [folder / unit for unit in UNITS]
    if not any(half.is_dir() for half in halves):  # shards have their own folders
        halves = [folder] if (folder / SHARDS).exists() else halves
    commits: tuple[list[tuple[str, int]], ...] = tuple([] for _ in halves)
    for half, files in zip(halves, commits, strict=True):
        for path in half.glob(_COMMIT):
            with suppress(FileNotFoundError):  # another commit is replacing it
                files.append((path.name, path.stat().st_mtime_ns))
        files.sort()
    return commits
