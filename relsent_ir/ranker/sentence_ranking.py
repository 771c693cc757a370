"""Rank sentences by all evidence: their own words, their neighbours, and their record.

Candidates are the sentences of the first records after feedback, and of the records of the first
sentences. Question words ("does", "how", "effect of") are dropped if other words remain. Titles are
hits only if there is no other, since a hit is shown with the title of its record.

References
----------
Murdock, Croft: A translation model for sentence retrieval. HLT/EMNLP 2005. Fernández, Losada,
Azzopardi: Extending the language modeling framework for sentence retrieval to include local
context. Information Retrieval 14, 2011 (the neighbours, and the record). Zuccon et al.: Integrating
and evaluating neural word embeddings in information retrieval. ADCS 2015 (words like the topic's).
Hull: Improving text retrieval for the routing problem using latent semantic indexing. SIGIR 1994.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from relsent_ir.counts.weighting import Rows
from relsent_ir.feedback.engine import Engine, Opening
from relsent_ir.feedback.wording import without_question_words
from relsent_ir.hits import Hits, Run, owner
from relsent_ir.lucene.read.search import Searcher
from relsent_ir.methods import Ranker, Rerank
from relsent_ir.moves import MOVES
from relsent_ir.ranker.candidates import DEPTH, TopicCandidates
from relsent_ir.ranker.likeness import latent_space, products, standard, to_first
from relsent_ir.ranker.model import one_thread
from relsent_ir.ranker.ranking import NO_VECTORS, RankerReranker, RankerSearcher, StagedSearcher
from relsent_ir.typing import Floats, NDArray

if TYPE_CHECKING:
    from relsent_ir.dense.retrieval import Vectors
    from relsent_ir.related.huber_plus import HuberPlusModel

RECORDS: Final = 200
"""Number of records after feedback whose sentences are candidates, and of first sentences."""
HEAD: Final = 150
"""Number of first sentences that are read and reordered."""
FIRST: Final = 5
"""Number of these whose likeness is used."""
WEIGHTS: Final[Mapping[str, float]] = {
    "own": 0.15,
    "covered": 0.25,
    "record": 0.15,
    "whole": 0.4,
    "around": 0.25,
    "METHODS": -0.25,
    "RESULTS": 0.2,
    "CONCLUSION": 0.1,
}
"""Weights of standardised scores: rounded from pairs of graded sentences of 20 queries
(docs/results/sentence-ranker.md); the weight of moves is halved."""
HEAD_WEIGHTS: Final[Mapping[str, float]] = {
    "first": 0.5,
    "latent": 0.45,
    "related": 0.2,
    "cosine": 0.4,
    "alike": 0.75,
    "dense": 1.0,
    "PURPOSE": -0.4,
    "METHODS": 0.1,
    "RESULTS": 0.6,
    "CONCLUSION": 0.6,
}
"""Weights of standardised scores among the first: rounded from pairs of 40 queries; moves from
SciFact's development claims. ``first`` is the sum by `WEIGHTS`; ``related``, ``cosine`` and
``alike`` (the topic's idf covered by similar words) are from Huber+, ``dense`` from an encoder."""


@dataclass(eq=False, kw_only=True)
class SentenceRankerSearcher(StagedSearcher):
    """Search for sentences: those of the first records, ordered by all evidence.

    Parameters
    ----------
    collection : Indexes
    reranker : RankerReranker
        A reranker of records, since the score of a sentence's record also counts.
    related : HuberPlusModel, optional
        A model of related sentences, for the first sentences.
    vectors : Vectors, optional
        Vectors of sentences, for the first sentences.
    filters : Filters, optional
        Only sentences that pass are found.
    engine : Engine
        An engine for the sentences.
    """

    engine: Engine
    related: "HuberPlusModel | None" = None
    vectors: "Vectors | None" = None

    def rank(self, topics: Mapping[str, str], k: int, threads: int) -> Iterator[tuple[str, Hits]]:
        """Yield each topic of a batch with its first `k` sentences.

        Scores count down to 1; only the order is meaningful.
        """
        written = topics
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
            with one_thread():  # for such small products, threads would wait for each other
                ranked = self._ordered(candidates, written[topic]) if records else []
            if self.filters:
                passing = set(sentences)
                ranked = [name for name in ranked if name in passing]
            ranked = list(dict.fromkeys([*ranked, *sentences]))
            hits = [name for name in ranked if not name.endswith(".0")] or ranked
            yield topic, Hits.ranked(hits[:k], range(len(hits[:k]), 0, -1))

    def _ordered(self, candidates: TopicCandidates, written: str) -> list[str]:
        """Order the sentences of candidates that share a word with the topic."""
        sentences = candidates.sentences
        _, values, groups = self.reranker.scores(candidates)
        records = values @ self.reranker.model.without(groups)
        scores = sentence_scores(candidates, records)
        order = np.argsort(-scores, kind="stable")
        order = order[(sentences.own > 0)[order] & ~sentences.title[order]]
        ranked = self.engine.names.take(candidates.store.places[sentences.numbers[order]])
        head = order[:HEAD]
        if len(head) < 2:
            return ranked
        again = {"first": scores[head], **self._read(candidates, head, ranked[:HEAD], written)}
        order = np.argsort(-_weighed(again, HEAD_WEIGHTS), kind="stable")
        return [ranked[place] for place in order.tolist()] + ranked[HEAD:]

    def _read(
        self, candidates: TopicCandidates, head: NDArray[np.intp], names: list[str], written: str
    ) -> dict[str, Floats]:
        """Compute the values that reorder the first sentences, besides their first order."""
        rows = Rows(candidates.store.counts["sentences"], candidates.sentences.numbers[head])
        latent = latent_space(products(rows.cosine, len(head)))
        near = latent @ latent[:FIRST].T
        np.fill_diagonal(near, 0.0)
        values = {"latent": to_first(near)}
        moves = candidates.sentences.moves[head]
        values |= {move: (moves == place) * 1.0 for place, move in enumerate(MOVES)}
        if self.related:
            from relsent_ir.related.features import Sentences

            texts = [candidates.text, *self.collection.texts(names)]
            together = Sentences.from_texts(texts, self.related.stopwords)
            of_topic = together, 0, np.arange(1, len(texts))
            values["related"] = self.related.query_scores(*of_topic)
            values["cosine"], values["alike"] = self.related.likeness(*of_topic)
        if self.vectors:
            cosines = self.vectors.cosines(self.vectors.encode(written), names)
            lacking = np.isnan(cosines)
            if not lacking.all():
                values["dense"] = np.where(lacking, cosines[~lacking].min(), cosines)
        return values


def sentence_scores(candidates: TopicCandidates, records: Floats) -> Floats:
    """Compute the weighted sum of features that selects the first sentences; shape (s,).

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
    return _weighed(values, WEIGHTS)


def _weighed(values: Mapping[str, Floats], weights: Mapping[str, float]) -> Floats:
    """Sum the standardised scores of features with their weights."""
    total: Floats = np.zeros(len(next(iter(values.values()))))
    for name, weight in weights.items():
        if name in values:
            total += weight * standard(values[name])
    return total


def open_searcher(stage: Ranker, opening: Opening) -> StagedSearcher:
    """Open the search for abstracts, or for sentences of the best abstracts."""
    opening.refuse_stopwords(stage)
    engine, filters = opening.engine, opening.filters
    whole = engine.index.unit == "abstracts"
    # for sentences, their own vectors are used, not those of their records
    method = stage if whole else stage.changed(dense=NO_VECTORS)
    reranker = method.open("rerank", opening.rerankers, opening.runs)
    assert isinstance(reranker, RankerReranker)
    if whole:
        return RankerSearcher(engine.collection, reranker, filters=filters, engine=engine)
    from relsent_ir.related.huber_plus import HuberPlusModel
    from relsent_ir.related.reranker import RelatedReranker
    from relsent_ir.related.store import PACKAGED

    opened = Rerank(PACKAGED).open("rerank", opening.rerankers, opening.runs)
    assert isinstance(opened, RelatedReranker)
    related = opened.model(engine.collection)
    assert isinstance(related, HuberPlusModel)
    return SentenceRankerSearcher(
        engine.collection,
        reranker,
        engine=engine,
        related=related,
        vectors=None if stage.dense in (None, NO_VECTORS) else opening.open_vectors(stage.dense),
        filters=filters,
    )
