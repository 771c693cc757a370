"""Ranking: searchers find hits for topics, rerankers reorder them.

Each method is one of these. The reasons that a reranker gives for a hit are its `Evidence`; the
command line, JSON and the web page show evidence in the same form.

Ours are modules of `relsent_ir.rerankers`. One of another package is an entry point of the group of
that name: a name, or the kind of a stored model, and what makes it, a class or function of one
argument: the name, or the model's folder. All get the open `relsent_ir.Collection`, of which
nothing is read before.
"""

import inspect
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final, Protocol, TypeAlias, cast, runtime_checkable
from weakref import ref

import numpy as np

from relsent_ir.aggregate import BEST, Aggregate
from relsent_ir.errors import InputError, MismatchError, UsageError, checked
from relsent_ir.hits import Hits, Run, scaled
from relsent_ir.lucene.analyzers import Analysis
from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.models import load_folder, plugins
from relsent_ir.models.registry import KINDS
from relsent_ir.typing import Progress

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from numpy.typing import NDArray

    from relsent_ir.api import Collection as Collection
    from relsent_ir.methods import Rerank
    from relsent_ir.records import Sentence
    from relsent_ir.typing import Floats


BATCH: Final = 20_000  # hits whose texts are in memory at once
CACHED: Final = 250_000  # hits whose scores are cached
_STEP: Final = 1e-9

Query: TypeAlias = str | Mapping[str, float]
"""A topic: a text, or terms of the index with their weights."""
Scores: TypeAlias = Callable[[str, list[str]], "Sequence[float] | Floats"]
"""A function of a query and texts that returns the texts' scores."""


class TopicSearcher(Protocol):
    """Find hits for topics in one index."""

    @property
    def analysis(self) -> Analysis:
        """The analysis that turns topics into terms."""
        ...

    def search(
        self,
        topics: Mapping[str, Query],
        k: int = 1000,
        *,
        threads: int = 1,
        batch_size: int = 256,
        progress: Progress | None = None,
    ) -> Run:
        """Find the first `k` hits of each topic; the run has an entry for every topic, in order."""
        ...


class Reranker(Protocol):
    """Reorder the hits of a run."""

    def rerank(
        self,
        collection: "Collection",
        run: Run,
        topics: Mapping[str, str],
        *,
        progress: Progress | None = None,
    ) -> Run:
        """Score all hits of a run, sentences or records of the collection, against the topics.

        Returns
        -------
        Run
            The same topics with the same hits, in the order of the new scores. Hits that cannot be
            scored follow the others in their previous order (`ordered`).
        """
        ...


class _BatchReranker:
    """The common loop of rerankers: checks, batches of topics, cached scores, order and progress.

    The scores of the last `CACHED` hits are cached by topic, text and all hits, so that a run is
    not scored again if its scores are only mixed or aggregated in another way.
    """

    hits_at_once: ClassVar[int | None] = None
    """Number of hits whose scores are computed together; `BATCH` if None."""
    _scores: "tuple[ref[Indexes], dict[tuple[str, ...], Any]] | None" = None

    def check(self, topics: Mapping[str, str]) -> None:
        """Refuse topics with which nothing can be compared."""

    def _cached(
        self, collection: Indexes, run: Run, topics: Mapping[str, str], score: Callable[[Run], Any]
    ) -> "list[Any]":
        """Return what `score` yields for each topic of a run, from the cache if possible.

        The dictionary is replaced, not changed, since another thread may be reading it.
        """
        scores = self._scores
        before = scores[1] if scores and scores[0]() is collection else {}
        keys = {topic: (topic, topics[topic], *hits.ids) for topic, hits in run.items()}
        new = Run((topic, run[topic]) for topic, key in keys.items() if key not in before)
        computed = dict(zip(new, score(new), strict=True)) if new else {}
        found = {key: computed[t] if t in new else before[key] for t, key in keys.items()}
        cached, room = dict(found), CACHED - sum(map(len, found))
        for key, value in before.items():
            room -= len(key)
            if room < 0:
                break
            cached.setdefault(key, value)
        self._scores = ref(collection), cached
        return list(found.values())

    def _loop(
        self,
        run: Run,
        topics: Mapping[str, str],
        score: "Callable[[Run], Iterable[Floats]]",
        progress: Progress | None,
    ) -> Run:
        """Order each topic's hits by the scores that `score` yields for the topics of a batch."""
        check_topics(run, topics)
        self.check({topic: topics[topic] for topic in run})
        result = Run()
        for batch in batches(run, self.hits_at_once):
            for (topic, hits), scores in zip(batch.items(), score(batch), strict=True):
                result[topic] = ordered(hits, scores)
                if progress:
                    progress(len(result), len(run))
        return result


