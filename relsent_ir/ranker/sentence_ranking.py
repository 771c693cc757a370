"""Rank sentences by all the evidence: their own words, their neighbours, and their record.

Candidates are the sentences of the first records after feedback, and of the records of the first
sentences. Question words ("does", "how", "effect of") are dropped where others are left. A title is
a hit only where nothing else is: the title of a hit's record is shown with it anyway.

References
----------
Murdock, Croft: A translation model for sentence retrieval. HLT/EMNLP 2005. Fernández, Losada,
Azzopardi: Extending the language modeling framework for sentence retrieval to include local
context. Information Retrieval 14, 2011 (the neighbours, and the record).
"""

import re
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np

from relsent_ir.feedback import Engine
from relsent_ir.hits import Hits, Run, owner
from relsent_ir.lucene.analyzers import Analysis
from relsent_ir.lucene.memory.postings import open_postings
from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.lucene.read.filters import Filters
from relsent_ir.lucene.read.search import Searcher
from relsent_ir.moves import MOVES
from relsent_ir.ranker.candidates import DEPTH, TopicCandidates
from relsent_ir.ranker.features.likeness import standard
from relsent_ir.ranker.ranking import RankerReranker, StagedSearcher
from relsent_ir.text.vocabulary import Vocabulary
from relsent_ir.typing import Floats

if TYPE_CHECKING:
    from relsent_ir.related.reranker import RelatedReranker

RECORDS: Final = 200
"""Records whose sentences are candidates, after feedback; and as many of the first sentences."""
RELATED: Final = 100
"""First sentences that Huber+ scores, too."""
WEIGHTS: Final[Mapping[str, float]] = {
    "own": 0.15,
    "covered": 0.25,
    "record": 0.15,
    "whole": 0.4,
    "around": 0.25,
    "METHODS": -0.25,
    "RESULTS": 0.2,
    "CONCLUSION": 0.1,
    "related": 0.25,
}
"""Of standard scores: rounded from pairs of graded sentences of the 20 queries of development
(docs/results/sentence-ranker.md), moves by half."""
LEAST: Final = 2
"""Content words that must be left where question words are dropped."""
_QUESTION_WORDS: Final = re.compile(
    r"\b(?:what|which|who|whom|whose|why|when|where|how|does|do|did|is|are|was|were|can|could|"
    r"should|would|will|has|have|may|might|there|"
    r"(?:effects?|roles?|impacts?|influences?|mechanisms?) (?:of|for|in|on))\b|\?",
    re.IGNORECASE,
)


def without_question_words(text: str, analysis: Analysis) -> str:
    """Drop the question words of a topic, where at least `LEAST` other words are left."""
    left = _QUESTION_WORDS.sub(" ", text)
    return left if len(set(analysis.terms(left))) >= LEAST else text


class SentenceRankerSearcher(StagedSearcher):
    """Searches for sentences: those of the first records, in the order of all the evidence.

    Parameters
    ----------
    collection : Indexes
    reranker : RankerReranker
        Of records: how good a sentence's record is counts, too.
    related : RelatedReranker, optional
        Of sentences, for the first of them.
    filters : Filters, optional
        Only sentences that pass are found.
    engine : Engine
        Of the sentences.
    asking : bool
        Question words keep their weight.
    """

    def __init__(
        self,
        collection: Indexes,
        reranker: RankerReranker,
        *,
        engine: Engine,
        related: "RelatedReranker | None" = None,
        filters: Filters | None = None,
        asking: bool = False,
    ) -> None:
        super().__init__(collection, reranker, filters=filters)
        self.engine = engine
        self.related = related
        self.asking = asking

    @cached_property
    def _names(self) -> Vocabulary:
        """The ids of the sentences, by their places in the index."""
        return open_postings(self.engine.index).ids

    def rank(self, topics: Mapping[str, str], k: int, threads: int) -> Iterator[tuple[str, Hits]]:
        """Yield each topic of a batch with its first `k` sentences.

        Their scores count down to 1: only the order has a meaning.
        """
        if not self.asking:
            topics = {
                topic: without_question_words(text, self.analysis) for topic, text in topics.items()
            }
        reader = self.reranker.reader(self.collection, threads)
        expanded = reader.expand(topics)
        first = Run() if self.filters else reader.search(expanded, RECORDS)
        lucene = Searcher(self.engine.index, filters=self.filters, engine=self.engine.engine)
        plain = lucene.search(topics, max(k, DEPTH), threads=threads)
        for topic, text in topics.items():
            sentences = plain[topic].ids.tolist()
            records = first[topic].ids.tolist() if topic in first else []
            owners = list(dict.fromkeys(map(owner, sentences)))[:RECORDS]
            records = list(dict.fromkeys([*records, *owners]))
            candidates = reader.read(topic, text, records, expanded)
            ranked = self._ordered(candidates) if records else []
            if self.filters:
                passing = set(sentences)
                ranked = [name for name in ranked if name in passing]
            ranked = list(dict.fromkeys([*ranked, *sentences]))
            hits = [name for name in ranked if not name.endswith(".0")] or ranked
            yield topic, Hits.ranked(hits[:k], range(len(hits[:k]), 0, -1))

    def _ordered(self, candidates: TopicCandidates) -> list[str]:
        """Order the candidates' sentences that have a word of the topic."""
        sentences = candidates.sentences
        _, values, groups = self.reranker.scores(candidates)
        records = self.reranker.model.without(groups).scores(values)
        scores = sentence_scores(candidates, records)
        order = np.argsort(-scores, kind="stable")
        order = order[(sentences.own > 0)[order] & ~sentences.title[order]]
        places = candidates.store.places[sentences.numbers[order]].tolist()
        ranked = [self._names[place] for place in places]
        head = ranked[:RELATED]
        if self.related is None or len(head) < 2:
            return ranked
        run = Run({"": Hits.ranked(head, range(len(head), 0, -1))})
        hits = self.related.rerank(self.collection, run, {"": candidates.text})[""]
        alike = dict(zip(hits.ids.tolist(), hits.scores.tolist(), strict=True))
        more = WEIGHTS["related"] * standard(np.array([alike[name] for name in head]))
        again = np.argsort(-(scores[order[: len(head)]] + more), kind="stable")
        return [head[place] for place in again.tolist()] + ranked[RELATED:]


def sentence_scores(candidates: TopicCandidates, records: Floats) -> Floats:
    """Compute the weighted sum of the sentences' features, without Huber+; shape (s,).

    Parameters
    ----------
    candidates : TopicCandidates
    records : ndarray of float64, shape (n,)
        The scores of the records.
    """
    sentences = candidates.sentences
    own, owners = sentences.own, sentences.owners
    same = owners[1:] == owners[:-1]
    before, after = np.append(0.0, own[:-1] * same), np.append(own[1:] * same, 0.0)
    values = {
        "own": own,
        "covered": np.asarray(sentences.covered),
        "record": records[owners],
        "whole": np.asarray(candidates.contents.covered(candidates.query))[owners],
        "around": np.maximum(before, after),
        **{move: (sentences.moves == place) * 1.0 for place, move in enumerate(MOVES)},
    }
    total: Floats = np.zeros(len(owners))
    for name, weight in WEIGHTS.items():
        if name in values:
            total += weight * standard(values[name])
    return total
