"""Tuning: settings are chosen on some topics and measured on others."""

from relsent_ir.tuning.grid import Values, drawn, grid, parse_values
from relsent_ir.tuning.selection import Fold, Tuned, select
from relsent_ir.tuning.splits import Split, folds, random_splits

__all__ = [
    "Fold",
    "Split",
    "Tuned",
    "Values",
    "drawn",
    "folds",
    "grid",
    "parse_values",
    "random_splits",
    "select",
]
