"""Argumentative moves: PURPOSE, METHODS, RESULTS or CONCLUSION for each sentence of an abstract.

Two models share an interface (`predict`): four naive Bayes classifiers with a Markov model of the
order of moves (Ruch 2006), and a conditional random field (Alamri & Stevenson 2015). The packaged
model is a CRF.
"""

from relsent_ir.moves.labelled import Abstract, LabelCounts
from relsent_ir.moves.labels import MOVES
from relsent_ir.moves.tagging import MoveModel, default_model, tag, tag_record, train_model

__all__ = [
    "MOVES",
    "Abstract",
    "LabelCounts",
    "MoveModel",
    "default_model",
    "tag",
    "tag_record",
    "train_model",
]
