"""Records, terms and labels that present a theme to users (Shatkay & Wilbur 2000, section 4).

`label_theme` is our rule; it replaces the paper's rule (`terms_of_theme`), by which dozens of terms
tie at p = 1 and a phrase is listed beside its words. Records on theme count by their probability;
the lift of a term is its frequency in them relative to all records. Terms are chosen one by one:
each time the term with the largest ln lift over the records that earlier terms describe least.

The model's terms are words and pairs of words, which may be parts of phrases ("turbid saliva").
Here a phrase is a noun phrase of a title, by the packaged chunker, or a MeSH heading.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np

from relsent_ir.hits import Hits
from relsent_ir.lucene.read.index import Index
from relsent_ir.records import Record
from relsent_ir.text.parsing import Parsed, default_parser
from relsent_ir.text.phrases import word_set
from relsent_ir.text.words import words
from relsent_ir.themes.em import Theme
from relsent_ir.themes.matrix import PresenceMatrix
from relsent_ir.typing import Floats, NDArray

LIKELY: Final = 0.6  # the paper's value
MUCH_LARGER: Final = 10.0  # our value for what the paper calls "much larger"


@dataclass(frozen=True)
class ThemeTerm:
    """A term of a theme.

    Attributes
    ----------
    term : str
    p, q, lam : float
        The probabilities of the term on theme and off theme, and λ.
    db : float
        The share of all records that have the term.
    support : float
        The expected number of records on theme that have the term.
    lift : float
        The term's share among these records, divided by `db`.
    """

    term: str
    p: float
    q: float
    lam: float
    db: float
    support: float = 0.0
    lift: float = 0.0


def records_on_theme(
    matrix: PresenceMatrix, theme: Theme, k: int = 1000, *, keep_kernel: bool = False
) -> Hits:
    """Rank the records other than the kernels by their log-odds of being on theme, ties by id.

    Pr(Z=1|d) itself is exactly 1 in floating point for many of them.
    """
    scores = theme.log_odds.copy()
    if not keep_kernel:
        scores[theme.kernels] = -np.inf
    k = min(k, int(np.isfinite(scores).sum()))
    if not k:
        return Hits.ranked([], [])
    rows = np.flatnonzero(scores >= np.partition(scores, -k)[-k])
    return Hits.ranked([matrix.ids[row] for row in rows.tolist()], scores[rows], k)


def terms_of_theme(matrix: PresenceMatrix, theme: Theme, count: int = 10) -> list[ThemeTerm]:
    """Choose the terms that describe a theme, with the paper's rule.

    These are terms whose presence in some record on theme is due to p with a probability of 0.6 or
    more and whose p is much larger than DB; those with the largest p are ordered by p / q.
    """
    model = theme.model
    best = np.zeros(len(matrix.terms))  # of the most certain record with the term
    for row in np.flatnonzero(theme.on >= LIKELY).tolist():
        columns = matrix.row(row)
        best[columns] = np.maximum(best[columns], theme.on[row])
    likely = best * theme.posterior.on_present >= LIKELY
    chosen = np.flatnonzero(likely | (model.p >= MUCH_LARGER * model.db))
    with np.errstate(divide="ignore", over="ignore"):
        ratio = model.p[chosen] / model.q[chosen]
    largest = chosen[np.lexsort((-ratio, -model.p[chosen]))][:count]
    support = matrix.by_term[largest] @ theme.on if len(largest) else np.empty(0)
    lift = support / (theme.on.sum() * model.db[largest])
    terms = [
        ThemeTerm(
            matrix.terms[i],
            *(float(a[i]) for a in (model.p, model.q, model.lam, model.db)),
            *map(float, figures),
        )
        for i, *figures in zip(largest.tolist(), support, lift, strict=True)
    ]
    return sorted(terms, key=lambda t: (-t.p / t.q if t.q else -np.inf, -t.p, t.term))


SUPPORT_LEAST: Final = 1.5
"""Least expected number of records on theme with a term, if the theme has as many."""

PART: Final = 0.6
"""Share of a word's records on theme in which a phrase must be to replace the word."""

_KEPT: Final = 0.5  # factor of a record's weight for each chosen term that it has
ON: Final = 0.01  # records with a lower probability do not count
_CANDIDATES: Final = 300


