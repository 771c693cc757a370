"""Related sentences.

Smith, Wilbur: Finding related sentence pairs in MEDLINE. Information Retrieval 13, 2010.
"""

from relsent_ir.related.model import Model, TrainedModel, score_pairs
from relsent_ir.related.store import open_model

__all__ = ["Model", "TrainedModel", "open_model", "score_pairs"]
