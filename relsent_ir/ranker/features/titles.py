"""Titles: the topic's words in the title, before and after feedback."""

from typing import Final

import numpy as np

from relsent_ir.ranker.candidates import Candidates
from relsent_ir.ranker.features.group import Group
from relsent_ir.typing import Floats


def _compute(candidates: Candidates) -> dict[str, Floats]:
    rows = candidates.of("title")
    return {
        "title-bm25": rows.bm25(candidates.query, 0.9, 0.4),
        "title-covered": np.asarray(rows.covered(candidates.query)),
        "title-expanded": candidates.expansion(rows),
    }


GROUP: Final = Group(
    "titles",
    "Robertson, Zaragoza, Taylor 2004 (fields)",
    {
        "title-bm25": "BM25 of the title, k1 0.9, b 0.4",
        "title-covered": "share of the topic's idf in the title",
        "title-expanded": "BM25 of the title for the topic after feedback",
    },
    _compute,
    ("title",),
)
