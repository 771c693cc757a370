"""Relevance feedback and the weighting that it builds on (Ruch et al. 2006).

The sources of terms that need models of moves or of related sentences are in a module of their
own: `relsent_ir.feedback.sources`.
"""

from relsent_ir.counts.matrix import TermMatrix
from relsent_ir.counts.weighting import Smart
from relsent_ir.feedback.engine import Engine, FromMoves, FromRelated
from relsent_ir.feedback.expansion import RM3, Expansion, Rocchio
from relsent_ir.feedback.pool import Documents, Pool, TermSource
from relsent_ir.feedback.search import FeedbackSearcher, FromAssociations
from relsent_ir.feedback.smart import SmartSearcher

__all__ = [
    "RM3",
    "Documents",
    "Engine",
    "Expansion",
    "FeedbackSearcher",
    "FromAssociations",
    "FromMoves",
    "FromRelated",
    "Pool",
    "Rocchio",
    "Smart",
    "SmartSearcher",
    "TermMatrix",
    "TermSource",
]
