"""Themes: from one record to a subject, described by records and terms (Shatkay & Wilbur 2000)."""

from relsent_ir.themes.em import IMPROVED, IMPROVED_FIELDS, Theme, ThemeSettings
from relsent_ir.themes.finding import ThemeFinder, ThemeTopic, describe_theme, read_method
from relsent_ir.themes.labels import label_theme, records_on_theme, terms_of_theme
from relsent_ir.themes.mapping import MapTheme, ThemeMap, draw_map, map_themes
from relsent_ir.themes.matrix import Selection, Terms

__all__ = [
    "IMPROVED",
    "IMPROVED_FIELDS",
    "MapTheme",
    "Selection",
    "Terms",
    "Theme",
    "ThemeFinder",
    "ThemeMap",
    "ThemeSettings",
    "ThemeTopic",
    "describe_theme",
    "draw_map",
    "label_theme",
    "map_themes",
    "read_method",
    "records_on_theme",
    "terms_of_theme",
]