class RecordReranker(_BatchReranker, ABC):
    """A reranker that scores each hit as a whole; a subclass only defines `score`."""

    @abstractmethod
    def score(
        self, collection: "Collection", run: Run, topics: Mapping[str, str]
    ) -> "Iterator[Floats]":
        """Score the hits of some topics, one topic after another.

        Parameters
        ----------
        collection : Collection
        run : Run
            Complete topics of the run that is reranked.
        topics : mapping of topic id to text
            Topics that include those of the run.

        Yields
        ------
        ndarray of float64, shape (hits of the topic,)
            In the order of the hits; NaN for a hit that has no score.
        """

    def rerank(
        self,
        collection: "Collection",
        run: Run,
        topics: Mapping[str, str],
        *,
        progress: Progress | None = None,
    ) -> Run:
        """Score all hits of a run, as `Reranker.rerank`."""
        scorer = partial(self.score, collection, topics=topics)
        score = partial(self._cached, collection.indexes, topics=topics, score=scorer)
        return self._loop(run, topics, score, progress)


@dataclass(eq=False)
class TextReranker(RecordReranker):
    """Score hits by a function of their texts, such as a cross-encoder of another package.

    Parameters
    ----------
    function : callable
        Gets a query and a list of texts (title and abstract for records); returns the scores.
    """

    function: Scores

    def score(
        self, collection: "Collection", run: Run, topics: Mapping[str, str]
    ) -> "Iterator[Floats]":
        """Score the texts of each topic's hits.

        Raises
        ------
        UsageError
            If the function does not return a score for each text.
        """
        for topic, hits in run.items():
            passages = collection.indexes.read(hits.ids.tolist(), moves=False)
            texts = [" ".join(s.text for s in passage.sentences) for passage in passages]
            try:
                scores = np.asarray(self.function(topics[topic], texts), dtype=np.float64)
            except (TypeError, ValueError) as error:
                if error.__traceback__ and error.__traceback__.tb_next:
                    raise  # an error inside the function
                raise UsageError(
                    f"the function's scores are no numbers: {error}", fix="a number for each text"
                ) from None
            if scores.shape != (len(texts),):
                raise UsageError(
                    f"the function gives scores of shape {scores.shape} for {len(texts)} texts",
                    fix="(query, texts) -> a score for each text",
                )
            if not np.isfinite(scores).all():
                bad = int(np.flatnonzero(~np.isfinite(scores))[0])
                raise UsageError(
                    f"the function gives {scores[bad]} for {texts[bad]!r:.40}",
                    fix="return finite scores",
                )
            yield scores


class SentenceReranker(_BatchReranker, ABC):
    """A reranker that scores sentences, from which the scores of records are computed."""

    @abstractmethod
    def score(
        self,
        collection: "Collection",
        run: Run,
        topics: Mapping[str, str],
        parts: "Mapping[str, tuple[Sentence, ...]]",
    ) -> "Iterator[Floats]":
        """Score the sentences of all hits, one topic after another.

        Parameters
        ----------
        collection : Collection
        run : Run
        topics : mapping of topic id to text
            Topics that include those of the run.
        parts : mapping of hit id to tuple of Sentence
            The sentences of each hit (`Indexes.parts`); () if it has none.

        Yields
        ------
        ndarray of float64, shape (sentences of the topic's hits,)
            In the order of the hits and their `parts`; NaN for a sentence that has no score.
        """

    def rerank(
        self,
        collection: "Collection",
        run: Run,
        topics: Mapping[str, str],
        *,
        aggregate: Aggregate = BEST,
        progress: Progress | None = None,
    ) -> Run:
        """Score all hits of a run, as `Reranker.rerank`; records by aggregating their sentences."""
        from relsent_ir.records import Sentence

        def sized(batch: Run) -> "Iterator[tuple[Floats, NDArray[np.intp]]]":
            names = list(dict.fromkeys(name for hits in batch.values() for name in hits.ids))
            parts = {
                n: s or (Sentence(n, 0, ""),) for n, s in collection.indexes.parts(names).items()
            }
            sizes = (np.array([len(parts[n]) for n in hits.ids]) for hits in batch.values())
            return zip(self.score(collection, batch, topics, parts), sizes, strict=True)

        def score(batch: Run) -> "Iterator[Floats]":
            for scores, sizes in self._cached(collection.indexes, batch, topics, sized):
                yield aggregate(scores, sizes)

        return self._loop(run, topics, score, progress)


