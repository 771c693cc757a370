"""Why two sentences are related: the words that they share, and the features that weigh most."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from relsent_ir.rank import Evidence, Span
from relsent_ir.records import Sentence
from relsent_ir.related.features import Sentences, Shared
from relsent_ir.related.huber_plus import HuberPlusModel
from relsent_ir.related.scoring import FeatureModel, Model
from relsent_ir.related.words import word_spans

MOST: Final = 10
"""Features that are named."""
ASSOCIATED: Final = 2.0
"""How strongly a word is associated with one of the topic that is marked as such (Huber+)."""

Features = list[tuple[str, float]]


def explain(model: Model, topic: str, sentences: Sequence[Sentence]) -> Evidence:
    """Account for the score of the best of some sentences against a topic.

    The features are words and ``*substrings*`` that it shares with the topic, each with what the
    score would lack without it; of Huber+, the dense measures too.
    """
    if not sentences:
        return Evidence()
    texts = [topic, *(sentence.text for sentence in sentences)]
    together = Sentences.from_texts(texts, model.stopwords)
    scores = model.query_scores(together, 0, np.arange(1, len(texts)))
    row = int(scores.argmax()) + 1
    best = sentences[row - 1]
    spans = shared_words(model, topic, best.text)
    values: dict[str, str | float | list[str]] = {"score": float(scores[row - 1])}
    return Evidence(best.id, best.text, spans, values, tuple(_features(model, together, row)))


def explain_pair(model: Model, first: str, second: str) -> Features:
    """Give the weightiest features of a pair of sentences, as `explain` does."""
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
    asked = {word for *_, word in word_spans(topic, model.stopwords)}
    found = []
    for start, end, word in word_spans(text, model.stopwords):
        if word in asked:
            found.append(Span(start, end, "shared"))
        elif isinstance(model, HuberPlusModel) and model.association(word, asked) >= ASSOCIATED:
            found.append(Span(start, end, "associated"))
    return tuple(found)


def _shared(model: FeatureModel, sentences: Sentences, row: int) -> Features:
    """Give what each feature adds that the topic, row 0, shares with a sentence."""
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
