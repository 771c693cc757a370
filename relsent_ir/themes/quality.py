"""How well themes' terms go together, and how different they are, as topic models are measured.

References
----------
G. Bouma. Normalized (pointwise) mutual information in collocation extraction. GSCL 2009.
J. H. Lau, D. Newman, T. Baldwin. Machine reading tea leaves: automatically evaluating topic
coherence and topic model quality. EACL 2014.
A. B. Dieng, F. J. R. Ruiz, D. M. Blei. Topic modeling in embedding spaces. TACL 8, 2020: topic
diversity.
"""

from collections.abc import Sequence

import numpy as np

from relsent_ir.themes.matrix import PresenceMatrix


def coherence(matrix: PresenceMatrix, terms: Sequence[str]) -> float | None:
    """Give the mean NPMI of all pairs of terms, over the records of the collection.

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
    """Give the share of different ones among the terms of some themes; 1 if none has any."""
    terms = [term for theme in themes for term in theme]
    return len(set(terms)) / len(terms) if terms else 1.0