def label_theme(matrix: PresenceMatrix, theme: Theme, count: int = 10) -> list[ThemeTerm]:
    """Choose the terms that describe a theme.

    Parameters
    ----------
    matrix : PresenceMatrix
    theme : Theme
    count : int
        Largest number of terms.

    Returns
    -------
    list of ThemeTerm
        Terms in the order of choice. No two share a word: a phrase replaces its words if it occurs
        in nearly all of their records.
    """
    rows = np.flatnonzero(theme.on >= ON)
    weights = theme.on[rows]
    support = matrix.sums(rows, weights)
    db = matrix.frequencies / len(matrix.ids)
    least = min(SUPPORT_LEAST, float(weights.sum()) / 2)
    with np.errstate(divide="ignore", invalid="ignore"):
        lift = support / weights.sum() / db
    candidates = np.flatnonzero((support >= least) & (lift > 1))
    value = support[candidates] * np.log(lift[candidates])
    best = np.argsort(-value, kind="stable")[:_CANDIDATES]
    columns, gain = candidates[best], np.log(lift[candidates[best]])
    inside = np.ascontiguousarray(matrix.by_term[columns][:, rows].toarray().T)
    chosen = cover(
        [matrix.terms[column] for column in columns.tolist()], inside, weights, gain, count
    )
    model = theme.model
    arrays = (model.p, model.q, model.lam, model.db, support, lift)
    return [
        ThemeTerm(matrix.terms[column], *(float(array[column]) for array in arrays))
        for column in columns[chosen].tolist()
    ]


def cover(
    terms: list[str], inside: NDArray[np.float64], weights: Floats, gain: Floats, count: int
) -> list[int]:
    """Choose terms one by one by their gain; `inside` has the shape (records, terms)."""
    stems = [frozenset(map(stem, term.split())) for term in terms]
    support = weights @ inside
    left = weights.copy()
    chosen: list[int] = []
    used: set[str] = set()
    while len(chosen) < count:
        added = (left @ inside) * gain
        open_ = [i for i in range(len(terms)) if not stems[i] & used]
        if not open_:
            break
        best = max(open_, key=lambda i: (added[i], len(stems[i]), terms[i]))
        phrases = [i for i in open_ if stems[i] > stems[best]]
        phrase = max(phrases, key=lambda i: support[i], default=best)
        if support[phrase] >= PART * support[best]:  # it occurs in most of the word's records
            best = phrase
        chosen.append(best)
        used |= stems[best]
        left = left * np.where(inside[:, best] > 0, _KEPT, 1)
    return chosen


def stem(word: str) -> str:
    """Remove the ending of a plural."""
    if word.endswith("ies") and len(word) > 4:
        return f"{word[:-3]}y"
    return word[:-1] if word.endswith("s") and not word.endswith(("ss", "us", "is")) else word


READ: Final = 50
"""Number of the most certain records of a theme, which are read."""
LEAST: Final = 2.5
"""Least expected number of records on theme that have a name of the theme."""
SHARES: Final = (0.49, 0.39)
"""Least shares of these records for a first name, and for a second."""
BROAD: Final = (0.85, 0.59)
"""Least share for a second name if the first has the larger share."""
ABOUT: Final = 0.29
"""Least share with a name in title or major headings; in any headings if none is major."""
TITLES: Final = 0.145
"""Least share with a name in titles; for a heading, twice this share with its commonest word is
enough: authors do not write some headings (Lactones)."""
OFTEN: Final = (10.0, 5.0)
"""Least lift of a name over all records: of a word, and of a longer phrase."""
SURE: Final = 15.0
"""Least lift of a word as a second name."""
MOSTLY: Final = 0.6
"""Least share of records with a name that the kernel lacks."""
GENERAL: Final = 0.34
"""Least share of titles with a general word, which also needs `MOSTLY`."""
LONGER: Final = (0.7, 0.59)
"""A longer phrase replaces a name that it contains if it keeps these parts of the records that have
the name, and of those that are about it."""
ENOUGH: Final = 150.0
"""Lifts count up to this value: a higher lift does not make a phrase better."""
LONGEST: Final = 20
"""Largest number of words of a phrase: longer rows of nouns are no natural phrases."""
_EMPTY: Final = word_set(
    """
    animal assessment case cause change comparison control course deficiency disorder effect
    evaluation experience feature finding group history human incidence level life literature
    loss man mechanism method model mouse patient person practice problem rabbit rat report
    review risk role sign study subject survey symptom syndrome test time treatment use value
    week year
    """
)
"""Words without information about a theme."""
_GENERAL: Final = word_set(
    """
    adolescent adult age aged autopsy care child childhood complex complication detection diagnosis
    disease family female infant infection male management measurement men mortality older pediatric
    prognosis reconstruction research secretion surgery therapy woman women
    """
)
"""Words that hardly distinguish one theme from another."""
_LIGHT: Final = _EMPTY | _GENERAL | word_set("acid agent and blood clinical drug of with")
"""Words of a heading that do not connect a title with it."""
_LEADING: Final = frozenset({"DT", "PRP$", "PDT", "CD", "WDT", "POS", "RB"})
_BETWEEN: Final = frozenset({"CC", ",", ":", "."})


