"""Relevance feedback and the weighting that it builds on (Ruch et al. 2006).

A name's module is loaded when it is asked for: a plain search needs none of them.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from relsent_ir.feedback.engine import Engine, FromMoves, FromRelated
    from relsent_ir.feedback.move_sentences import MoveSentences, Tags
    from relsent_ir.feedback.pool import Documents, Pool, Source
    from relsent_ir.feedback.related_sentences import RelatedSentences
    from relsent_ir.feedback.relevance_model import RM3
    from relsent_ir.feedback.rocchio import Expansion, Rocchio
    from relsent_ir.feedback.search import FeedbackSearcher
    from relsent_ir.feedback.smart import Smart
    from relsent_ir.feedback.smart_search import SmartSearcher
    from relsent_ir.feedback.terms import TermMatrix

_MODULE_OF = {
    "RM3": "relevance_model",
    "Documents": "pool",
    "Engine": "engine",
    "Expansion": "rocchio",
    "FeedbackSearcher": "search",
    "FromMoves": "engine",
    "FromRelated": "engine",
    "MoveSentences": "move_sentences",
    "Pool": "pool",
    "RelatedSentences": "related_sentences",
    "Rocchio": "rocchio",
    "Smart": "smart",
    "SmartSearcher": "smart_search",
    "Source": "pool",
    "Tags": "move_sentences",
    "TermMatrix": "terms",
}


def __getattr__(name: str) -> Any:
    if name not in _MODULE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULE_OF[name]}"), name)


__all__ = [
    "RM3",
    "Documents",
    "Engine",
    "Expansion",
    "FeedbackSearcher",
    "FromMoves",
    "FromRelated",
    "MoveSentences",
    "Pool",
    "RelatedSentences",
    "Rocchio",
    "Smart",
    "SmartSearcher",
    "Source",
    "Tags",
    "TermMatrix",
]