def reorder(
    reranker: Reranker,
    collection: Indexes,
    run: Run,
    topics: Mapping[str, str],
    *,
    depth: int | None = None,
    interpolate: float | None = None,
    aggregate: Aggregate | str | None = None,
    progress: Progress | None = None,
) -> Run:
    """Put a run into the order of a reranker, or of its mixture with the run's own scores.

    Parameters
    ----------
    reranker : Reranker
    collection : Indexes
    run : Run
    topics : mapping of topic id to text
        They may hold more topics than the run.
    depth : int, optional
        Only the first so many hits of each topic get another order; the rest follows in its own,
        with scores below. All if None.
    interpolate : float, optional
        W, from 0 to 1: the scores are W times the reranker's plus 1 - W times the run's, both
        scaled to lie between 0 and 1 over the hits that are reordered. Where all of them have one
        score, it counts as 0, and the other of the two decides.
    aggregate : Aggregate or str, optional
        How sentences make a record's score, of a reranker that scores sentences; its best if None.
    progress : callable, optional
        Gets the number of topics done, and of all.

    Raises
    ------
    MismatchError
        If a topic of the run has no text, or a hit is not in the collection; if the reranker loses
        a hit.
    UsageError
        If W is outside 0 to 1, or the reranker scores no sentences to be aggregated.
    """
    if isinstance(aggregate, str):
        aggregate = Aggregate.parse(aggregate)
    check_topics(run, topics)
    if interpolate is not None and not 0 <= interpolate <= 1:
        raise UsageError(f"a weight of {interpolate}", fix="from 0, the run's, to 1, the model's")
    first = run if depth is None else run.head(depth)
    given = opened(collection)
    if aggregate is None:
        ranked = reranker.rerank(given, first, topics, progress=progress)
    elif isinstance(reranker, SentenceReranker):
        ranked = reranker.rerank(given, first, topics, aggregate=aggregate, progress=progress)
    else:
        raise UsageError("this model scores no sentences", fix="leave --aggregate out")
    result = Run()
    for topic, hits in run.items():
        new = ranked[topic]
        if len(new) != len(first[topic]) or set(new.ids) != set(first[topic].ids):
            raise MismatchError(f"the reranker has lost or added hits of topic {topic}")
        if interpolate is not None:
            old = first[topic]
            score = dict(zip(new.ids, scaled(new.scores), strict=True))
            own = interpolate * np.array([score[name] for name in old.ids])
            new = Hits.ranked(old.ids, own + (1 - interpolate) * scaled(old.scores))
        result[topic] = followed(new, hits.ids[len(new) :].tolist())
    return result


def opened(indexes: Indexes) -> "Collection":
    """Return the collection for open indexes, which is passed to rerankers."""
    collection: Collection = import_module("relsent_ir.api").Collection(indexes)  # a layer above
    return collection


def texts_of(topics: Mapping[str, Query]) -> dict[str, str]:
    """Return topics after checking that all of them are texts.

    Raises
    ------
    UsageError
        If a topic consists of weighted terms.
    """
    texts = {name: topic for name, topic in topics.items() if isinstance(topic, str)}
    for name in topics:
        if name not in texts:
            problem = f"topic {name or 'given'} is made of weighted terms"
            raise UsageError(problem, fix="rerankers need its text")
    return texts


def check_topics(run: Run, topics: Mapping[str, object]) -> None:
    """Check that each topic of a run has a text.

    Raises
    ------
    MismatchError
    """
    for topic in run:
        if topic not in topics:
            raise MismatchError(f"topic {topic} of the run is not among the topics")


def ordered(hits: Hits, scores: "Floats") -> Hits:
    """Order hits by new scores; hits without a score (NaN) follow in their order, just below."""
    scored = ~np.isnan(scores)
    first = Hits.ranked(hits.ids[scored], scores[scored])
    return followed(first, hits.ids[~scored].tolist())


