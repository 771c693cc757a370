"""Counts of terms by record, sentence or field, and weights computed from them."""

from relsent_ir.counts.matrix import TermMatrix

__all__ = ["TermMatrix"]
