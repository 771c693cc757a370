"""The quality of themes: coherence and diversity of their terms, and held-out likelihood.

References
----------
G. Bouma. Normalized (pointwise) mutual information in collocation extraction. GSCL 2009.
J. H. Lau, D. Newman, T. Baldwin. Machine reading tea leaves: automatically evaluating topic
coherence and topic model quality. EACL 2014.
A. B. Dieng, F. J. R. Ruiz, D. M. Blei. Topic modeling in embedding spaces. TACL 8, 2020: topic
diversity.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np

from relsent_ir.text.vocabulary import Vocabulary
from relsent_ir.themes.em import ThemeSettings, find_theme
from relsent_ir.themes.matrix import PresenceMatrix
from relsent_ir.typing import Floats, NDArray, Sparse


def coherence(matrix: PresenceMatrix, terms: Sequence[str]) -> float | None:
    """Return the mean NPMI of all pairs of terms, over the records of the collection.

    Parameters
    ----------
    matrix : PresenceMatrix
    terms : sequence of str
        Terms of the matrix.

    Returns
    -------
    float or None
        1 if the terms always occur together, 0 if as often as by chance, -1 if never; None for
        fewer than two terms.
    """
    if len(terms) < 2:
        return None
    columns = matrix.terms.locate(terms)
    chosen = matrix.by_term[columns]
    share = np.asarray((chosen @ chosen.T).toarray()) / len(matrix.ids)
    first, second = np.triu_indices(len(terms), 1)
    both, alone = share[first, second], share.diagonal()
    with np.errstate(divide="ignore", invalid="ignore"):
        npmi = np.log(both / (alone[first] * alone[second])) / -np.log(both)
    npmi = np.where(both == 0, -1.0, np.where(both == 1, 1.0, npmi))
    return float(npmi.mean())


def diversity(themes: Sequence[Sequence[str]]) -> float:
    """Return the share of distinct terms among the terms of themes; 1 if there are none."""
    terms = [term for theme in themes for term in theme]
    return len(set(terms)) / len(terms) if terms else 1.0


PART: Final = 10
"""One record in this many is held out."""

_MIXED: Final = 0.5  # the collection's share in each probability; otherwise rare terms would decide


def held_out_gains(
    matrix: PresenceMatrix,
    kernels: Sequence[NDArray[np.intp]],
    settings: ThemeSettings,
    similarities: Sequence[Floats | None],
    seed: int = 0,
) -> list[float]:
    """Find themes again in nine tenths of a collection, and measure them on the rest.

    Parameters
    ----------
    matrix : PresenceMatrix
    kernels : sequence of ndarray of int, shape (kernels,)
        The rows from which each theme starts; they are not held out.
    settings : ThemeSettings
    similarities : sequence of ndarray of float64, shape (records,), or None
        For each theme, as in `find_theme`.
    seed : int
        Seed for drawing the held-out records.

    Returns
    -------
    list of float
        For each theme, the mean over the held-out records of ln Pr(its terms | the theme, or off
        it) - ln Pr(its terms | the share of all records that have each), in nats per record. A
        value above 0 means that the theme occurs in other records. Terms of a single record are
        ignored. The search whose scores enter P covers all records. 0 if all records are kernels.
    """
    every = np.arange(len(matrix.ids))
    others = np.setdiff1d(every, np.concatenate(kernels))
    count = min(len(others), max(1, len(every) // PART))
    tested = np.random.default_rng(seed).choice(others, count, replace=False)
    kept = np.setdiff1d(every, tested)
    train = matrix.presence[kept]
    ids = Vocabulary.of(matrix.ids[row] for row in kept.tolist())
    places = train.indptr.astype(np.int32), train.indices.astype(np.int32)
    part = PresenceMatrix(ids, matrix.terms, *places)
    seen = part.frequencies > 0
    test = matrix.presence[np.sort(tested)][:, seen]
    alone = ((part.frequencies + 0.5) / (len(kept) + 1))[seen]
    by_chance = _log_probability(test, alone)
    means = []
    for rows, similar in zip(kernels, similarities, strict=True):
        near = None if similar is None else similar[kept]
        theme = find_theme(part, np.searchsorted(kept, rows), settings, near)
        model, size = theme.model, float(theme.on.mean())
        lam, db = model.lam[seen], model.db[seen]
        both = []
        for prior, specific in ((size, model.p), (1 - size, model.q)):
            share = lam * db + (1 - lam) * specific[seen]
            share = (1 - _MIXED) * share + _MIXED * alone
            both.append(np.log(max(prior, 1e-300)) + _log_probability(test, share))
        gains = np.logaddexp(*both) - by_chance
        means.append(float(gains.mean()) if len(gains) else 0.0)
    return means


def _log_probability(presence: Sparse, share: Floats) -> Floats:
    """Return ln of the probability of each record's terms, assumed to be independent."""
    absent = np.log1p(-share)
    logs: Floats = presence @ (np.log(share) - absent) + absent.sum()
    return logs
