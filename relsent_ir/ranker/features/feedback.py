"""Feedback: the topic after RM3, and after Rocchio in two settings, scored by BM25."""

from typing import Final

from relsent_ir.feedback import RM3, Rocchio
from relsent_ir.feedback.presets import MEDLINE
from relsent_ir.lucene.search import BM25
from relsent_ir.ranker.candidates import Candidates
from relsent_ir.ranker.features.group import Group
from relsent_ir.typing import Floats

FEEDBACKS: Final[dict[str, tuple[BM25, RM3 | Rocchio]]] = {
    "medline": MEDLINE,
    "rocchio": (BM25(), Rocchio(20, 10, 1.0, 1.5)),
    "rm3": (BM25(), RM3()),
}
"""What searches, and expands, by the feature's name; the first is `candidates.LEAD`."""


def _compute(candidates: Candidates) -> dict[str, Floats]:
    return {
        name: candidates.lead
        if name == "medline"
        else candidates.expansion(candidates.contents, name)
        for name in FEEDBACKS
    }


GROUP: Final = Group(
    "feedback",
    "Rocchio 1971; Abdul-Jaleel et al. 2004 (RM3)",
    {name: f"{ranker} after {feedback}" for name, (ranker, feedback) in FEEDBACKS.items()},
    _compute,
)
