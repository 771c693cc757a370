"""Reranking by related sentences: hits in the order of a model's scores against the topic.

Its evidence says why two sentences are related: the words that they share, and the features that
weigh most.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

import numpy as np

from relsent_ir.errors import InputError
from relsent_ir.hits import Hits, Run
from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.rank import Evidence, SentenceReranker, Span
from relsent_ir.records import Sentence
from relsent_ir.related.features import Sentences, Shared
from relsent_ir.related.huber_plus import HuberPlusModel
from relsent_ir.related.matching.stages import joined
from relsent_ir.related.model import FeatureModel, Model
from relsent_ir.related.opening import formula_model, is_formula, load_related
from relsent_ir.related.store.sentences import open_store
from relsent_ir.related.tokens import word_spans, words
from relsent_ir.text.words import default_stopwords
from relsent_ir.typing import Floats


class RelatedReranker(SentenceReranker):
    """Scores sentences by a formula, naive Bayes, Huber or Huber+ (Smith & Wilbur 2010).

    Parameters
    ----------
    model : str, Path or Model
        A formula's name, the folder of a trained model, or a model. A formula by name takes the
        statistics of the collection that it reranks; the sentence store, where these are, is built
        beside the collection if it is not there.
    """

    def __init__(self, model: str | Path | Model) -> None:
        self.formula = ""
        self._own: tuple[Indexes | None, Model] | None = None
        if isinstance(model, Model):
            self._own = None, model
        elif is_formula(str(model)):
            self.formula = str(model)
        else:
            self._own = None, load_related(model)

    def model(self, collection: Indexes) -> Model:
        """Return the model; a formula by name gets the statistics of the collection."""
        own = self._own
        if own is None or (self.formula and own[0] is not collection):
            own = self._own = collection, formula_model(self.formula, collection.sentences)
        if isinstance(own[1], HuberPlusModel) and own[1].packed and own[0] is not collection:
            store = open_store(collection.sentences, own[1].stopwords)
            own = self._own = collection, joined(collection.sentences, store, own[1])
        return own[1]

    def check(self, topics: Mapping[str, str]) -> None:
        """Refuse a topic without a word to compare by."""
        stopwords = self._own[1].stopwords if self._own else default_stopwords()
        for topic, text in topics.items():
            if not words(text, stopwords):
                raise InputError(f"topic {topic} has no word that could be compared")

    def score(
        self,
        collection: Indexes,
        run: Run,
        topics: Mapping[str, str],
        parts: Mapping[str, tuple[Sentence, ...]],
    ) -> Iterator[Floats]:
        """Score the sentences of all hits, on one lexicon."""
        model = self.model(collection)
        first: dict[str, int] = {}
        flat = [topics[topic] for topic in run]
        for name, some in parts.items():
            first[name] = len(flat)
            flat += [sentence.text for sentence in some]
        together = Sentences.from_texts(flat, model.stopwords)
        for row, hits in enumerate(run.values()):
            sizes = np.array([len(parts[name]) for name in hits.ids], dtype=np.intp)
            starts = np.cumsum(sizes) - sizes
            offsets = np.repeat([first[name] for name in hits.ids] - starts, sizes)
            yield model.query_scores(together, row, np.arange(sizes.sum()) + offsets)

    def evidence(self, collection: Indexes, topic: str, hits: Hits) -> list[Evidence]:
        """Return each hit's best sentence, the words that decide, and the weightiest features."""
        self.check({"": topic})
        parts = collection.parts(hits.ids.tolist())
        return [explain(self.model(collection), topic, parts[name]) for name in hits.ids]


MOST: Final = 10
"""Features that are named."""
SAID: Final = 6
"""Words and phrases in common that are named, at most."""
ASSOCIATED: Final = 2.0
"""How strongly a word is associated with one of the topic that is marked as such (Huber+)."""

Features = list[tuple[str, float]]