@dataclass(frozen=True, slots=True)
class Phrase:
    """A phrase that records on theme share.

    Attributes
    ----------
    text : str
    records : float
        The expected number of records on theme that have it.
    share : float
        These records' share of the records on theme.
    lift : float
        This share divided by the share of all records that have it.
    names : bool
        Whether the phrase is certain enough to be the theme's name.
    """

    text: str
    records: float
    share: float
    lift: float
    names: bool


def common_phrases(
    index: Index, matrix: PresenceMatrix, theme: Theme, count: int = 10
) -> list[Phrase]:
    """Choose the phrases that describe what the records of a theme share.

    Parameters
    ----------
    index : Index
        The abstract index of `matrix`.
    matrix : PresenceMatrix
    theme : Theme
    count : int
        Largest number of phrases.

    Returns
    -------
    list of Phrase
        The theme's names first, the others in the order of `label_theme`.
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
    rarest = np.full(len(keys), float(len(matrix.ids)))  # records with the rarest term of a phrase
    for i, key in enumerate(keys):
        parts = words(spelled[key])
        places = matrix.terms.locate([*parts, *(f"{a} {b}" for a, b in pairwise(parts))])
        rarest[i] = matrix.frequencies[places[places >= 0]].min(initial=len(matrix.ids))
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
    """Choose the phrase that most records have and are about, then the best for other records.

    The shape of `held` and `about` is (records, phrases).
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
    """Return the phrases of titles and headings, in the texts' spelling, by their stems."""
    titles = [record.title or record.vernacular_title for record in records]
    spelled: dict[str, str] = {}
    for text in (text for parsed in default_parser().parse(titles) for text in _phrases(parsed)):
        spelled.setdefault(_key(text), text)
    for record in records:
        for heading in record.mesh:
            text = _turned(heading.heading)
            text = text.lower() if text.isupper() else text  # as in cystic fibrosis
            spelled.setdefault(_key(text), text)
    spelled.pop("", None)
    return spelled


def _phrases(parsed: Parsed) -> Iterator[str]:
    """Yield a title's noun phrases without leading words, and their ends of two or more words."""
    phrases: list[list[tuple[str, str]]] = [[]]
    for word, tag, chunk in zip(parsed.words, parsed.tags, parsed.chunks, strict=True):
        if chunk == "B-NP" or tag in _BETWEEN:
            phrases.append([])
        if chunk != "O" and tag not in _BETWEEN and (phrases[-1] or tag not in _LEADING):
            phrases[-1].append((word, tag))
    for phrase in phrases:
        for start, (_, tag) in enumerate(phrase if len(phrase) <= LONGEST else ()):
            ends = start < len(phrase) - 1 and tag not in _LEADING
            if phrase[-1][1].startswith("NN") and (not start or ends):
                yield " ".join(word for word, _ in phrase[start:])


def _turned(heading: str) -> str:
    """Return an inverted heading ("Heart Failure, Congestive") in its natural order."""
    parts = heading.split(", ")
    return " ".join(reversed(parts)) if len(parts) < 4 else heading


def _key(text: str) -> str:
    return " ".join(map(stem, words(text)))


def _texts(record: Record) -> tuple[str, str, str]:
    """Return the stems of all texts, of title and major headings, and of the title.

    Phrases do not span two texts.
    """
    title = [record.title, record.vernacular_title]
    marked = any(heading.major for heading in record.mesh)
    major = [_turned(h.heading) for h in record.mesh if h.major or not marked]
    minor = [_turned(h.heading) for h in record.mesh]
    body = [section.text for section in record.sections]
    parts = [*title, *minor, *body], [*title, *major], title
    whole, about, titled = (f" {' | '.join(map(_key, texts))} " for texts in parts)
    return whole, about, titled
