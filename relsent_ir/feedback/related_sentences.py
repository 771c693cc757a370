"""Related sentences as feedback's source of terms: those of the top documents that are nearest.

Ours, beyond Ruch et al.: what a sentence is related to is learned (Smith & Wilbur 2010), not read
from its move.
"""

from collections.abc import Mapping

from relsent_ir.errors import UsageError
from relsent_ir.feedback.pool import Pool, Topic, make_pool, rows_of, vectors_of
from relsent_ir.hits import Hits, Run
from relsent_ir.lucene.collection import Collection
from relsent_ir.lucene.index import Index
from relsent_ir.related import Model
from relsent_ir.related.reranker import RelatedReranker
from relsent_ir.related.tokens import words


class RelatedSentences:
    """The sentences of the feedback documents that are most related to the topic.

    Parameters
    ----------
    index : Index
        Of abstracts.
    model : Model
        A formula or a trained model, as `relsent_ir.related.open_model` gives it.
    count : int
        How many sentences a topic takes from all of its feedback documents together.
    """

    def __init__(self, index: Index, model: Model, count: int = 20) -> None:
        if index.unit != "abstracts":
            raise UsageError("feedback from related sentences needs --unit abstracts")
        if count < 1:
            raise UsageError(f"{count} related sentences", fix="at least 1")
        self.index = index
        self.model = model
        self.count = count
        self.collection = Collection.of(index)
        self._ids: dict[str, list[str]] = {}

    def pool(self, topics: Mapping[str, Topic], tops: Run) -> Pool:
        """Read the sentences of each topic's hits that are nearest to its text.

        A topic without a text, or without a word that could be compared, takes none.
        """
        rows = rows_of(topics, tops)
        new = [name for name in dict.fromkeys(rows[0]) if name not in self._ids]
        for record in self.index.records(new):
            self._ids[record.id] = [s.id for s in record.sentences()]
        texts = {
            topic: text
            for topic, text in topics.items()
            if isinstance(text, str) and words(text, self.model.stopwords)
        }
        candidates = {
            topic: [part for name in tops[topic].ids for part in self._ids[name]] for topic in texts
        }
        ranked = RelatedReranker(self.model).rerank(
            self.collection,
            Run((t, Hits.ranked(ids, [0.0] * len(ids))) for t, ids in candidates.items() if ids),
            texts,
        )
        number: dict[str, int] = {}
        chosen = []
        row = 0
        for topic in topics:
            near = set(ranked[topic].head(self.count).ids) if topic in ranked else set()
            for name in tops[topic].ids:
                parts = [part for part in self._ids[name] if part in near]
                chosen += [(row, number.setdefault(part, len(number)), 1.0) for part in parts]
                row += 1
        vectors = vectors_of(self.collection.sentences, list(number))
        return make_pool(self.index, rows, list(number), chosen, vectors)
