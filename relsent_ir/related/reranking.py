"""Reranking by related sentences: hits in the order of a model's scores against the topic."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from relsent_ir.errors import InputError
from relsent_ir.hits import Run
from relsent_ir.lucene.collection import Collection
from relsent_ir.rank import Evidence, SentenceReranker
from relsent_ir.records import Sentence
from relsent_ir.related.features import Sentences
from relsent_ir.related.model import formula_model, is_formula, load_related
from relsent_ir.related.scoring import Model
from relsent_ir.related.words import words
from relsent_ir.text.stopwords import default_stopwords
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
        self._own: tuple[Collection | None, Model] | None = None
        if isinstance(model, Model):
            self._own = None, model
        elif is_formula(str(model)):
            self.formula = str(model)
        else:
            self._own = None, load_related(model)

    def model(self, collection: Collection) -> Model:
        """Give the model: for a formula by name, with the statistics of the collection."""
        own = self._own
        if own is None or (self.formula and own[0] is not collection):
            own = self._own = collection, formula_model(self.formula, collection.sentences)
        return own[1]

    def check(self, topics: Mapping[str, str]) -> None:
        """Refuse a topic without a word to compare by."""
        stopwords = self._own[1].stopwords if self._own else default_stopwords()
        for topic, text in topics.items():
            if not words(text, stopwords):
                raise InputError(f"topic {topic} has no word that could be compared")

    def score(
        self,
        collection: Collection,
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

    def evidence(self, collection: Collection, topic: str, ids: Sequence[str]) -> list[Evidence]:
        """Give each hit's best sentence, the words that decide, and the weightiest features."""
        from relsent_ir.related.evidence import explain

        self.check({"": topic})
        parts = collection.parts(ids)
        return [explain(self.model(collection), topic, parts[name]) for name in ids]
