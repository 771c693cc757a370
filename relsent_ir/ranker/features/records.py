"""Features of records: shared references, citations and MeSH headings."""

from typing import Final

import numpy as np

from relsent_ir.ranker.candidates import FeatureGroup, TopicCandidates
from relsent_ir.ranker.features import likeness
from relsent_ir.typing import Floats


def _references(candidates: TopicCandidates) -> dict[str, Floats]:
    first, scores = candidates.first, likeness.standard(candidates.lead)
    near = likeness.like_first(candidates, candidates.of("references"))
    values = likeness.compared(candidates, near, "coupling")
    n = len(candidates.store)
    links = candidates.store.counts.get("links")
    if links is None:
        return values | dict.fromkeys(("links-first", "links"), np.zeros(len(candidates)))
    linked = links.matrix[candidates.rows]
    leading = first[: likeness.FIRST[-1]]
    weights = np.zeros(n)
    weights[candidates.rows[leading]] = 1 / np.sqrt(np.arange(1, len(leading) + 1))
    values["links-first"] = linked @ weights
    weights[:] = 0.0
    weights[candidates.rows] = np.maximum(scores, 0.0)
    values["links"] = (linked @ weights) / np.sqrt(1 + np.diff(linked.indptr))
    return values


REFERENCES: Final = FeatureGroup(
    "references",
    "Kessler 1963 (coupling); Fowler & Croft 1988 (citation links in retrieval)",
    {
        **{f"coupling-{k}": f"references shared with the first {k} hits" for k in likeness.FIRST},
        "coupling-smoothed": f"score after feedback of the {likeness.NEAREST} nearest by coupling",
        "links-first": f"cites, or is cited by, the first {likeness.FIRST[-1]} hits",
        "links": "scores after feedback of what it cites and is cited by",
    },
    _references,
    ("references",),
)


def _mesh(candidates: TopicCandidates) -> dict[str, Floats]:
    near = likeness.like_first(candidates, candidates.of("headings"))
    scores = candidates.of("mesh").bm25(candidates.query, 0.9, 0.4)
    return {"mesh-bm25": scores, **likeness.compared(candidates, near, "headings")}


MESH: Final = FeatureGroup(
    "mesh",
    "Lin & Wilbur 2007 (shared headings); Srinivasan 1996 (headings of the first hits)",
    {
        "mesh-bm25": "BM25 of the headings, k1 0.9, b 0.4",
        **{f"headings-{k}": f"headings shared with the first {k} hits" for k in likeness.FIRST},
        "headings-smoothed": f"score after feedback of the {likeness.NEAREST} nearest by headings",
    },
    _mesh,
    ("mesh", "headings"),
)
