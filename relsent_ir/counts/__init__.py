"""Counts of terms by record, sentence or field, and the weights that are made of them."""

from relsent_ir.counts.matrix import Counts, TermMatrix
from relsent_ir.counts.weighting import Smart

__all__ = ["Counts", "Smart", "TermMatrix"]
