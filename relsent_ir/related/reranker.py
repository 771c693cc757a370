"""Reranking by related sentences: hits are ordered by a model's scores against the topic.

The evidence tells why two sentences are related: the words that they share, and the features with
the largest parts in the score.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final, cast

import numpy as np

from relsent_ir.engines import engine_of
from relsent_ir.errors import InputError, MismatchError
from relsent_ir.hits import Hits, Run
from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.lucene.read.index import Index
from relsent_ir.rank import Evidence, SentenceReranker, Span
from relsent_ir.records import Sentence
from relsent_ir.related.associations import Associations
from relsent_ir.related.features import Lexicon, Sentences, Shared
from relsent_ir.related.formulas import FORMULAS, FormulaModel, Statistics
from relsent_ir.related.huber_plus import HuberPlusModel
from relsent_ir.related.matching.stages import joined
from relsent_ir.related.model import FeatureModel, Model
from relsent_ir.related.store import PACKAGED, formula_model, load_related, open_store
from relsent_ir.related.tokens import word_spans, words
from relsent_ir.text.words import default_stopwords
from relsent_ir.typing import Floats, NDArray

if TYPE_CHECKING:
    from relsent_ir.rank import Collection


class RelatedReranker(SentenceReranker):
    """Scores sentences by a formula, naive Bayes, Huber or Huber+ (Smith & Wilbur 2010).

    Parameters
    ----------
    model : str, Path or Model
        The name of a formula, the folder of a trained model, or a model. A formula given by name
        uses the statistics of the collection that it reranks; they are in the sentence store, which
        is built beside the collection if it is missing.
    """

    names: ClassVar = (*FORMULAS, PACKAGED)
    """What it is called by `relsent_ir.rank.open_reranker`."""

    def __init__(self, model: str | Path | Model) -> None:
        self.formula = ""
        self._opened: tuple[Index | None, Model] | None = None
        if isinstance(model, Model):
            self._opened = None, model
        elif str(model) in FORMULAS:
            self.formula = str(model)
        else:
            self._opened = None, load_related(model)

    def model(self, collection: Indexes) -> Model:
        """Return the model; a formula given by name gets the statistics of the collection.

        Raises
        ------
        MismatchError
            If a packed model and the facts of a cluster have different stop words.
        """
        opened, index = self._opened, collection.sentences
        if opened is None or (self.formula and opened[0] is not index):
            if engine_of(index.folder):
                statistics, _ = _fetched(index)
                made = FormulaModel(self.formula, statistics, default_stopwords())
            else:
                made = formula_model(self.formula, index)
            opened = self._opened = index, made
        model = opened[1]
        if isinstance(model, HuberPlusModel) and model.packed and opened[0] is not index:
            if not engine_of(index.folder):
                model = joined(index, open_store(index, model.stopwords), model)
            elif model.stopwords == default_stopwords():
                model = model.joined(*_fetched(index))
            else:
                problem = "this model has stop words of its own, whose frequencies a cluster lacks"
                raise MismatchError(problem, fix="rerank by the index that was exported")
            self._opened = index, model
        return model

    def check(self, topics: Mapping[str, str]) -> None:
        """Refuse a topic that has no word to compare."""
        stopwords = self._opened[1].stopwords if self._opened else default_stopwords()
        for topic, text in topics.items():
            if not words(text, stopwords):
                raise InputError(f"topic {topic} has no word that could be compared")

    def score(
        self,
        collection: "Collection",
        run: Run,
        topics: Mapping[str, str],
        parts: Mapping[str, tuple[Sentence, ...]],
    ) -> Iterator[Floats]:
        """Score the sentences of all hits, with one lexicon."""
        model = self.model(collection.indexes)
        first: dict[str, int] = {}
        texts = [topics[topic] for topic in run]
        for name, sentences in parts.items():
            first[name] = len(texts)
            texts += [sentence.text for sentence in sentences]
        together = Sentences.from_texts(texts, model.stopwords)
        for row, hits in enumerate(run.values()):
            sizes = np.array([len(parts[name]) for name in hits.ids], dtype=np.intp)
            starts = np.cumsum(sizes) - sizes
            offsets = np.repeat([first[name] for name in hits.ids] - starts, sizes)
            yield model.query_scores(together, row, np.arange(sizes.sum()) + offsets)

    def evidence(self, collection: "Collection", topic: str, hits: Hits) -> list[Evidence]:
        """Return for each hit its best sentence, the shared words, and the weightiest features."""
        self.check({"": topic})
        parts = collection.indexes.parts(hits.ids.tolist())
        return [explain(self.model(collection.indexes), topic, parts[name]) for name in hits.ids]


MOST: Final = 10
"""Largest number of features in evidence."""
SAID: Final = 6
"""Largest number of shared words and phrases that evidence names."""
ASSOCIATED: Final = 2.0
"""Smallest association with a word of the topic at which a word is marked (Huber+)."""

Features = list[tuple[str, float]]


def explain(model: Model, topic: str, sentences: Sequence[Sentence]) -> Evidence:
    """Explain the score of the best of some sentences for a topic.

    The features are the words and ``*substrings*`` that it shares with the topic, each with its
    part in the score; for Huber+ also the dense measures.
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
    return Evidence(best.id, best.text, spans, values, tuple(weightiest(model, together, row)))


