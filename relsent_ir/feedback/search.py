"""Searching with feedback: search, read the first hits, search again with the expanded topics.

Word associations expand beside feedback, or alone where feedback has no documents: Q' gains delta
times A, the terms of the words that are most strongly associated with the topic's
(`relsent_ir.related.words.associations`), brought to the length of the topic's own part of Q'.

Reference
---------
Jing, Croft: An association thesaurus for information retrieval. RIAO 1994.
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from relsent_ir.errors import UsageError
from relsent_ir.executor import batches
from relsent_ir.feedback.expansion import Expansion, expand
from relsent_ir.feedback.pool import Documents, Pool, TermSource, Topic
from relsent_ir.feedback.selection import DEPTH, selected
from relsent_ir.feedback.smart import SmartSearcher
from relsent_ir.hits import Hits, Run
from relsent_ir.lucene.analyzers import Analysis
from relsent_ir.lucene.read.index import Index
from relsent_ir.methods import FEEDBACK_DF_SHARE_MAX, RM3, FromAssociations, Rocchio
from relsent_ir.rank import TopicSearcher
from relsent_ir.typing import Progress

if TYPE_CHECKING:
    from relsent_ir.related.words.associations import WordAssociations

BATCH: Final = 256  # topics whose feedback documents are in memory at once, if nothing is said
WORDS: Final = 300
"""Associated words to look up: several may have the same stem, or not be in the index."""
CACHED: Final = 4096
"""Texts whose terms are in memory."""
_KEPT: Final = 10_000
"""Texts whose first hits are."""
_DEEPEST: Final = 1000
"""Of at most so many hits."""

WHOLE: Final = "from whole documents: none has a sentence that was asked for"
FILTERED: Final = "no feedback: no term passed the filter"
NOTHING: Final = "no feedback: nothing was found"


class FeedbackSearcher:
    """Ranks documents for topics that were expanded by feedback, by word associations, or by both.

    Parameters
    ----------
    ranker : TopicSearcher or SmartSearcher
        The searcher of both searches.
    index : Index
        The index that it searches.
    feedback : Rocchio or RM3, optional
        None expands by associations alone, without a first search.
    source : TermSource, optional
        Where terms come from; the whole documents if None. A topic none of whose feedback
        documents has a term there (such as a sentence of the requested moves) takes its terms
        from the whole documents, and its expansion says so.
    known : dict of str to (int, Hits), optional
        Earlier searches of the ranker by text: how many hits were requested, and the hits. New ones
        are added, so that several settings of feedback over one ranker search each text once.
    documents : Documents, optional
        The reader of the documents of the index, with a cache.
    associated : (AssociatedTerms, FromAssociations), optional
        The terms that words are associated with, and how many to add with which weight; a topic of
        weighted terms has no words, and gains none.
    """

    def __init__(
        self,
        ranker: TopicSearcher,
        index: Index,
        feedback: Rocchio | RM3 | None,
        source: TermSource | None = None,
        *,
        known: dict[str, tuple[int, Hits]] | None = None,
        documents: Documents | None = None,
        associated: "tuple[AssociatedTerms, FromAssociations] | None" = None,
    ) -> None:
        self.ranker = ranker
        self.index = index
        self.feedback = feedback
        self.documents = documents or Documents(index)
        self.source = source or self.documents
        self._cached = {} if known is None else known
        self._associated = associated

    @property
    def analysis(self) -> Analysis:
        """How topics become terms: the ranker's."""
        return self.ranker.analysis

    def search(
        self,
        topics: Mapping[str, Topic],
        k: int = 1000,
        *,
        first: Run | None = None,
        threads: int = 1,
        batch_size: int = BATCH,
        progress: Progress | None = None,
    ) -> Run:
        """Find the first `k` documents for each topic.

        Parameters
        ----------
        topics : mapping of topic id to text, or to weighted terms
        threads : int
            Of the ranker, in both of its searches.
        batch_size : int
            Topics whose feedback documents are in memory at once; no topic's hits depend on it.
        first : Run, optional
            The hits that feedback reads, from an earlier search or another system; a topic that
            it lacks has none.

        Returns
        -------
        Run
            An entry for every topic, in their order.
        """
        if k < 1 or batch_size < 1:
            raise UsageError("hits and batch size must be at least 1")
        run = Run()
        for batch in batches(topics, batch_size, progress):
            expanded = self.expand(batch, k, first=first, threads=threads, batch_size=batch_size)
            queries = {name: expansion.weights for name, expansion in expanded.items()}
            selective = isinstance(self.feedback, Rocchio) and self.feedback.selective
            found = self.ranker.search(
                queries, max(k, DEPTH) if selective else k, threads=threads, batch_size=batch_size
            )
            if selective:
                before = self._first(batch, k, threads, batch_size) if first is None else first
                found = selected(before, found).head(k)
            run.update(found)
        return run

    def expand(
        self,
        topics: Mapping[str, Topic],
        k: int = 1000,
        *,
        first: Run | None = None,
        threads: int = 1,
        batch_size: int = BATCH,
    ) -> dict[str, Expansion]:
        """Expand topics.

        Parameters
        ----------
        k : int
            If gamma is above 0, the last of the first `k` hits are those to move away from.
        """
        expanded = self._fed_back(topics, k, first, threads, batch_size)
        if self._associated is None:
            return expanded
        terms, settings = self._associated
        return {
            name: terms.add(topic, expanded[name], settings.terms, settings.weight)
            if isinstance(topic, str)
            else expanded[name]
            for name, topic in topics.items()
        }

    def _fed_back(
        self, topics: Mapping[str, Topic], k: int, first: Run | None, threads: int, batch_size: int
    ) -> dict[str, Expansion]:
        """Expand topics by feedback, if there is any."""
        feedback = self.feedback
        queries = self._queries(topics)
        if feedback is None:
            plain = [Expansion(dict(query), dict(query)) for query in queries]
            return dict(zip(topics, plain, strict=True))
        hits = self._first(topics, k, threads, batch_size) if first is None else first
        hits = Run((topic, hits.get(topic, Hits.ranked([], []))) for topic in topics)
        tops = hits.head(feedback.fb_docs)
        pool = self.source.pool(topics, tops)
        bottom = self._bottom(topics, hits, k)
        expansions = expand(feedback, queries, pool, bottom)
        if not (isinstance(feedback, Rocchio) and not feedback.beta):
            expansions = self._fallback(topics, tops, queries, bottom, expansions)
        return dict(zip(topics, expansions, strict=True))

    def explain(
        self, topics: Mapping[str, Topic]
    ) -> dict[str, tuple[Expansion, dict[str, list[str]]]]:
        """Expand topics, and name for each new term the documents or sentences that it is from.

        Returns
        -------
        dict of str to (Expansion, dict of str to list of str)
            The lists are in the order of the feedback documents; then come the topic's words that
            the term is associated with, each behind a ~.
        """
        origins: dict[str, dict[str, list[str]]] = {name: {} for name in topics}
        if self.feedback is None:
            expanded = self.expand(topics)
        else:
            first = self._first(topics, 1000, 1, BATCH)
            expanded = self.expand(topics, first=first)
            tops = first.head(self.feedback.fb_docs)
            pool = self.source.pool(topics, tops)
            whole = self.documents.pool(topics, tops)
            for number, (name, expansion) in enumerate(expanded.items()):
                read = whole if expansion.fallback == WHOLE else pool
                origins[name] = read.origins(number, expansion.feedback)
        for name, expansion in expanded.items():
            if self._associated and expansion.associated:
                associated = self._associated[0].of(str(topics[name]))
                for term in expansion.associated:
                    words = [f"~{word}" for word in associated[term][1]]
                    origins[name].setdefault(term, []).extend(words)
        return {name: (expansion, origins[name]) for name, expansion in expanded.items()}

    def _first(self, topics: Mapping[str, Topic], k: int, threads: int, batch_size: int) -> Run:
        """Search for the hits that feedback reads, unless they are cached."""
        feedback = self.feedback
        assert feedback is not None
        depth = max(k if feedback.gamma else 1, feedback.fb_docs)
        run, new = Run(), {}
        for name, topic in topics.items():
            cached = self._cached.get(topic) if isinstance(topic, str) else None
            if cached and cached[0] >= depth:
                run[name] = cached[1].head(depth)
            else:
                new[name] = topic
        if new:
            run.update(self.ranker.search(new, depth, threads=threads, batch_size=batch_size))
        for name, topic in new.items():
            if isinstance(topic, str) and depth <= _DEEPEST:
                if len(self._cached) >= _KEPT:
                    self._cached.clear()
                self._cached[topic] = depth, run[name]
        return run

    def _bottom(self, topics: Mapping[str, Topic], run: Run, k: int) -> Pool | None:
        """Read the last of each topic's first `k` hits, the very last first."""
        feedback = self.feedback
        if not isinstance(feedback, Rocchio) or not feedback.gamma:
            return None
        count = feedback.bottom_fb_docs
        last = Run()
        for topic in topics:
            hits = run[topic].head(k)
            last[topic] = Hits(hits.ids[::-1][:count], hits.scores[::-1][:count])
        return self.documents.pool(topics, last)

    def _fallback(
        self,
        topics: Mapping[str, Topic],
        tops: Run,
        queries: Sequence[Mapping[str, float]],
        bottom: Pool | None,
        expansions: list[Expansion],
    ) -> list[Expansion]:
        """Expand topics that got no term by whole documents, if they have hits at all."""
        assert self.feedback is not None
        names = list(topics)
        lacking = {n: names[n] for n, expansion in enumerate(expansions) if not expansion.feedback}
        result = list(expansions)
        again = {n: name for n, name in lacking.items() if len(tops[name])}
        if again and self.source is not self.documents:
            pool = self.documents.pool(topics, tops)
            others = expand(self.feedback, queries, pool, bottom)
            for n in again:
                result[n] = replace(others[n], fallback=WHOLE)
        for n, name in lacking.items():
            if not result[n].feedback:
                why = FILTERED if len(tops[name]) else NOTHING
                result[n] = replace(result[n], fallback=why)
        return result

    def _queries(self, topics: Mapping[str, Topic]) -> Sequence[Mapping[str, float]]:
        if isinstance(self.ranker, SmartSearcher):
            return self.ranker.bags(topics)
        analyse = self.ranker.analysis.terms
        return [
            dict(Counter(analyse(topic))) if isinstance(topic, str) else topic
            for topic in topics.values()
        ]


