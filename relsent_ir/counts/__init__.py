"""Counts of terms by record, sentence or field, and the weights that are made of them."""

from relsent_ir.counts.matrix import TermMatrix

__all__ = ["TermMatrix"]
