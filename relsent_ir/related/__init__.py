"""Related sentences.

Smith, Wilbur: Finding related sentence pairs in MEDLINE. Information Retrieval 13, 2010.
"""

from relsent_ir.related.model import open_model
from relsent_ir.related.scoring import Model, TrainedModel, score_pairs

__all__ = ["Model", "TrainedModel", "open_model", "score_pairs"]