def followed(hits: Hits, ids: Sequence[str]) -> Hits:
    """Append more hits in the given order, scored just below the lowest."""
    if not ids:
        return hits
    least = float(hits.scores[-1]) if len(hits) else 0.0
    below = least - _STEP * max(1.0, abs(least)) * np.arange(1, len(ids) + 1)
    return Hits.ranked([*hits.ids, *ids], [*hits.scores, *below])


def batches(run: Run, size: int | None = None) -> Iterator[Run]:
    """Split a run into parts of whole topics; a part ends when it has `size` hits or more."""
    size = size or BATCH
    batch = Run()
    for topic, hits in run.items():
        batch[topic] = hits
        if sum(map(len, batch.values())) >= size:
            yield batch
            batch = Run()
    if batch:
        yield batch


@dataclass(frozen=True)
class Span:
    """A part of a text to be marked.

    Attributes
    ----------
    start, end : int
        Character offsets in the text, [start, end).
    label : str
        The reason for the mark: a term of the topic, a name, an association.
    """

    start: int
    end: int
    label: str = ""


@dataclass(frozen=True)
class Evidence:
    """The reasons that a reranker gives for a hit.

    Attributes
    ----------
    sentence : str
        The id of the sentence that decides the score; "" if there is none.
    text : str
        The text of this sentence, or the title.
    spans : tuple of Span
        The parts of `text` to mark, in order and without overlaps.
    values : dict of str to (str, float or list of str)
        Findings by name: slot, direction, polarity, missing words.
    features : tuple of (str, float)
        The parts of which the score is the sum, the largest first.
    """

    sentence: str = ""
    text: str = ""
    spans: tuple[Span, ...] = ()
    values: Mapping[str, str | float | list[str]] | None = None
    features: tuple[tuple[str, float], ...] = ()

    def __str__(self) -> str:
        """Return the text with its spans in [ ], or in { } if a word is only associated."""
        pieces, at = [], 0
        for span in self.spans:
            left, right = "{}" if span.label == "associated" else "[]"
            pieces += [self.text[at : span.start], left, self.text[span.start : span.end], right]
            at = span.end
        lines = ["".join([*pieces, self.text[at:]])]
        for name, value in (self.values or {}).items():
            shown = ", ".join(value) if isinstance(value, list) else value
            lines.append(f"{name}: {shown:.4f}" if isinstance(shown, float) else f"{name}: {shown}")
        return "\n".join([*lines, *(f"{weight:10.4f}  {name}" for name, weight in self.features)])


@runtime_checkable
class Explains(Protocol):
    """A reranker that can give evidence for its scores."""

    def evidence(self, collection: "Collection", topic: str, hits: Hits) -> list[Evidence]:
        """Return the evidence for each hit's score for a topic's text, in the order of the hits.

        Hits from the reranker's own searcher contain its candidates (`Hits.basis`).
        """
        ...


RERANKERS: Final = "relsent_ir.rerankers"
"""The package whose modules are rerankers, and the group of entry points of other packages."""
_OURS: Final = {
    "related": "relsent_ir.related.reranker:RelatedReranker",
    "smart": "relsent_ir.feedback.smart:SmartReranker",
    "answers": "relsent_ir.answers.searching:AnswerReranker",
    "pmra": "relsent_ir.citation.candidates:PmraReranker",
    "ranker": "relsent_ir.ranker.ranking:RankerReranker",
    "themes": "relsent_ir.themes.finding:ThemeReranker",
}
"""Rerankers of the methods that have rooms of their own, or families of models, by name."""


@checked
def open_reranker(name: str | Path) -> Reranker:
    """Open a reranker by name or from a folder.

    Parameters
    ----------
    name : str or Path
        A name, or the folder of a trained model; write ``./D`` for a folder with the name of a
        reranker.

    Raises
    ------
    UsageError
        If no reranker has the name; the error lists the names.
    InputError
        If there is no such folder, or it contains no model.
    MismatchError
        If models of this kind do not rerank.
    """
    if not isinstance(name, str | Path):
        raise UsageError(f"no model: {name!r:.60}", fix="its name, or its folder")
    text = str(name)
    point = _named(text)
    if point is None and Path(name).exists():
        kind = load_folder(name).kind
        point = _of_kind(kind)
        if point is None:
            raise MismatchError(
                f"a model of kind {kind}, which does not rerank",
                where=name,
                fix="a model of related sentences, answers or citations",
            )
    if point is None:
        if "/" in text:
            raise InputError("no such model", where=text, fix="relsent-ir train makes one")
        if _of_kind(text):
            problem = f"{text} is a kind of trained model, and comes without weights"
            fix = f"relsent-ir train makes one; give its folder, as models/{text}"
            raise UsageError(problem, fix=fix)
        names = ", ".join(reranker_names())
        raise UsageError(f"no model {text!r}", fix=f"the folder of one, or one of {names}")
    made = point.load()
    if isinstance(made, type) or not _takes(made, "", []):  # else a function of query and texts
        made = made(text)
    return as_reranker(made)


