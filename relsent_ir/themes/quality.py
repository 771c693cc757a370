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
        1 if they are always together, 0 if as often as by chance, -1 if never; None for fewer
        than two terms.
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
"""One in so many records is held out."""

_MIXED: Final = 0.5  # the collection's share in each probability: else rare terms decide


class HeldOut:
    """A collection in two parts: themes are found in nine tenths, and measured on the rest.

    Parameters
    ----------
    matrix : PresenceMatrix
    kernels : ndarray of int
        Rows that are never held out.
    seed : int
        Of drawing the rest.
    """

    def __init__(self, matrix: PresenceMatrix, kernels: NDArray[np.intp], seed: int = 0) -> None:
        others = np.setdiff1d(np.arange(len(matrix.ids)), kernels)
        count = min(len(others), max(1, len(matrix.ids) // PART))
        tested = np.random.default_rng(seed).choice(others, count, replace=False)
        self.kept = np.setdiff1d(np.arange(len(matrix.ids)), tested)
        train = matrix.presence[self.kept]
        self.matrix = PresenceMatrix(
            Vocabulary.of(matrix.ids[row] for row in self.kept.tolist()),
            matrix.terms,
            train.indptr.astype(np.int32),
            train.indices.astype(np.int32),
        )
        n, records = self.matrix.frequencies, len(self.kept)
        self._seen = n > 0
        self._test = matrix.presence[np.sort(tested)][:, self._seen]
        self._alone = ((n + 0.5) / (records + 1))[self._seen]
        self._by_chance = _log_probability(self._test, self._alone)

    def gain(
        self, kernels: NDArray[np.intp], settings: ThemeSettings, similarity: Floats | None = None
    ) -> float:
        """Find a theme in nine tenths, and measure its information about the rest.

        Parameters
        ----------
        kernels : ndarray of int, shape (kernels,)
            Rows of the whole matrix.
        settings : ThemeSettings
        similarity : ndarray of float64, shape (records,), optional
            As for `find_theme`, of the whole matrix.

        Returns
        -------
        float
            The mean, over the held-out records, of ln Pr(its terms | the theme, or off it) -
            ln Pr(its terms | the share of all records that have each): nats a record. Above 0 the
            theme occurs in other records too. Terms that no other record has do not count. The
            search whose scores go into P covers all records. 0 if all records are kernels.
        """
        rows = np.searchsorted(self.kept, kernels)
        seen = None if similarity is None else similarity[self.kept]
        theme = find_theme(self.matrix, rows, settings, seen)
        model, size = theme.model, float(theme.on.mean())
        lam, db = model.lam[self._seen], model.db[self._seen]
        both = []
        for prior, specific in ((size, model.p), (1 - size, model.q)):
            share = lam * db + (1 - lam) * specific[self._seen]
            share = (1 - _MIXED) * share + _MIXED * self._alone
            both.append(np.log(max(prior, 1e-300)) + _log_probability(self._test, share))
        gains = np.logaddexp(*both) - self._by_chance
        return float(gains.mean()) if len(gains) else 0.0


def _log_probability(presence: Sparse, share: Floats) -> Floats:
    """Return ln of the probability of each record's terms, assumed to be independent."""
    absent = np.log1p(-share)
    logs: Floats = presence @ (np.log(share) - absent) + absent.sum()
    return logs
