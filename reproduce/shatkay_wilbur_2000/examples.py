"""Ten kernels on complications: their themes in the form of the paper's Figure 4 and Table 1."""

from collections.abc import Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Final

import numpy as np

from relsent_ir.text.words import words
from relsent_ir.themes import (
    Theme,
    ThemeFinder,
    ThemeTopic,
    label_theme,
    records_on_theme,
    terms_of_theme,
)
from relsent_ir.themes.reading import ThemeTerm, stem
from reproduce.page import plot, table
from reproduce.shatkay_wilbur_2000.systems import OURS, PLOT, PUBLISHED


def read_judged() -> dict[str, tuple[str, str, str]]:
    """Return the judged labels beside this file by complication: label, fitting terms, word."""
    text = (files(__package__) / "judged.tsv").read_text(encoding="utf-8")
    rows = (line.split("\t") for line in text.splitlines()[1:])
    return {kernel: (label, belong, word) for kernel, label, belong, word in rows}


def judgements(labels: Mapping[str, Sequence[str]]) -> str:
    """Write the labels with their judgements; a label that was not judged has dashes."""
    judged = read_judged()
    rows = []
    for name, terms in labels.items():
        label = ", ".join(terms)
        read, *judgement = judged[name]
        rows.append([name, label, *(judgement if label == read else ["–", "–"])])
    return table(["", "label", "terms that belong", "judged"], rows)


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

_WORDS: Final = 12  # shown words of a title
_SHOWN: Final = 4  # shown records of a theme
_JUDGED: Final = 10  # records whose titles judge the terms


def examples(index: Path, plots: dict[str, bytes]) -> dict[str, str]:
    """Compare the ten kernels' records and terms, as Figure 4 and Table 1 of the paper.

    Returns
    -------
    dict of str to str
        The tables (`examples`), a comparison of terms with titles (`labels`), and the developers'
        judgements of ours (`read`).
    """
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
    ours = {COMPLICATIONS[name]: [t.term for t in themes["ours"][name].terms] for name in topics}
    return {"examples": "\n".join(shown), "labels": _judged(themes), "read": judgements(ours)}


def _judged(themes: Mapping[str, Mapping[str, "_Example"]]) -> str:
    """Compare each theme's ten terms with the titles of its first ten records."""
    rows = []
    sums = np.zeros((3, 3))
    for name, complication in COMPLICATIONS.items():
        published, ours = (themes[label][name] for label in ("published", "ours"))
        counts = np.array(
            [published.judge(published.terms), ours.judge(ours.by_rule), ours.judge(ours.terms)]
        )
        sums += counts
        rows.append([complication, *(str(n) for n in counts.ravel().tolist())])
    rows.append(["mean", *(f"{n / len(COMPLICATIONS):.1f}" for n in sums.ravel())])
    kinds = ("published", "ours, the paper's rule", "ours")
    judged = ("terms in titles", "titles with a term", "terms that repeat")
    return table(["", *(f"{kind}: {what}" for kind in kinds for what in judged)], rows)


class _Example:
    """The records and terms of a theme."""

    def __init__(self, finder: ThemeFinder, theme: Theme) -> None:
        hits = records_on_theme(finder.matrix, theme, _JUDGED, keep_kernel=True)
        kernels = {finder.matrix.ids[row] for row in theme.kernels.tolist()}
        records = finder.index.records(list(hits.ids))
        self.sizes = theme.sizes
        self.by_rule = terms_of_theme(finder.matrix, theme)
        published = finder.settings.published
        self.terms = self.by_rule if published else label_theme(finder.matrix, theme)
        self.titles = [
            f"{f'**{record.id}**' if record.id in kernels else record.id} {_title(record.title)}"
            for record in records[:_SHOWN]
        ]
        self.words = [set(map(stem, words(record.title))) for record in records]

    def judge(self, terms: Sequence[ThemeTerm]) -> tuple[int, int, int]:
        """Count the terms in some title, the titles with a term, terms that share a word."""
        parts = [set(map(stem, term.term.split())) for term in terms]
        titled = sum(any(part <= title for title in self.words) for part in parts)
        covered = sum(any(part <= title for part in parts) for title in self.words)
        repeated = sum(any(parts[i] & part for part in parts[:i]) for i in range(len(parts)))
        return titled, covered, repeated


def _title(title: str) -> str:
    parts = title.split()
    return " ".join(parts[:_WORDS]) + (" …" if len(parts) > _WORDS else "")
