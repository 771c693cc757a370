"""Tuning: settings are chosen on some topics and measured on others."""

from relsent_ir.tuning.grid import Setting, Values, drawn, grid, parse_texts, parse_values
from relsent_ir.tuning.selection import Report, Tuned, ascend, select
from relsent_ir.tuning.splits import folds, random_splits

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
