"""Argumentative moves: PURPOSE, METHODS, RESULTS or CONCLUSION for each sentence of an abstract.

The model is a conditional random field (Alamri & Stevenson 2015).
"""

from relsent_ir.moves.labelled import Abstract, LabelCounts
from relsent_ir.moves.labels import MOVES
from relsent_ir.moves.tagging import MoveModel, default_model, tag, tag_record

__all__ = ["MOVES", "Abstract", "LabelCounts", "MoveModel", "default_model", "tag", "tag_record"]