class AssociatedTerms:
    """The terms of an index that a text is associated with; those of recent texts are cached.

    Parameters
    ----------
    associations : WordAssociations
    index : Index
        The index that is searched.
    analysis : Analysis
        How topics become terms.
    """

    def __init__(self, associations: "WordAssociations", index: Index, analysis: Analysis) -> None:
        self.associations = associations
        self.index = index
        self.analysis = analysis
        self._cached: dict[str, dict[str, tuple[float, list[str]]]] = {}

    def of(self, text: str) -> Mapping[str, tuple[float, list[str]]]:
        """Find terms, from the strongest: how strongly, and with which words of the text.

        A term is as strong as its strongest word. Those of the text itself are not among them, nor
        those that the index lacks or has in more than a tenth of its documents.
        """
        terms = self._cached.get(text)
        if terms is None:
            own = set(self.analysis.terms(text))
            strengths: dict[str, tuple[float, list[str]]] = {}
            for word, (strength, words) in self.associations.of(text, WORDS).items():
                for term in self.analysis.terms(word):
                    if term not in own:
                        earlier = strengths.get(term, (strength, []))
                        strengths[term] = earlier[0], list(dict.fromkeys([*earlier[1], *words]))
            counts = self.index.frequencies(list(strengths))
            if len(self._cached) >= CACHED:
                self._cached.clear()
            terms = {
                term: strength
                for (term, strength), count in zip(strengths.items(), counts, strict=True)
                if 0 < count <= FEEDBACK_DF_SHARE_MAX * len(self.index)
            }
            self._cached[text] = terms
        return terms

    def add(self, text: str, expansion: Expansion, count: int, weight: float) -> Expansion:
        """Add terms of a text to the topic after feedback.

        Parameters
        ----------
        text : str
        expansion : Expansion
        count : int
            How many terms at most.
        weight : float
            delta.
        """
        terms = dict(list(self.of(text).items())[:count])
        length = _length({term: strength for term, (strength, _) in terms.items()})
        own = _length(expansion.original) or _length(expansion.weights) or 1.0
        if not length or not weight:
            return expansion
        scale = weight * own / length
        gains = {term: scale * strength for term, (strength, _) in terms.items()}
        weights = dict(expansion.weights)
        for term, gain in gains.items():
            weights[term] = weights.get(term, 0.0) + gain
        ordered = sorted(weights.items(), key=lambda pair: -pair[1])
        return replace(expansion, weights=dict(ordered), associated=gains)


def _length(weights: Mapping[str, float]) -> float:
    return math.sqrt(sum(weight * weight for weight in weights.values()))
