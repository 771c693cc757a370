"""Related sentences that are relevant enough to be shown without a request.

A score means little by itself: one sentence has matches of 30, another none above 8. From signs
with the same meaning for every sentence, the packaged model has learned the probability that a
reader calls a pair related (`relsent_ir.related.calibration.Reader`), which is its score. A
probable match is shown; if there are few, also one with P from 0.5 on among the best matches of two
fifths of the sentences. With another model, a match is shown if its score, over the sentence's with
itself, reaches that of the best matches of a fifth of the collection's sentences.

Stock sentences have no matches and are never matches: registrations of trials, funding, copyright,
lists of authors, and sentences repeated word for word in several records. They resemble each other
in all abstracts, and say nothing about the subject. There are two tests: weights of words, learned
from the text of structured abstracts under *Trial registration*, *Funding* and the like against
their other text (``tools/stock_sentences.py`` writes them); and a count of names, for lists of
authors, which have hardly any other words.

A pair is not shown if it has fewer than two content words in common and its vectors are not near. A
sentence that matches several sentences of a record is shown under the one that it matches best.
"""

import hashlib
import json
import re
from collections.abc import Mapping
from functools import cache, cached_property
from importlib.resources import files
from typing import Any, Final

import numpy as np

from relsent_ir.hits import Hits, Run
from relsent_ir.lucene.memory.derived import Derived
from relsent_ir.related.calibration import Calibration, Reader, reached
from relsent_ir.related.features import Sentences, presence
from relsent_ir.related.matching.matcher import Matcher
from relsent_ir.related.matching.stages import content_words, shared_content
from relsent_ir.related.model import TrainedModel
from relsent_ir.related.pairs import LEAST_WORDS
from relsent_ir.typing import Floats, NDArray

SHARE: Final = 0.4  # of a collection's sentences: their best matches are shown …
FLOOR: Final = 0.5  # … if P is at least this; matches with the reader's least P always
SHARED: Final = 2  # content words in common, at least …
NEAR: Final = 0.6  # … or the cosine of the vectors
REPEATED: Final = 3  # so many sentences with the same words are stock
WIDER: Final = 4  # hits that are examined for each one shown
BEST: Final = "related-best"  # the name of the derived data
SAMPLE: Final = 200  # sentences
SEED: Final = 0


_TOKEN: Final = re.compile(r"[^\W_]+")
_DIGITS: Final = re.compile(r"\d+")
_NAMES: Final = 0.7  # least share of names among the tokens of a list of authors
_NAMES_LEAST: Final = 6  # least number of tokens of such a list
BIAS: Final = "(bias)"


def stock_features(text: str) -> set[str]:
    """Return the words of a sentence, with 0 for each number."""
    return {_DIGITS.sub("0", token) for token in _TOKEN.findall(text.lower())}


@cache
def stock_weights() -> dict[str, float]:
    """Return the learned weight of each word, and the constant (`BIAS`)."""
    text = files("relsent_ir.related").joinpath("stock.tsv").read_text(encoding="utf-8")
    rows = (line.split("\t") for line in text.splitlines() if not line.startswith("#"))
    return {word: float(weight) for word, weight in rows}


def is_stock(text: str) -> bool:
    """Return whether a sentence is stock, by its words or as a list of names."""
    weight = stock_weights()
    score = weight[BIAS] + sum(weight.get(word, 0.0) for word in stock_features(text))
    tokens = [token for token in _TOKEN.findall(text) if not token.isnumeric()]
    names = sum(token[0].isupper() and (len(token) == 1 or token[1:].islower()) for token in tokens)
    listed = len(tokens) >= _NAMES_LEAST and names >= _NAMES * len(tokens)
    return score > 0.0 or listed