def in_words(topic: str, text: str, spans: Sequence[Span]) -> str:
    """Name what two sentences share; words that are adjacent in both form a phrase.

    Parameters
    ----------
    topic, text : str
    spans : sequence of Span
        The result of `shared_words` for the text.
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


def weightiest(model: Model, together: Sentences, row: int) -> Features:
    """Return the weightiest features of sentences 0 and `row`, with their parts in the score."""
    features: Features = []
    if isinstance(model, FeatureModel):
        features = _shared(model, together, row)
    elif isinstance(model, HuberPlusModel):
        features = [*_shared(model.sparse, together, row), *model.contributions(together, 0, row)]
    return sorted(features, key=lambda item: -abs(item[1]))[:MOST]


def shared_words(model: Model, topic: str, text: str) -> tuple[Span, ...]:
    """Find the words of a text that the topic shares or is associated with (Huber+)."""
    topic_words = {word for *_, word in word_spans(topic, model.stopwords)}
    spans = list(word_spans(text, model.stopwords))
    associated: set[str] = set()
    if isinstance(model, HuberPlusModel):
        others = sorted({word for *_, word in spans} - topic_words)
        known = model.knowledge.associated.words
        places = known.locate(others), known.locate(sorted(topic_words))
        strengths = model.knowledge.associations.rows(*places)
        strong = strengths.max(axis=1, initial=0.0) >= ASSOCIATED
        associated = {word for word, is_strong in zip(others, strong, strict=True) if is_strong}
    return tuple(
        Span(start, end, "shared" if word in topic_words else "associated")
        for start, end, word in spans
        if word in topic_words or word in associated
    )


def _shared(model: FeatureModel, sentences: Sentences, row: int) -> Features:
    """Return the part in the score of each feature that sentences 0 (the topic) and `row` share."""
    method = model.on(sentences.lexicon)
    shared = sentences.shared_with(0, np.array([row]))
    n = len(shared.features)
    one_each = Shared(  # one pair for each feature alone, and one without features
        np.append(np.arange(n + 1), n), shared.features, shared.counts_a, shared.counts_b
    )
    alone = method.sentence(sentences.counts(np.array([0, row])))
    scores = method.pair(one_each, np.full(n + 1, alone[0]), np.full(n + 1, alone[1]))
    names = [sentences.lexicon.name(feature) for feature in shared.features.tolist()]
    spelled = [name if kind == "W" else f"*{name}*" for kind, name in names]
    return list(zip(spelled, (scores[:-1] - scores[-1]).tolist(), strict=True))


_PREFIX: Final = "associations_"


def knowledge(index: Index) -> dict[str, NDArray[Any]]:
    """Return what is exported to a cluster with a collection: facts that models of pairs need.

    Statistics and associations are stored beside the index of sentences, and read once.
    """
    store = open_store(index, default_stopwords())
    model = joined(index, store, cast("HuberPlusModel", load_related(PACKAGED)))
    associations = model.knowledge.associations.to_arrays()
    return {
        **store.lexicon.to_arrays(),
        **store.statistics.to_arrays(),
        **{_PREFIX + name: array for name, array in associations.items()},
    }


def _fetched(index: Index) -> tuple[Statistics, Associations]:
    arrays = index.data("related")  # type: ignore[attr-defined]  # of a cluster alone
    statistics = Statistics.from_arrays(Lexicon.from_arrays(arrays), arrays)
    associations = {
        name.removeprefix(_PREFIX): array
        for name, array in arrays.items()
        if name.startswith(_PREFIX)
    }
    return statistics, Associations.from_arrays(associations)
