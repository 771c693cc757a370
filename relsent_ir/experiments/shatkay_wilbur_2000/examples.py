"""Ten kernels on complications: their themes as the paper shows its own (Figure 4, Table 1)."""

from pathlib import Path
from typing import Final

from relsent_ir.experiments.page import plot, table
from relsent_ir.experiments.shatkay_wilbur_2000.systems import OURS, PLOT, PUBLISHED
from relsent_ir.themes import Term, Theme, ThemeFinder, ThemeTopic, records_on_theme, terms_of_theme

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

_WORDS: Final = 12  # of a title that are shown


def examples(index: Path, plots: dict[str, bytes]) -> list[str]:
    """Set the ten kernels' records and terms side by side, as Figure 4 and Table 1 of the paper."""
    topics = {name: ThemeTopic((name,)) for name in COMPLICATIONS}
    themes = {}
    for label, variant in (("published", PUBLISHED), ("ours", OURS)):
        with variant.open(index) as finder:

            def read(_topic: ThemeTopic, theme: Theme, by: ThemeFinder = finder) -> _Example:
                return _Example(by, theme)

            themes[label] = finder.find(topics, read)
    with plot(plots, f"{PLOT}-sizes", "iteration", "records on theme") as axes:
        for label, style in (("published", "-"), ("ours", ":")):
            for i, name in enumerate(COMPLICATIONS):
                sizes = themes[label][name].sizes
                tag = COMPLICATIONS[name] if style == "-" else None
                axes.plot(range(1, len(sizes) + 1), sizes, style, color=f"C{i}", label=tag)
        axes.set_yscale("log")
    shown = []
    for name, complication in COMPLICATIONS.items():
        both = [themes[label][name] for label in ("published", "ours")]
        rows = [
            [str(rank + 1), *(theme.titles[rank] for theme in both)]
            for rank in range(len(both[0].titles))
        ]
        rows.append(["terms", *(", ".join(term.term for term in t.terms) for t in both)])
        header = [f"{name}: {complication}"]
        header += [
            f"{label}: {len(theme.sizes)} iterations, {theme.sizes[-1]:.0f} records on theme"
            for label, theme in zip(themes, both, strict=True)
        ]
        shown.append(table(header, rows))
    return shown


class _Example:
    """What is shown of a theme."""

    def __init__(self, finder: ThemeFinder, theme: Theme) -> None:
        hits = records_on_theme(finder.matrix, theme, 4, keep_kernel=True)
        kernels = {finder.matrix.ids[row] for row in theme.kernels.tolist()}
        self.sizes = theme.sizes
        self.terms: list[Term] = terms_of_theme(finder.matrix, theme)
        self.titles = [
            f"{f'**{record.id}**' if record.id in kernels else record.id} {_title(record.title)}"
            for record in finder.index.records(list(hits.ids))
        ]


def _title(title: str) -> str:
    words = title.split()
    return " ".join(words[:_WORDS]) + (" …" if len(words) > _WORDS else "")