class Showing:
    """Choose which hits of a matcher are shown."""

    def __init__(self, matcher: Matcher) -> None:
        self.matcher = matcher
        self.reader: Reader | None = getattr(matcher.model, "reader", None)

    @cached_property
    def _repeated(self) -> NDArray[np.bool_]:
        """Whether several other sentences of the store have the same words as each."""
        words = self.matcher.store.sentences.words
        marks = np.random.default_rng(SEED).integers(1, 2**62, words.shape[1], dtype=np.int64)
        of_words = presence(words, np.int64) @ marks  # one number for the same words
        _, place, counts = np.unique(of_words, return_inverse=True, return_counts=True)
        return np.asarray(counts[place] >= REPEATED)

    @cached_property
    def least(self) -> float:
        """The least P, or relative score, of a match that is shown."""
        best = best_scores(self.matcher)
        if self.reader:
            return min(max(FLOOR, reached(best, SHARE)), self.reader.least)
        return reached(best)

    def worth(self, text: str, hits: Hits) -> tuple[Floats, NDArray[np.bool_]]:
        """Return values of a sentence's hits, and whether each has enough in common with it.

        The value is a reader's P, or the score divided by the sentence's score with itself; enough
        are two content words, or all that the sentence has, or near vectors.
        """
        matcher, store = self.matcher, self.matcher.store
        query = Sentences.from_texts([text], matcher.model.stopwords)
        rows = store.rows(hits.ids.tolist())
        words = store.lexicon.words.locate(query.lexicon.words)
        enough = shared_content(store, words, rows) >= min(SHARED, len(content_words(store, words)))
        if self.reader and enough.all():
            return hits.scores, enough
        if matcher.stages:
            enough |= matcher.stages.cosines(matcher.stages.query(query, 0).vector, rows) >= NEAR
        if self.reader:
            return hits.scores, enough
        if matcher.stages:
            own = matcher.stages.scores(matcher.stages.query(query, 0), rows[:0])[1]
        else:
            own = float(matcher.model.query_scores(query, 0, np.array([0]))[0])
        return hits.scores / own if own > 0.0 else np.zeros(len(rows)), enough

    def probabilities(self, hits: Hits) -> dict[str, dict[str, float]]:
        """Return two probabilities for each hit: ``p_related`` and ``p_same_abstract``."""
        calibration: Calibration | None = getattr(self.matcher.model, "calibration", None)
        chances: dict[str, Floats] = {}
        if self.reader:
            chances["p_related"] = hits.scores
        if calibration:
            same = calibration.probability(hits.scores, len(self.matcher.store))
            chances["p_same_abstract"] = same
        return {
            name: {kind: float(f"{values[i]:.4g}") for kind, values in chances.items()}
            for i, name in enumerate(hits.ids.tolist())
        }

    def related(self, topics: Mapping[str, str], k: int) -> Run:
        """Find the sentences to show under those of a record, at most `k` under each."""
        return self.choose(topics, self.matcher.related(topics, WIDER * k, without_own=True), k)

    def choose(self, topics: Mapping[str, str], run: Run, k: int | None = None) -> Run:
        """Select the hits to show.

        Parameters
        ----------
        topics : mapping of topic id to text
            The sentences of one record, or any topics.
        run : Run
            The hits of the topics.
        k : int, optional
            Largest number of hits of a topic.

        Returns
        -------
        Run
            Each hit at most once over all topics, under the topic that it matches best.
        """
        fits: list[tuple[float, str, int]] = []
        for topic, hits in run.items():
            if len(hits) and not is_stock(topics[topic]):
                worth, enough = self.worth(topics[topic], hits)
                good = np.flatnonzero(enough & (worth >= self.least)).tolist()
                fits += [(-float(worth[place]), topic, place) for place in good]
        taken = self._stock({run[topic].ids[place] for _, topic, place in fits})
        places: dict[str, list[int]] = {topic: [] for topic in run}
        for _, topic, place in sorted(fits):
            name = str(run[topic].ids[place])
            if name not in taken and (k is None or len(places[topic]) < k):
                taken.add(name)
                places[topic].append(place)
        return Run((topic, _selected(hits, sorted(places[topic]))) for topic, hits in run.items())

    def rest(self, topic: str, text: str, shown: Run, k: int) -> Hits:
        """Return the best `k` hits of a sentence that are not shown under any sentence.

        Parameters
        ----------
        topic, text : str
            The sentence; if it is stock, it has no hits.
        shown : Run
            The hits shown under the sentences of its record.
        k : int
        """
        hits = self.matcher.related({topic: text}, WIDER * k, without_own=True)[topic]
        hidden = self._stock(set(hits.ids))
        hidden |= {name for other in shown.values() for name in other.ids.tolist()}
        places = [place for place, name in enumerate(hits.ids.tolist()) if name not in hidden]
        return _selected(hits, places).head(0 if is_stock(text) else k)

    def _stock(self, names: set[str]) -> set[str]:
        """Return those hits that are stock sentences."""
        ids = sorted(names)
        repeated = self._repeated[self.matcher.store.rows(ids)].tolist()
        each = zip(ids, self.matcher.collection.texts(ids), repeated, strict=True)
        return {name for name, text, again in each if again or is_stock(text)}


def _selected(hits: Hits, places: list[int]) -> Hits:
    rows = np.array(places, dtype=np.intp)
    return Hits(hits.ids[rows], hits.scores[rows])


def best_scores(matcher: Matcher) -> Floats:
    """Return the relative scores of the best matches of sampled sentences, ascending.

    A model's scores mean something else in another collection; so they are measured once in each
    index, and stored beside it.
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
        ids = store.ids.take(rows)
        topics = dict(zip(ids, matcher.collection.texts(ids), strict=True))
        run = matcher.related(topics, 1, without_own=True).items()
        best = [showing.worth(topics[topic], hits)[0][0] for topic, hits in run if len(hits)]
        return {"best": np.sort(np.array(best, dtype=np.float64))}

    derived = Derived(matcher.index, BEST, settings, edition=2)
    return derived.open(build, lambda stored: stored.arrays["best"])
