"""Good settings of feedback by name."""

from typing import Final

from relsent_ir.feedback.rocchio import Rocchio
from relsent_ir.lucene.search import BM25

MEDLINE: Final[tuple[BM25, Rocchio]] = (
    BM25(1.2, 0.75),
    Rocchio(50, 20, 1.0, 4.0, weighting="ltn", documents="rank", max_df=0.2),
)
"""Terms by (1 + ln tf) ln(N/df), records by one over the square root of their rank, no term of more
than a fifth of the records: what was best on cystic fibrosis (docs/results/ruch-2006.md)."""
PRESETS: Final = {"medline": MEDLINE}
