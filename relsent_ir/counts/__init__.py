"""Counts of terms by record, sentence or field, and the weights that are made of them."""

from relsent_ir.counts.matrix import Counts, TermMatrix

__all__ = ["Counts", "TermMatrix"]
