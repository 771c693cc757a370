"""Reranking: the hits of a run in the order of a model's scores against the topic."""

import json
from collections.abc import Iterator, Mapping
from contextlib import nullcontext
from pathlib import Path
from typing import Final

import numpy as np

from relsent_ir.errors import InputError, MismatchError
from relsent_ir.hits import Hits, Run
from relsent_ir.lucene.index import Index
from relsent_ir.related.features import Sentences
from relsent_ir.related.scoring import Model
from relsent_ir.related.words import words
from relsent_ir.typing import Progress

BATCH: Final = 20_000  # hits whose texts are in memory at a time

Texts = dict[str, list[str]]


def rerank(
    run: Mapping[str, Hits],
    topics: Mapping[str, str],
    index: Path | Index,
    model: Model,
    *,
    progress: Progress | None = None,
) -> Run:
    """Order each topic's hits by their score against its text.

    A sentence has its own score, a record that of its best sentence, title included.

    Parameters
    ----------
    run : Run
        Hits that are sentences or records of the index.
    topics : mapping of topic id to text
        They may hold more topics than the run.
    index : Path or Index
        The collection's indexes, or that of its sentences.
    model : Model
    progress : callable, optional
        Gets the number of topics done, and of all.

    Returns
    -------
    Run
        The same topics and hits, in the order of their new scores.

    Raises
    ------
    MismatchError
        If a topic of the run has no text, or a hit is neither a sentence nor a record of the index.
    InputError
        If a topic has no word to compare by.
    """
    for topic in run:
        if topic not in topics:
            raise MismatchError(f"topic {topic} of the run is not among the topics")
        if not words(topics[topic], model.stopwords):
            raise InputError(f"topic {topic} has no word that could be compared")
    result = Run()
    opened = nullcontext(index) if isinstance(index, Index) else Index(index, "sentences")
    with opened as by_sentence:
        for batch in _batches(run):
            texts = _texts(batch, by_sentence)
            result.update(_ranked(batch, topics, texts, model))
            if progress:
                progress(len(result), len(run))
    return result


def _batches(run: Mapping[str, Hits]) -> Iterator[Run]:
    """Cut a run into pieces of whole topics."""
    batch = Run()
    for topic, hits in run.items():
        batch[topic] = hits
        if sum(map(len, batch.values())) >= BATCH:
            yield batch
            batch = Run()
    if batch:
        yield batch


def _texts(run: Run, by_sentence: Index) -> Texts:
    """Get the sentences of each hit: one for a sentence, all of a record's for a record."""
    ids = list(dict.fromkeys(name for hits in run.values() for name in hits.ids))
    is_sentence = by_sentence.documents(ids) >= 0
    found = [name for name, yes in zip(ids, is_sentence, strict=True) if yes]
    others = [name for name, yes in zip(ids, is_sentence, strict=True) if not yes]
    texts = {
        name: [str(json.loads(line)["contents"])]
        for name, line in zip(found, by_sentence.raw(found), strict=True)
    }
    if not others:
        return texts
    with Index(by_sentence.folder) as by_record:
        missing = np.flatnonzero(by_record.documents(others) < 0)
        if len(missing):
            raise MismatchError(
                f"{others[missing[0]]} of the run is neither a sentence nor a record of the index",
                where=by_record.folder,
            )
        for record in by_record.records(others):
            texts[record.id] = [s.text for s in record.sentences()]
    return texts


def _ranked(run: Run, topics: Mapping[str, str], texts: Texts, model: Model) -> Run:
    """Score all topics of a batch on one lexicon."""
    first: dict[str, int] = {}
    flat: list[str] = [topics[topic] for topic in run]
    for name, parts in texts.items():
        first[name] = len(flat)
        flat += parts or [""]
    together = Sentences.from_texts(flat, model.stopwords)
    result = Run()
    for row, (topic, hits) in enumerate(run.items()):
        sizes = np.array([len(texts[name]) or 1 for name in hits.ids], dtype=np.intp)
        starts = np.cumsum(sizes) - sizes
        offsets = np.repeat([first[name] for name in hits.ids] - starts, sizes)
        scores = model.query_scores(together, row, np.arange(sizes.sum()) + offsets)
        best = np.maximum.reduceat(scores, starts) if len(hits) else scores
        result[topic] = Hits.ranked(hits.ids, best)
    return result
