"""Relevance feedback and the weighting that it builds on (Ruch et al. 2006)."""

from relsent_ir.feedback.smart import Smart
from relsent_ir.feedback.smart_search import SmartSearcher
from relsent_ir.feedback.terms import TermMatrix

__all__ = ["Smart", "SmartSearcher", "TermMatrix"]
