"""Related sentences that are worth showing unasked.

A score says little by itself: one sentence has matches of 30, another none above 8. The packaged
model has learned from signs that mean the same for every sentence how likely a reader calls a pair
related (`relsent_ir.related.calibration.Reader`); that is its score. A match is shown if it is
likely; in a collection where few are, if it is likelier than not and among the best matches of two
fifths of the sentences. With other models it is shown if its score, over that of the sentence with
itself, is what the best match of a fifth of the collection's sentences reaches.

Stock sentences are shown nowhere and get nothing: those of `relsent_ir.related.stock`, and those
that stand word for word in several records. Nor is a pair shown that has fewer than two content
words in common and whose vectors are not near. A sentence that fits several of a record stands
under the one that it fits best.
"""

import hashlib
import json
from collections.abc import Mapping
from functools import cached_property
from typing import Any, Final

import numpy as np

from relsent_ir.hits import Hits, Run
from relsent_ir.lucene.memory.derived import open_derived
from relsent_ir.related.calibration import Calibration, Reader, reached
from relsent_ir.related.features import Sentences, presence
from relsent_ir.related.matching.matcher import Matcher
from relsent_ir.related.matching.stages import content_words, shared_content
from relsent_ir.related.model import TrainedModel
from relsent_ir.related.pairs import LEAST_WORDS
from relsent_ir.related.stock import is_stock
from relsent_ir.typing import Floats, NDArray

SHARE: Final = 0.4  # of a collection's sentences: their best matches are shown …
FLOOR: Final = 0.5  # … if P is this at least, and those of the reader's least P always
SHARED: Final = 2  # content words in common, at least …
NEAR: Final = 0.6  # … or the cosine of the vectors
REPEATED: Final = 3  # sentences of the same words are stock
WIDER: Final = 4  # times as many hits are looked at as are shown
BEST: Final = "related-best"  # the name of the derived data
SAMPLE: Final = 200  # sentences
SEED: Final = 0


