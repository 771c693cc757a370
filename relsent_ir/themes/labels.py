"""What the records of a theme have in common, in whole phrases of their titles and headings.

The model's terms are words, and pairs of words, which may be pieces of phrases ("turbid saliva").
Here a phrase is a noun phrase of a title, as the package's chunker cuts it, or a MeSH heading.
"""

from collections.abc import Iterator, Sequence
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
from relsent_ir.typing import Floats, NDArray

READ: Final = 50
"""Records of a theme that are read, the surest."""
LEAST: Final = 2.5
"""A phrase may name a theme if so many records on theme have it, as expected."""
SHARES: Final = (0.49, 0.39)
"""And if this share of them have it: a first name, a second."""
BROAD: Final = (0.85, 0.59)
"""Of a first name so broad, a second has this share."""
ABOUT: Final = 0.29
"""And if this share have it in title or major headings; in any headings where none is marked."""
TITLES: Final = 0.145
"""And if this share have it in their titles, or of a heading twice as many its commonest word: some
are of a kind (Lactones) that no author writes."""
OFTEN: Final = (10.0, 5.0)
"""And if they have it so many times as often as all records: a word, a longer phrase."""
SURE: Final = 15.0
"""The same of a word that is a second name."""
MOSTLY: Final = 0.6
"""And if the kernel has it too, or this share of the records on theme."""
GENERAL: Final = 0.34
"""A general word needs `MOSTLY`, and this share of titles."""
LONGER: Final = (0.7, 0.59)
"""A longer phrase stands for a name that is in it, if it keeps these parts of what has it, and of
what is about it."""
ENOUGH: Final = 150.0
"""A phrase that is more times as often on theme is not better for it."""
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
    adolescent adult age aged autopsy care child childhood complex complication detection diagnosis
    disease family female infant infection male management measurement men mortality older pediatric
    prognosis reconstruction research secretion surgery therapy woman women
    """
)
"""Words that hardly tell one theme from another."""
_LIGHT: Final = _EMPTY | _GENERAL | word_set("acid agent and blood clinical drug of with")
"""Words that make no title one of a heading."""
_LEADING: Final = frozenset({"DT", "PRP$", "PDT", "CD", "WDT", "POS", "RB"})
_BETWEEN: Final = frozenset({"CC", ",", ":", "."})


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
        Its names first, the others in the order in which `label_theme` would choose them.
    """
    rows = np.argsort(-theme.on, kind="stable")[:READ]
    rows = rows[theme.on[rows] >= ON]
    weights = theme.on[rows]
    records = index.records([matrix.ids[row] for row in rows.tolist()])
    spelled = _candidates(records)
    keys = [key for key in spelled if key not in _EMPTY]
    if not keys:
        return []
    texts = list(zip(*map(_texts, records), strict=True))
    held, about, titled = (
        np.array([[f" {key} " in text for key in keys] for text in part], dtype=np.float64)
        for part in texts
    )
    share = weights @ held / weights.sum()
    rarest = np.array([_rarest(matrix, spelled[key]) for key in keys])
    lift = share * len(matrix.ids) / rarest
    headings = {_key(_turned(heading.heading)) for record in records for heading in record.mesh}
    written = weights @ titled / weights.sum()
    for i in (i for i, key in enumerate(keys) if key in headings):
        parts = [word for word in keys[i].split() if len(word) > 3 and word not in _LIGHT]
        of = [weights @ [f" {word} " in title for title in texts[2]] for word in parts]
        if of and min(of) > 0:
            written[i] = max(written[i], max(of) / 2 / weights.sum())
    kernel = held[np.isin(rows, theme.kernels)].any(axis=0)
    general = np.array([key in _GENERAL for key in keys])
    usable = (
        (kernel & ~general | (share >= MOSTLY))
        & (share * weights.sum() >= LEAST)
        & (weights @ about >= ABOUT * weights.sum())
        & (written >= np.where(general, GENERAL, TITLES))
        & (lift >= [OFTEN[" " in key] for key in keys])
    )
    names = _names(keys, held, about, weights, lift, usable)
    stems = set(" ".join(keys[i] for i in names).split())
    least = min(1.5, weights.sum() / 2) / weights.sum()
    rest = [
        i
        for i, key in enumerate(keys)
        if share[i] >= least and lift[i] > 1 and not stems & set(key.split())
    ]
    more = cover([keys[i] for i in rest], held[:, rest], weights, np.log(lift[rest]), count)
    return [
        Phrase(spelled[keys[i]], float(share[i] * weights.sum()), float(share[i]), float(lift[i]),
               i in names)
        for i in [*names, *(rest[i] for i in more)][:count]
    ]  # fmt: skip


