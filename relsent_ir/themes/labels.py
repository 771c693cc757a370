"""What the records of a theme have in common, in whole phrases of their titles and headings.

The model's terms are words, and pairs of words, which may be pieces of phrases ("turbid saliva").
Here a phrase is a noun phrase of a title, as the package's chunker cuts it, or a MeSH heading.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np

from relsent_ir.lucene.read.index import Index
from relsent_ir.records import Record
from relsent_ir.text.parsing import Parsed, default_parser
from relsent_ir.text.phrases import word_set
from relsent_ir.text.words import words
from relsent_ir.themes.em import Theme
from relsent_ir.themes.matrix import PresenceMatrix
from relsent_ir.themes.reading import ON, cover, stem
from relsent_ir.typing import Floats

READ: Final = 50
"""Records of a theme that are read, the surest."""
SHARES: Final = (0.5, 0.3)
"""A phrase names a theme if this share of the records on theme have it, and that share in title or
headings."""
RARE: Final = 50.0
"""Of one that they have so many times as often as all records, `SHARES` are `LESS` smaller."""
LESS: Final = 0.1
OFTEN: Final = (15.0, 5.0)
"""And if they have it so many times as often: a word, a longer phrase."""
TITLES: Final = 0.15
"""And if this share have it in their titles: some headings are of a kind (Lactones) that no author
writes."""
MOSTLY: Final = 0.6
"""And if the kernel has it too, or this share of the records on theme."""
LEAST: Final = 2.5
"""And if so many records on theme have it, as expected."""
NAMES: Final = 2
"""Phrases that name a theme."""
_EMPTY: Final = word_set(
    """
    animal assessment case cause change comparison control course deficiency disorder effect
    evaluation experience feature finding group history human incidence level life literature
    loss man mechanism method model mouse patient person practice problem rabbit rat report
    review risk role sign study subject survey symptom syndrome test time treatment use value
    week year
    """
)
"""Words that tell nothing of a theme."""
_GENERAL: Final = word_set(
    """
    adolescent adult age aged autopsy care child childhood complication detection diagnosis disease
    family female infant male management measurement men mortality prognosis reconstruction surgery
    therapy woman women
    """
)
"""Words that name no theme."""
_LEADING: Final = frozenset({"DT", "PRP$", "PDT", "CD", "WDT", "POS"})


@dataclass(frozen=True, slots=True)
class Phrase:
    """A phrase that records on theme have in common.

    Attributes
    ----------
    text : str
    records : float
        How many of the records on theme have it, as expected.
    share : float
        The share of them.
    lift : float
        How much more often they have it than all records.
    names : bool
        Whether it is sure enough to stand for the theme.
    """

    text: str
    records: float
    share: float
    lift: float
    names: bool


def common_phrases(
    index: Index, matrix: PresenceMatrix, theme: Theme, count: int = 10
) -> list[Phrase]:
    """Choose the phrases that tell what a theme's records share.

    Parameters
    ----------
    index : Index
        The abstracts that `matrix` is of.
    matrix : PresenceMatrix
    theme : Theme
    count : int
        At most so many.

    Returns
    -------
    list of Phrase
        In the order in which they were chosen, as `label_theme` chooses terms.
    """
    rows = np.argsort(-theme.on, kind="stable")[:READ]
    rows = rows[theme.on[rows] >= ON]
    weights = theme.on[rows]
    records = index.records([matrix.ids[row] for row in rows.tolist()])
    spelled = _candidates(records)
    if not spelled:
        return []
    keys = list(spelled)
    inside, heads = (
        np.array([[f" {key} " in text for key in keys] for text in texts], dtype=np.float64)
        for texts in zip(*map(_texts, records), strict=True)
    )
    support = weights @ inside
    total = float(weights.sum())
    rarest = np.array([_rarest(matrix, spelled[key]) for key in keys])
    lift = support / total * len(matrix.ids) / rarest
    says = np.array([key not in _EMPTY for key in keys])
    usable = np.flatnonzero((support >= min(1.5, total / 2)) & (lift > 1) & says)
    if not len(usable):
        return []
    inside, support, lift = inside[:, usable], support[usable], lift[usable]
    keys = [keys[i] for i in usable.tolist()]
    heads = heads[:, usable]
    less = LESS * (lift >= RARE)
    kernel = inside[np.isin(rows, theme.kernels)].any(axis=0)
    titles = [_joined([record.title or record.vernacular_title]) for record in records]
    titled = np.array([[f" {key} " in title for key in keys] for title in titles])
    names = (
        (kernel | (support >= MOSTLY * total))
        & (support >= np.maximum(LEAST, (SHARES[0] - less) * total))
        & (weights @ heads >= (SHARES[1] - less) * total)
        & (lift >= [OFTEN[" " in key] for key in keys])
        & [key not in _GENERAL for key in keys]
        & (weights @ titled >= TITLES * total)
    )
    chosen = cover(keys, inside, weights, np.log(lift), count)
    return [
        Phrase(spelled[keys[i]], float(support[i]), float(support[i]) / total, float(lift[i]),
               bool(names[i]))
        for i in chosen
    ]  # fmt: skip


def _candidates(records: Sequence[Record]) -> dict[str, str]:
    """Return the phrases of titles and headings as they are spelled, by their stems."""
    titles = [record.title or record.vernacular_title for record in records]
    spelled: dict[str, str] = {}
    for text in (text for parsed in default_parser().parse(titles) for text in _phrases(parsed)):
        spelled.setdefault(_key(text), text)
    for record in records:
        for heading in record.mesh:
            text = _turned(heading.heading)
            text = text.lower() if text.isupper() else text  # cystic fibrosis has them in capitals
            spelled.setdefault(_key(text), text)
    spelled.pop("", None)
    return spelled


def _phrases(parsed: Parsed) -> list[str]:
    """Return the noun phrases of a title, without what leads them."""
    phrases: list[list[str]] = []
    for word, tag, chunk in zip(parsed.words, parsed.tags, parsed.chunks, strict=True):
        if chunk == "B-NP":
            phrases.append([])
        if chunk != "O" and phrases and (phrases[-1] or tag not in _LEADING):
            phrases[-1].append(word)
    return [" ".join(phrase) for phrase in phrases if phrase]


def _turned(heading: str) -> str:
    """Turn an inverted heading round: "Heart Failure, Congestive"."""
    parts = heading.split(", ")
    return " ".join(reversed(parts)) if len(parts) < 4 else heading


def _key(text: str) -> str:
    return " ".join(map(stem, words(text)))


def _texts(record: Record) -> tuple[str, str]:
    """Return the stems of a record, and of its title and headings; no phrase spans two texts."""
    heads = [record.title, record.vernacular_title]
    heads += [_turned(heading.heading) for heading in record.mesh]
    texts = [*heads, *(section.text for section in record.sections)]
    return _joined(texts), _joined(heads)


def _joined(texts: Sequence[str]) -> str:
    return f" {' | '.join(map(_key, texts))} "


def _rarest(matrix: PresenceMatrix, phrase: str) -> float:
    """Return how many records have the rarest term of a phrase; all, if none of them is a term."""
    parts = words(phrase)
    terms = [*parts, *(f"{a} {b}" for a, b in pairwise(parts))]
    places = matrix.terms.locate(terms)
    counts: Floats = matrix.frequencies[places[places >= 0]]
    return float(counts.min()) if len(counts) else float(len(matrix.ids))
