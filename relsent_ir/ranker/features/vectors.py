"""Features of an encoder's vectors: cosines to the topic, and to the first hits.

They are what any encoder can tell: each is standardised over the topic's candidates, so that
weights that were learned with one serve another whose cosines are higher or closer together.
"""

import numpy as np

from relsent_ir.ranker.candidates import FeatureGroup, TopicCandidates
from relsent_ir.ranker.features import likeness
from relsent_ir.ranker.features.external import K
from relsent_ir.typing import Floats


def _vectors(candidates: TopicCandidates) -> dict[str, Floats]:
    vectors = candidates.vectors
    assert vectors
    cosines = np.einsum("ij,j->i", vectors.rows, vectors.topic, dtype=np.float64)
    known = vectors.rows.any(axis=1)
    cosines[~known] = cosines[known].min(initial=1.0)
    ranks = np.empty(len(cosines))
    ranks[np.argsort(-cosines, kind="stable")] = np.arange(1, len(cosines) + 1)
    ordered = vectors.rows[candidates.first]
    near = ordered @ ordered[: likeness.POOL].T
    return {
        "vector-cosine": cosines,
        "vector-rank": 1 / (K + ranks),
        **likeness.compared(candidates, near, "vectors"),
    }


DENSE = FeatureGroup(
    "dense",
    "Karpukhin et al. 2020 (dense retrieval); Diaz 2005 (regularised scores)",
    {
        "vector-cosine": "cosine of topic and record by an encoder",
        "vector-rank": f"1/({K:g} + rank) among the candidates by that cosine",
        **{f"vectors-{k}": f"likeness to the first {k} hits by vectors" for k in likeness.FIRST},
        "vectors-smoothed": f"score after feedback of the {likeness.NEAREST} nearest by vectors",
    },
    _vectors,
)
