"""Ten kernels on complications: the terms of their themes, as in the paper's Table 1."""

from pathlib import Path
from typing import Final

from relsent_ir.themes import Theme, ThemeFinder, ThemeTopic, label_theme, terms_of_theme
from reproduce.page import table
from reproduce.shatkay_wilbur_2000.systems import OURS, PUBLISHED

COMPLICATIONS: Final = {
    "193": "pneumothorax",
    "314": "pancreatitis",
    "446": "cor pulmonale",
    "579": "osteoarthropathy",
    "594": "gallbladder disease",
    "659": "meconium ileus equivalent",
    "683": "nasal polyps",
    "804": "hemoptysis",
    "1005": "aspergillosis",
    "1235": "portal hypertension",
}
"""Records of the cystic fibrosis collection on a complication, chosen by their titles alone."""


def examples(index: Path) -> str:
    """Set the terms of the ten kernels' themes by the published EM beside those of ours."""
    topics = {name: ThemeTopic((name,)) for name in COMPLICATIONS}
    themes = {}
    for label, variant in (("published", PUBLISHED), ("ours", OURS)):
        with variant.open(index) as finder:

            def read(_topic: ThemeTopic, theme: Theme, by: ThemeFinder = finder) -> tuple[str, str]:
                name = terms_of_theme if by.settings.published else label_theme
                terms = ", ".join(term.term for term in name(by.matrix, theme))
                return f"{theme.sizes[-1]:.0f}", terms

            themes[label] = finder.find(topics, read)
    rows = [
        [f"{name}: {complication}", *themes["published"][name], themes["ours"][name][1]]
        for name, complication in COMPLICATIONS.items()
    ]
    return table(["", "published: records on theme", "published: terms", "ours: terms"], rows)
