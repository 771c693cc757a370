"""Argumentative moves: PURPOSE, METHODS, RESULTS or CONCLUSION for each sentence of an abstract.

Two models behind one interface (`predict`): four naive Bayes classifiers with a Markov model of
the order of moves (Ruch 2006), and a conditional random field (Alamri & Stevenson 2015), of which
one comes with the package.
"""

from relsent_ir.moves.labelled import Abstract, LabelCounts, labelled_abstracts
from relsent_ir.moves.labels import MOVES, label_move, section_move
from relsent_ir.moves.tagging import KINDS, MoveModel, default_model, tag, tag_record, train_model

__all__ = [
    "KINDS",
    "MOVES",
    "Abstract",
    "LabelCounts",
    "MoveModel",
    "default_model",
    "label_move",
    "labelled_abstracts",
    "section_move",
    "tag",
    "tag_record",
    "train_model",
]
