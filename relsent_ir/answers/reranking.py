"""Reranking by answers: records by how probably one of their sentences answers the question."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from relsent_ir import models
from relsent_ir.answers.model import AnswerModel
from relsent_ir.answers.searching import lacking, question_spans
from relsent_ir.hits import Run
from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.rank import Evidence, SentenceReranker
from relsent_ir.records import Record, Sentence
from relsent_ir.typing import Floats


class AnswerReranker(SentenceReranker):
    """Scores the sentences of abstracts by the probability that they answer the topic.

    A sentence is judged among all of its abstract, with the moves that the index stores. Titles,
    and records without an abstract, have no score.

    Parameters
    ----------
    model : str, Path or AnswerModel
        ``answers``, the model that comes with the package; the folder of another; or a model.
    """

    def __init__(self, model: str | Path | AnswerModel = "answers") -> None:
        if isinstance(model, AnswerModel):
            self.model = model
        else:
            name = None if str(model) == "answers" else model
            self.model = models.load(name, "answers")

    def score(
        self,
        collection: Indexes,
        run: Run,
        topics: Mapping[str, str],
        parts: Mapping[str, tuple[Sentence, ...]],
    ) -> Iterator[Floats]:
        """Judge the abstracts of all hits."""
        owners = {name: some[0].record for name, some in parts.items()}
        known = _bodies(collection, list(dict.fromkeys(owners.values())))
        for topic, hits in run.items():
            judged: dict[str, Floats] = {}
            for name in dict.fromkeys(owners[hit] for hit in hits.ids):
                record, body = known[name]
                title = record.title or record.vernacular_title
                found = self.model.judge(topics[topic], title, body).probabilities
                judged[name] = np.append(np.nan, found)
            scores = [judged[owners[n]][[s.n for s in parts[n]]] for n in hits.ids]
            yield np.concatenate(scores) if scores else np.zeros(0)

    def evidence(self, collection: Indexes, topic: str, ids: Sequence[str]) -> list[Evidence]:
        """Give the sentence that answers each hit best, and the words of the question in it."""
        parts = collection.parts(ids)
        owners = {name: some[0].record if some else name for name, some in parts.items()}
        known = _bodies(collection, list(dict.fromkeys(owners.values())))
        found = []
        for name in ids:
            record, body = known[owners[name]]
            judged = self.model.judge(topic, record.title or record.vernacular_title, body)
            numbers = {s.n for s in parts[name]}
            shown = [i for i, sentence in enumerate(body) if sentence.n in numbers]
            if not shown:
                found.append(Evidence())
                continue
            best = max(shown, key=lambda i: judged.probabilities[i])
            values: dict[str, str | float | list[str]] = {
                "move": body[best].move,
                "probability": float(judged.probabilities[best]),
                "missing words": lacking(topic, record, self.model.stopwords),
            }
            text = body[best].text
            spans = question_spans(topic, text, self.model.stopwords)
            found.append(Evidence(body[best].id, text, spans, values))
        return found


def _bodies(
    collection: Indexes, ids: Sequence[str]
) -> dict[str, tuple[Record, tuple[Sentence, ...]]]:
    """Give records with the tagged sentences of their abstracts, which are numbered from 1."""
    records = collection.records(ids)
    tagged = (tuple(s for s in some if s.n) for some in collection.tagged(records))
    return dict(zip(ids, zip(records, tagged, strict=True), strict=True))
