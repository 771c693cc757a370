"""Relations: of the sentences that mention two entities, those that relate them most clearly.

After Tudor & Vijay-Shanker 2012 (RankPref): patterns over base phrases, in a sentence and its
simplified forms, and an SVM that learns from preferences.
"""

from relsent_ir.relations.candidates import Candidate, read_candidates
from relsent_ir.relations.describing import FeatureSettings
from relsent_ir.relations.pairs import rank
from relsent_ir.relations.ranker import (
    RelationRanker,
    default_ranker,
    foremost,
    open_ranker,
    shortest,
)
from relsent_ir.relations.scores import RankingScores, evaluate

__all__ = [
    "Candidate",
    "FeatureSettings",
    "RankingScores",
    "RelationRanker",
    "default_ranker",
    "evaluate",
    "foremost",
    "open_ranker",
    "rank",
    "read_candidates",
    "shortest",
]
