"""Relations: rank the sentences that mention two entities by how clearly they relate the two.

The method is that of Tudor & Vijay-Shanker 2012 (RankPref): patterns over base phrases, in a
sentence and in its simplified forms, and an SVM that learns from preferences.
"""

from relsent_ir.relations.candidates import Candidate, read_candidates
from relsent_ir.relations.describing import FeatureSettings
from relsent_ir.relations.pairs import rank
from relsent_ir.relations.ranker import RelationRanker, open_ranker

__all__ = [
    "Candidate",
    "FeatureSettings",
    "RelationRanker",
    "open_ranker",
    "rank",
    "read_candidates",
]
