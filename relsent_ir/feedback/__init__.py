"""Relevance feedback and the weighting that it builds on (Ruch et al. 2006)."""

from relsent_ir.feedback.move_sentences import MoveSentences, Tags
from relsent_ir.feedback.pool import Documents, Pool, Source
from relsent_ir.feedback.related_sentences import RelatedSentences
from relsent_ir.feedback.relevance_model import RelevanceModel
from relsent_ir.feedback.rocchio import Expansion, Rocchio
from relsent_ir.feedback.search import FeedbackSearcher
from relsent_ir.feedback.smart import Smart
from relsent_ir.feedback.smart_search import SmartSearcher
from relsent_ir.feedback.terms import TermMatrix

__all__ = [
    "Documents",
    "Expansion",
    "FeedbackSearcher",
    "MoveSentences",
    "Pool",
    "RelatedSentences",
    "RelevanceModel",
    "Rocchio",
    "Smart",
    "SmartSearcher",
    "Source",
    "Tags",
    "TermMatrix",
]
