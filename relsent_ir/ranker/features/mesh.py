"""MeSH: the topic's words in headings, and headings shared with the first hits."""

from typing import Final

from relsent_ir.ranker.candidates import Candidates
from relsent_ir.ranker.features.group import Group
from relsent_ir.ranker.features.likeness import (
    FIRST,
    NEAREST,
    POOL,
    smoothed,
    standard,
    to_first,
)
from relsent_ir.typing import Floats


def _compute(candidates: Candidates) -> dict[str, Floats]:
    vectors, first = candidates.of("headings").cosine, candidates.first[:POOL]
    products = (vectors @ vectors[first].T).toarray()
    return {
        "mesh-bm25": candidates.of("mesh").bm25(candidates.query, 0.9, 0.4),
        **{f"headings-{k}": to_first(products[:, :k], first[:k]) for k in FIRST},
        "headings-smoothed": smoothed(products, first, standard(candidates.lead)),
    }


GROUP: Final = Group(
    "mesh",
    "Lin & Wilbur 2007 (shared headings); Srinivasan 1996 (headings of the first hits)",
    {
        "mesh-bm25": "BM25 of the headings, k1 0.9, b 0.4",
        **{f"headings-{k}": f"headings shared with the first {k} hits" for k in FIRST},
        "headings-smoothed": f"score after feedback of the {NEAREST} nearest by headings",
    },
    _compute,
    ("mesh", "headings"),
)
