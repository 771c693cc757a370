"""Runs from elsewhere: the score that each gives a candidate, and its rank there."""

from typing import Final

import numpy as np

from relsent_ir.ranker.candidates import Candidates
from relsent_ir.ranker.features.group import Group
from relsent_ir.typing import Floats

PREFIX: Final = "run:"
K: Final = 60.0
"""Of reciprocal ranks (Cormack, Clarke, Büttcher 2009)."""


def run_group(name: str) -> Group:
    """Give the features of a run, by the name that the model knows it by."""

    def compute(candidates: Candidates) -> dict[str, Floats]:
        hits = candidates.runs[name]
        place = {hit: number for number, hit in enumerate(hits.ids.tolist())}
        places = np.array([place.get(hit, -1) for hit in candidates.ids], dtype=np.intp)
        found = places >= 0
        scores = np.full(len(places), float(hits.scores.min()) if len(hits) else 0.0)
        ranks = np.zeros(len(places))
        scores[found] = hits.scores[places[found]]
        ranks[found] = 1 / (K + 1 + places[found])
        return {f"{name}-score": scores, f"{name}-rank": ranks}

    return Group(
        PREFIX + name,
        "Fox & Shaw 1994 (several runs); Cormack et al. 2009 (reciprocal ranks)",
        {
            f"{name}-score": f"score in the run {name}; its least where it is not in it",
            f"{name}-rank": f"1/({K:g} + rank) in the run {name}, 0 where it is not in it",
        },
        compute,
    )
