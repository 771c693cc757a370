"""Tuning: choose settings on some topics, and measure them on others."""

from relsent_ir.tuning.grid import Setting, Values, drawn, grid, parse_texts, parse_values
from relsent_ir.tuning.selection import Report, Tuned, ascend, folds, random_splits, select

__all__ = [
    "Report",
    "Setting",
    "Tuned",
    "Values",
    "ascend",
    "drawn",
    "folds",
    "grid",
    "parse_texts",
    "parse_values",
    "random_splits",
    "select",
]