def explain(model: Model, topic: str, sentences: Sequence[Sentence]) -> Evidence:
    """Account for the score of the best of some sentences against a topic.

    The features are words and ``*substrings*`` that it shares with the topic, each with its
    part in the score; of Huber+, the dense measures too.
    """
    if not sentences:
        return Evidence()
    texts = [topic, *(sentence.text for sentence in sentences)]
    together = Sentences.from_texts(texts, model.stopwords)
    scores = model.query_scores(together, 0, np.arange(1, len(texts)))
    row = int(scores.argmax()) + 1
    best = sentences[row - 1]
    spans = shared_words(model, topic, best.text)
    values: dict[str, str | float | list[str]] = {
        "why": in_words(topic, best.text, spans),
        "score": float(scores[row - 1]),
    }
    return Evidence(best.id, best.text, spans, values, tuple(_features(model, together, row)))


def in_words(topic: str, text: str, spans: Sequence[Span]) -> str:
    """Say what two sentences have in common: words that follow each other in both as one.

    Parameters
    ----------
    topic, text : str
    spans : sequence of Span
        As `shared_words` gives them for the text.
    """
    phrases: list[str] = []
    end, lower = -2, topic.lower()
    for span in spans:
        word = text[span.start : span.end]
        if span.label != "shared":
            continue
        if phrases and span.start == end + 1 and f"{phrases[-1]} {word}".lower() in lower:
            phrases[-1] += f" {word}"
        elif word.lower() not in map(str.lower, phrases):
            phrases.append(word)
        end = span.end
    if phrases:
        return "Both say " + ", ".join(f"*{phrase}*" for phrase in phrases[:SAID])
    near = [text[span.start : span.end] for span in spans][:SAID]
    if near:
        return "No word is the same; near are " + ", ".join(f"*{word}*" for word in near)
    return "No word is the same"


def explain_pair(model: Model, first: str, second: str) -> Features:
    """Return the weightiest features of a pair of sentences, as `explain` does."""
    return _features(model, Sentences.from_texts([first, second], model.stopwords), 1)


def _features(model: Model, together: Sentences, row: int) -> Features:
    features: Features = []
    if isinstance(model, FeatureModel):
        features = _shared(model, together, row)
    elif isinstance(model, HuberPlusModel):
        features = [*_shared(model.sparse, together, row), *model.contributions(together, 0, row)]
    return sorted(features, key=lambda item: -abs(item[1]))[:MOST]


def shared_words(model: Model, topic: str, text: str) -> tuple[Span, ...]:
    """Find the words of a text that the topic has too, and those associated with its (Huber+)."""
    own = {word for *_, word in word_spans(topic, model.stopwords)}
    spans = []
    for start, end, word in word_spans(text, model.stopwords):
        if word in own:
            spans.append(Span(start, end, "shared"))
        elif isinstance(model, HuberPlusModel) and model.association(word, own) >= ASSOCIATED:
            spans.append(Span(start, end, "associated"))
    return tuple(spans)


def _shared(model: FeatureModel, sentences: Sentences, row: int) -> Features:
    """Return the part in the score of each feature that a sentence shares with the topic, row 0."""
    method = model.on(sentences.lexicon)
    shared = sentences.shared_with(0, np.array([row]))
    n = len(shared.features)
    one_each = Shared(  # a pair for each feature alone, and one that shares nothing
        np.append(np.arange(n + 1), n), shared.features, shared.counts_a, shared.counts_b
    )
    alone = method.sentence(sentences.counts(np.array([0, row])))
    scores = method.pair(one_each, np.full(n + 1, alone[0]), np.full(n + 1, alone[1]))
    names = [sentences.lexicon.name(feature) for feature in shared.features.tolist()]
    spelled = [name if kind == "W" else f"*{name}*" for kind, name in names]
    return list(zip(spelled, (scores[:-1] - scores[-1]).tolist(), strict=True))