def _names(
    keys: list[str],
    held: NDArray[np.float64],
    about: NDArray[np.float64],
    weights: Floats,
    lift: Floats,
    usable: NDArray[np.bool_],
) -> list[int]:
    """Choose what most records have and are about, then what tells most of those without it.

    `held` and `about` have the shape (records, phrases).
    """
    stems = [frozenset(key.split()) for key in keys]
    share, major = (weights @ inside / weights.sum() for inside in (held, about))
    gain = np.log(np.clip(lift, 1, ENOUGH))
    names: list[int] = []
    left = weights
    while len(names) < len(SHARES):
        least = SHARES[len(names)]
        if names:
            least = BROAD[1] if share[names[0]] >= BROAD[0] else least
            left = weights * np.where(held[:, names[0]] > 0, 0.5, 1)
        free = [
            i
            for i in np.flatnonzero(usable & (share >= least)).tolist()
            if not names
            or (not stems[i] & stems[names[0]] and (len(stems[i]) > 1 or lift[i] >= SURE)
                and keys[i] not in _GENERAL)
        ]  # fmt: skip
        if not free:
            break
        value = left @ (held + about) * gain
        best = max(free, key=lambda i: (value[i], len(stems[i]), keys[i]))
        longer = [
            i
            for i in free
            if stems[i] > stems[best]
            and share[i] >= LONGER[0] * share[best]
            and major[i] >= LONGER[1] * major[best]
        ]
        names.append(max(longer, key=lambda i: (value[i], keys[i])) if longer else best)
    return names


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


def _phrases(parsed: Parsed) -> Iterator[str]:
    """Give the noun phrases of a title without what leads them, and their ends, of two words on."""
    phrases: list[list[tuple[str, str]]] = [[]]
    for word, tag, chunk in zip(parsed.words, parsed.tags, parsed.chunks, strict=True):
        if chunk == "B-NP" or tag in _BETWEEN:
            phrases.append([])
        if chunk != "O" and tag not in _BETWEEN and (phrases[-1] or tag not in _LEADING):
            phrases[-1].append((word, tag))
    for phrase in phrases:
        for start, (_, tag) in enumerate(phrase):
            ends = start < len(phrase) - 1 and tag not in _LEADING
            if phrase[-1][1].startswith("NN") and (not start or ends):
                yield " ".join(word for word, _ in phrase[start:])


def _turned(heading: str) -> str:
    """Turn an inverted heading round: "Heart Failure, Congestive"."""
    parts = heading.split(", ")
    return " ".join(reversed(parts)) if len(parts) < 4 else heading


def _key(text: str) -> str:
    return " ".join(map(stem, words(text)))


def _texts(record: Record) -> tuple[str, str, str]:
    """Return the stems of all, of title and headings that matter, of the title.

    No phrase spans two texts.
    """
    title = [record.title, record.vernacular_title]
    marked = any(heading.major for heading in record.mesh)
    major = [_turned(h.heading) for h in record.mesh if h.major or not marked]
    minor = [_turned(h.heading) for h in record.mesh]
    body = [section.text for section in record.sections]
    return _joined([*title, *minor, *body]), _joined([*title, *major]), _joined(title)


def _joined(texts: Sequence[str]) -> str:
    return f" {' | '.join(map(_key, texts))} "


def _rarest(matrix: PresenceMatrix, phrase: str) -> float:
    """Return how many records have the rarest term of a phrase; all, if none of them is a term."""
    parts = words(phrase)
    terms = [*parts, *(f"{a} {b}" for a, b in pairwise(parts))]
    places = matrix.terms.locate(terms)
    counts: Floats = matrix.frequencies[places[places >= 0]]
    return float(counts.min()) if len(counts) else float(len(matrix.ids))
