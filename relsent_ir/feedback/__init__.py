"""Relevance feedback and the weighting that it uses (Ruch et al. 2006).

Sources of terms that need models of moves or of related sentences are in a separate module,
`relsent_ir.feedback.sources`.
"""

from relsent_ir.counts.matrix import TermMatrix
from relsent_ir.feedback.engine import Engine
from relsent_ir.feedback.search import FeedbackSearcher
from relsent_ir.feedback.smart import SmartSearcher

__all__ = ["Engine", "FeedbackSearcher", "SmartSearcher", "TermMatrix"]
