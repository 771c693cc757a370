"""How well scores agree with people's: BIOSSES, 100 pairs of biomedical sentences.

Soğancıoğlu, Öztürk, Özgür: BIOSSES: a semantic sentence similarity estimation system for the
biomedical domain. Bioinformatics 33, 2017. Nothing is tuned on these pairs.
"""

import csv
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from relsent_ir.errors import InputError
from relsent_ir.files import open_text
from reproduce.page import table

PUBLISHED: Final = {
    "averaged embeddings": 0.694,
    "BioSentVec": 0.817,
    "supervised linear regression": 0.836,
}
"""Pearson correlations: the first and the third of Soğancıoğlu et al. 2017, the second of Chen,
Peng, Lu: BioSentVec: creating sentence embeddings for biomedical texts. ICHI 2019."""

Score = Callable[[list[tuple[str, str]]], NDArray[np.floating]]


@dataclass(frozen=True)
class Agreement:
    """Correlation with the mean of the annotators' scores."""

    pearson: float
    spearman: float


def read_biosses(path: str | Path) -> tuple[list[tuple[str, str]], NDArray[np.float64]]:
    """Read pairs of sentences and their mean scores, 0 to 4.

    Parameters
    ----------
    path : str or Path
        Tab-separated, with a header that names ``sentence1``, ``sentence2`` and ``mean``.

    Raises
    ------
    InputError
        If the file cannot be read, a column or a number is missing, or there are no two pairs.
    """
    pairs: list[tuple[str, str]] = []
    means: list[float] = []
    with open_text(path) as file:
        rows = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        for line, row in enumerate(rows, 2):
            try:
                pairs.append((row["sentence1"], row["sentence2"]))
                means.append(float(row["mean"]))
            except (KeyError, TypeError, ValueError) as error:
                raise InputError(
                    "not a pair: it needs sentence1, sentence2 and a mean", where=f"{path}:{line}"
                ) from error
    if len(pairs) < 2:
        raise InputError("there are no two pairs of sentences", where=path)
    return pairs, np.array(means)


def measure_biosses(path: str | Path, methods: Mapping[str, Score]) -> dict[str, Agreement]:
    """Correlate the scores of methods with people's.

    Parameters
    ----------
    path : str or Path
        As `read_biosses` reads it.
    methods : mapping of str to callable
        Each takes pairs of sentences and gives their scores.
    """
    from scipy.stats import pearsonr, spearmanr

    pairs, means = read_biosses(path)
    found = {}
    for name, score in methods.items():
        scores = score(pairs)
        found[name] = Agreement(
            float(pearsonr(scores, means).statistic), float(spearmanr(scores, means).statistic)
        )
    return found


def biosses_table(measured: Mapping[str, Agreement]) -> str:
    """Set methods beside the published ones, in Markdown."""
    rows = [[name, f"{r.pearson:.3f}", f"{r.spearman:.3f}"] for name, r in measured.items()]
    rows += [[f"{name} (published)", f"{r:.3f}", "–"] for name, r in PUBLISHED.items()]
    return table(["Method", "Pearson", "Spearman"], rows)
