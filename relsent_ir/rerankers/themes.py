"""Records by the theme of the first hits."""

from relsent_ir.themes.finding import ThemeReranker

reranker = ThemeReranker