class Showing:
    """Chooses what is shown of the hits of one matcher."""

    def __init__(self, matcher: Matcher) -> None:
        self.matcher = matcher
        self.reader: Reader | None = getattr(matcher.model, "reader", None)

    @cached_property
    def _mark(self) -> NDArray[np.int64]:
        """A number of each sentence, the same for those of the same words."""
        store = self.matcher.store
        size = len(store.lexicon.words)
        marks = np.random.default_rng(SEED).integers(1, 2**62, size, dtype=np.int64)
        return np.asarray(presence(store.sentences.words, np.int64) @ marks)

    @cached_property
    def _repeated(self) -> NDArray[np.int64]:
        """The numbers of stock sentences."""
        same, counts = np.unique(self._mark, return_counts=True)
        return same[counts >= REPEATED]

    @cached_property
    def least(self) -> float:
        """The least P, or score over the sentence's own, of what is shown."""
        best = best_scores(self.matcher)
        if self.reader:
            return min(max(FLOOR, reached(best, SHARE)), self.reader.least)
        return reached(best)

    def worth(self, text: str, hits: Hits) -> tuple[Floats, NDArray[np.bool_]]:
        """Return what tells a sentence's hits apart, and whether enough is in common.

        That is P of a reader, or the score over that of the sentence with itself; and two content
        words, or all that the sentence has, or vectors that are near.
        """
        matcher, store = self.matcher, self.matcher.store
        query = Sentences.from_texts([text], matcher.model.stopwords)
        rows = store.rows(hits.ids.tolist())
        words = store.lexicon.words.locate(query.lexicon.words)
        enough = shared_content(store, words, rows) >= min(SHARED, len(content_words(store, words)))
        if matcher.stages:
            prepared = matcher.stages.query(query, 0)
            enough |= matcher.stages.cosines(prepared, rows) >= NEAR
        if self.reader:
            return hits.scores, enough
        if matcher.stages:
            own = matcher.stages.scores(prepared, rows[:0])[1]
        else:
            own = float(matcher.model.query_scores(query, 0, np.array([0]))[0])
        return hits.scores / own if own > 0.0 else np.zeros(len(rows)), enough

    def probabilities(self, hits: Hits) -> dict[str, dict[str, float]]:
        """Return the probabilities of each hit: ``p_related``, ``p_same_abstract``."""
        by_hit: dict[str, dict[str, float]] = {name: {} for name in hits.ids.tolist()}
        calibration: Calibration | None = getattr(self.matcher.model, "calibration", None)
        chances: dict[str, Floats] = {}
        if self.reader:
            chances["p_related"] = hits.scores
        if calibration:
            same = calibration.probability(hits.scores, len(self.matcher.store))
            chances["p_same_abstract"] = same
        for kind, values in chances.items():
            for name, value in zip(by_hit, values.tolist(), strict=True):
                by_hit[name][kind] = float(f"{value:.4g}")
        return by_hit

    def related(self, topics: Mapping[str, str], k: int) -> Run:
        """Find the sentences that are shown under those of a record, `k` at most under each."""
        return self.choose(topics, self.matcher.related(topics, WIDER * k, without_own=True), k)

    def choose(self, topics: Mapping[str, str], run: Run, k: int | None = None) -> Run:
        """Leave out of hits what is not to be shown.

        Parameters
        ----------
        topics : mapping of topic id to text
            The sentences of one record, or any.
        run : Run
            Their hits.
        k : int, optional
            How many of a topic's are left at most.

        Returns
        -------
        Run
            Each hit at most once in all topics, under the one that it fits best.
        """
        stock = self._stock(run)
        fits: list[tuple[float, str, int]] = []
        for topic, hits in run.items():
            if len(hits) and not is_stock(topics[topic]):
                worth, enough = self.worth(topics[topic], hits)
                good = np.flatnonzero(enough & (worth >= self.least)).tolist()
                good = [place for place in good if hits.ids[place] not in stock]
                fits += [(-float(worth[place]), topic, place) for place in good]
        taken: set[str] = set()
        places: dict[str, list[int]] = {topic: [] for topic in run}
        for _, topic, place in sorted(fits):
            name = str(run[topic].ids[place])
            if name not in taken and (k is None or len(places[topic]) < k):
                taken.add(name)
                places[topic].append(place)
        chosen = Run()
        for topic, hits in run.items():
            kept = np.sort(np.array(places[topic], dtype=np.intp))
            chosen[topic] = Hits(hits.ids[kept], hits.scores[kept])
        return chosen

    def rest(self, topic: str, text: str, shown: Run, k: int) -> Hits:
        """Return the best `k` hits of a sentence that are shown neither under it nor elsewhere.

        Parameters
        ----------
        topic, text : str
            The sentence, which has none if it is stock.
        shown : Run
            What is shown under the sentences of its record.
        k : int
        """
        hits = self.matcher.related({topic: text}, WIDER * k, without_own=True)[topic]
        left_out = self._stock(Run({topic: hits}))
        left_out |= {name for other in shown.values() for name in other.ids.tolist()}
        kept = np.array([name not in left_out for name in hits.ids.tolist()], dtype=bool)
        return Hits(hits.ids[kept], hits.scores[kept]).head(0 if is_stock(text) else k)

    def _stock(self, run: Run) -> set[str]:
        """Return the hits that are shown nowhere."""
        ids = sorted({name for hits in run.values() for name in hits.ids.tolist()})
        marks = self._mark[self.matcher.store.rows(ids)].tolist()
        texts = self.matcher.collection.texts(ids)
        each = zip(ids, texts, marks, strict=True)
        return {name for name, text, mark in each if self._is_stock(text, mark)}

    def _is_stock(self, text: str, mark: int) -> bool:
        at = int(np.searchsorted(self._repeated, mark))
        return (at < len(self._repeated) and int(self._repeated[at]) == mark) or is_stock(text)


def best_scores(matcher: Matcher) -> Floats:
    """Return the relative scores of the best matches of sampled sentences, ascending.

    A model's scores mean something else in another collection, so they are measured in the index
    that is searched, once, and kept beside it.
    """
    model = matcher.model
    facts, arrays = model.to_stored() if isinstance(model, TrainedModel) else ({}, {})
    digest = hashlib.blake2b(json.dumps(facts, sort_keys=True).encode(), digest_size=8)
    for name in sorted(arrays):
        digest.update(np.ascontiguousarray(arrays[name]).view(np.uint8).data)
    settings = {"model": model.name, "facts": digest.hexdigest(), "sample": SAMPLE}

    def build() -> dict[str, NDArray[Any]]:
        store, showing = matcher.store, Showing(matcher)
        rows = np.flatnonzero(store.sentences.lengths >= LEAST_WORDS)
        rows = np.sort(np.random.default_rng(SEED).permutation(rows)[:SAMPLE])
        ids = [store.ids[row] for row in rows.tolist()]
        topics = dict(zip(ids, matcher.collection.texts(ids), strict=True))
        run = matcher.related(topics, 1, without_own=True)
        best = [
            float(showing.worth(topics[topic], hits)[0][0])
            for topic, hits in run.items()
            if len(hits)
        ]
        return {"best": np.sort(np.array(best, dtype=np.float64))}

    return open_derived(
        matcher.index, BEST, settings, build, lambda stored: stored.arrays["best"], edition=2
    )
