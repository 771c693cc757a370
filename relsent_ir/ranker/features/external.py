"""Features from outside the index: a trained model of related sentences, runs, and an encoder.

The cosines of an encoder's vectors are standardised over the topic's candidates, as all features
are, so that weights that were learned with one serve another whose cosines are higher or closer
together.
"""

from typing import Final

import numpy as np

from relsent_ir.ranker.candidates import FeatureGroup, TopicCandidates
from relsent_ir.typing import Floats

SENTENCES: Final = 2
"""Sentences of each candidate that are scored, besides the title."""


def _related(candidates: TopicCandidates) -> dict[str, Floats]:
    from relsent_ir.related.features import with_text

    assert candidates.related
    model, store = candidates.related.model, candidates.related.store
    sentences = candidates.sentences
    title = np.flatnonzero(sentences.title)
    best = sentences.leading(sentences.expanded, ~sentences.title, SENTENCES)
    places = np.concatenate([title, best])
    stored = candidates.store.places[sentences.numbers[places]]
    few = with_text(candidates.text, store.sentences, stored, model.stopwords)
    scores = model.query_scores(few, 0, 1 + np.arange(len(places)))
    least = float(scores.min(initial=0.0))
    owners = sentences.owners[places]
    best_scores = {}
    for name, chosen in (
        ("related-title", slice(0, len(title))),
        ("related", slice(len(title), None)),
    ):
        best_scores[name] = np.full(len(candidates), least)
        np.maximum.at(best_scores[name], owners[chosen], scores[chosen])
    return best_scores


RELATED: Final = FeatureGroup(
    "related",
    "Smith & Wilbur 2010 (Huber), with learned associations (Huber+)",
    {
        "related": f"Huber+ of the best of {SENTENCES} sentences",
        "related-title": "Huber+ of the title",
    },
    _related,
)


PREFIX: Final = "run:"
K: Final = 60.0
"""Of reciprocal ranks (Cormack, Clarke, Büttcher 2009)."""


def run_group(name: str) -> FeatureGroup:
    """Return the features of a run, by its name in the model."""

    def compute(candidates: TopicCandidates) -> dict[str, Floats]:
        hits = candidates.runs[name]
        place = {hit: number for number, hit in enumerate(hits.ids.tolist())}
        places = np.array([place.get(hit, -1) for hit in candidates.ids], dtype=np.intp)
        retrieved = places >= 0
        scores = np.full(len(places), float(hits.scores.min()) if len(hits) else 0.0)
        ranks = np.zeros(len(places))
        scores[retrieved] = hits.scores[places[retrieved]]
        ranks[retrieved] = 1 / (K + 1 + places[retrieved])
        return {f"{name}-score": scores, f"{name}-rank": ranks}

    return FeatureGroup(
        PREFIX + name,
        "Fox & Shaw 1994 (several runs); Cormack et al. 2009 (reciprocal ranks)",
        {
            f"{name}-score": f"score in the run {name}; its least where it is not in it",
            f"{name}-rank": f"1/({K:g} + rank) in the run {name}, 0 where it is not in it",
        },
        compute,
    )


def _vectors(candidates: TopicCandidates) -> dict[str, Floats]:
    vectors = candidates.vectors
    assert vectors
    cosines = np.einsum("ij,j->i", vectors.rows, vectors.topic, dtype=np.float64)
    known = vectors.rows.any(axis=1)
    cosines[~known] = cosines[known].min(initial=1.0)
    return {"vector-cosine": cosines}


DENSE = FeatureGroup(
    "dense",
    "Karpukhin et al. 2020 (dense retrieval)",
    {"vector-cosine": "cosine of topic and record by an encoder"},
    _vectors,
)
