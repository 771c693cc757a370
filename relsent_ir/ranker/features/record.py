"""Features of the record itself: its abstract, length, year and publication types."""

from typing import Final

import numpy as np

from relsent_ir.ranker.candidates import FeatureGroup, TopicCandidates
from relsent_ir.ranker.store import TYPES
from relsent_ir.typing import Floats


def _record(candidates: TopicCandidates) -> dict[str, Floats]:
    facts = candidates.store.records[candidates.rows].astype(np.float64)
    years = facts[:, 1]
    known = years > 0
    usual = float(np.median(years[known])) if known.any() else 0.0
    return {
        "abstract": facts[:, 0],
        "length": np.log1p(candidates.contents.lengths),
        "year": np.where(known, years, usual),
        **{name: facts[:, 2 + number] for number, name in enumerate(TYPES)},
    }


RECORD: Final = FeatureGroup(
    "record",
    "Fiorini et al. 2018 (Best Match); Craswell et al. 2005 (evidence apart from the topic)",
    {
        "abstract": "has an abstract",
        "length": "ln of 1 + its terms",
        "year": "of publication; the middle one where it is unknown",
        **{name: f"is a {name}" for name in TYPES},
    },
    _record,
)