def as_reranker(given: object) -> Reranker:
    """Return a reranker from a name, a folder, a function of texts, or an object with one.

    Parameters
    ----------
    given : str, Path, Reranker, callable or object
        As in `open_reranker`; or a function, or an object whose ``rerank`` is a function, of a
        query and a list of texts that returns the scores of the texts.

    Raises
    ------
    UsageError
        If it has none of these forms, or takes other arguments.
    """
    if isinstance(given, str | Path):
        return open_reranker(given)
    fix = "a name, a folder, or a function (query, texts) -> scores"
    if isinstance(given, type):
        raise UsageError(f"{given.__name__} is a class", fix=f"{given.__name__}(...), its object")
    # A cross-encoder, or its method, can be called too, but with other arguments.
    if hasattr(given, "predict") or getattr(given, "__name__", "") == "predict":
        raise UsageError(
            "a model that predicts pairs is no reranker by itself",
            fix="lambda query, texts: model.predict([(query, text) for text in texts])",
        )
    function = getattr(given, "rerank", given)
    if function is not given and _takes(function, None, None, None, progress=None):
        reranker: Any = given
        return cast(Reranker, reranker)
    if not callable(function) or not _takes(function, "", []):
        raise UsageError(f"no reranker: {given!r:.80}", fix=fix)
    return TextReranker(function)


def _takes(function: Any, *arguments: object, **named: object) -> bool:
    """Return whether a function accepts such arguments, as far as this can be known."""
    try:
        inspect.signature(function).bind(*arguments, **named)
    except TypeError:
        return False
    except ValueError:  # written in another language
        return True
    return True


def open_stage(
    stage: "Rerank",
    rerankers: dict[tuple[str, ...], Reranker],
    _runs: Mapping[str, Run] | None = None,
) -> Reranker:
    """Open the reranker that a stage names, or return it if it is open."""
    if (stage.model,) not in rerankers:
        rerankers[stage.model,] = as_reranker(stage.model)
    return rerankers[stage.model,]


@cache
def _ours() -> "Mapping[str, EntryPoint]":
    """Return the package's rerankers, those in the folder of `RERANKERS` too, as entry points."""
    from importlib.metadata import EntryPoint

    folder = Path(__file__).with_name("rerankers").glob("[a-z]*.py")
    values = _OURS | {path.stem: f"{RERANKERS}.{path.stem}:reranker" for path in sorted(folder)}
    return {name: EntryPoint(name, value, RERANKERS) for name, value in values.items()}


def _known(first: str = "") -> "Iterator[tuple[str, EntryPoint]]":
    """Yield the names and patterns of rerankers, ours before others; `first` is loaded first."""
    for name, point in sorted(_ours().items(), key=lambda item: item[0] != first):
        yield from ((each, point) for each in getattr(point.load(), "names", (name,)))
    kinds = plugins(KINDS)
    yield from (
        (name, point) for name, point in plugins(RERANKERS, ours=False).items() if name not in kinds
    )


def reranker_names() -> "Mapping[str, EntryPoint]":
    """Return the names and patterns that `open_reranker` takes, each with what makes it."""
    names = dict(reversed(list(_known())))  # ours last, which others cannot replace
    return dict(sorted(names.items(), key=lambda item: ("?" in item[0], item[1].value, item[0])))


def _named(text: str) -> "EntryPoint | None":
    """Return what makes the reranker of a name; load as few of ours as need be."""
    patterns = not Path(text).exists() and text not in plugins(RERANKERS, ours=False)
    named = (
        point
        for name, point in ([] if "/" in text else _known(text))
        if (patterns and fnmatchcase(text, name) if "?" in name else text == name)
    )
    return next(named, None)


def _of_kind(kind: str) -> "EntryPoint | None":
    """Return what makes a reranker of a stored model."""
    model = plugins(KINDS).get(kind)
    return _ours().get(model.load().family if model else "") or plugins(RERANKERS, ours=False).get(
        kind
    )
