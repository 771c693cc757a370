"""Themes: from one record to its subject, as records and as terms (Shatkay & Wilbur 2000)."""

from relsent_ir.themes.em import Theme, find_theme
from relsent_ir.themes.finding import ThemeFinder, ThemeTopic
from relsent_ir.themes.mapping import MapTheme, ThemeMap, map_themes
from relsent_ir.themes.matrix import PresenceMatrix, Selection, build_matrix
from relsent_ir.themes.picture import draw_map
from relsent_ir.themes.reading import Term, label_theme, records_on_theme, terms_of_theme
from relsent_ir.themes.settings import IMPROVED, IMPROVED_FIELDS, Settings
from relsent_ir.themes.store import Terms, open_matrix

__all__ = [
    "IMPROVED",
    "IMPROVED_FIELDS",
    "MapTheme",
    "PresenceMatrix",
    "Selection",
    "Settings",
    "Term",
    "Terms",
    "Theme",
    "ThemeFinder",
    "ThemeMap",
    "ThemeTopic",
    "build_matrix",
    "draw_map",
    "find_theme",
    "label_theme",
    "map_themes",
    "open_matrix",
    "records_on_theme",
    "terms_of_theme",
]
