"""Ratings and scores of judged matches, drawn (Smith & Wilbur 2010, Figures 1 to 3)."""

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from relsent_ir.drawing import figure
from relsent_ir.related.judging import Named, rated_matches

PARTS: Final = 5
"""Of a method's matches, by score: equal parts, since scores of methods have no common scale."""


def draw_ratings(key: Sequence[Named], judges: Sequence[Mapping[str, int]]) -> bytes:
    """Draw three plots a method, one row each, as SVG.

    How often each mean rating was given (Figure 1), how scores are spread (Figure 2), and in each
    fifth of the matches by score the share of those with each mean rating (Figure 3).

    Parameters
    ----------
    key : sequence of Named
    judges : sequence of mapping of item to rating

    Returns
    -------
    bytes
        The same data give the same bytes.

    Raises
    ------
    MismatchError
        If a rated item is not in the key.
    """
    rated = rated_matches(key, judges)
    grades = sorted({rating for rows in rated.values() for _, rating in rows})
    with figure("ratings", 9.6, 2.6 * len(rated)) as (drawn, file):
        grid = drawn.subplots(len(rated), 3, squeeze=False)
        for axes, (method, rows) in zip(grid, rated.items(), strict=True):
            scores, means = np.array(rows).T
            axes[0].bar([f"{g:g}" for g in grades], [int((means == g).sum()) for g in grades])
            axes[0].set(title=method, xlabel="mean rating", ylabel="matches")
            axes[1].hist(scores, bins=10)
            axes[1].set(xlabel="score", ylabel="matches")
            parts = [part for part in np.array_split(means, PARTS) if len(part)]
            names = [f"{part.mean():.3g}" for part in np.array_split(scores, PARTS) if len(part)]
            below = np.zeros(len(parts))
            for grade in grades:
                share = np.array([float((part == grade).mean()) for part in parts])
                axes[2].bar(range(len(parts)), share, bottom=below, label=f"{grade:g}")
                below += share
            axes[2].set_xticks(range(len(parts)), names)
            axes[2].set(xlabel="mean score of a fifth", ylabel="share of matches")
            axes[2].legend(title="mean rating", fontsize=6, frameon=False)
    return file.getvalue()
