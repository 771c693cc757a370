"""Features of a candidate for a topic, in groups."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from relsent_ir.ranker.candidates import FeatureGroup, TopicCandidates
from relsent_ir.ranker.features import external, likeness, records, text
from relsent_ir.ranker.features.external import PREFIX, run_group
from relsent_ir.ranker.features.likeness import standard
from relsent_ir.typing import Floats

GROUPS: Final = {
    each.name: each
    for each in (
        text.FIRST_STAGE,
        text.FEEDBACK,
        text.TITLES,
        text.SENTENCES,
        likeness.NEIGHBOURS,
        records.REFERENCES,
        records.MESH,
        external.RELATED,
        external.DENSE,
    )
}
OPTIONAL: Final = ("references", "mesh", "titles", "related", "dense")
"""Groups that an index may lack; runs from elsewhere (`PREFIX`) may be missing too."""

EXACT: Final = ("first-stage", "feedback", "sentences", "dense")
"""Groups that tell how likely a candidate is the one record wanted (`relsent_ir.ranker.exact`):
likeness to other hits says nothing about that."""


def group(name: str) -> FeatureGroup:
    """Return a group by its name; ``run:NAME`` is that of a run."""
    return run_group(name.removeprefix(PREFIX)) if name.startswith(PREFIX) else GROUPS[name]


def has(candidates: TopicCandidates, name: str) -> bool:
    """Tell whether a group can be computed for candidates."""
    if name.startswith(PREFIX):
        return name.removeprefix(PREFIX) in candidates.runs
    if name == "related":
        return candidates.related is not None
    if name == "dense":
        return candidates.vectors is not None
    return all(need in candidates.store.counts for need in group(name).needs)


def names_of(groups: Sequence[str]) -> list[str]:
    """Return the features of groups, in their order."""
    return [feature for name in groups for feature in group(name).features]


def available(candidates: TopicCandidates, groups: Sequence[str]) -> list[str]:
    """Return the groups that can be computed for candidates, in their order."""
    return [name for name in groups if has(candidates, name)]


def features(candidates: TopicCandidates, groups: Sequence[str]) -> Floats:
    """Compute groups of features; those that cannot be computed are 0.

    Each feature has mean 0 and standard deviation 1 over the candidates of the topic, and is 0
    where it is the same for all: so topics with long and with short texts weigh alike.

    Returns
    -------
    ndarray of float64, shape (n, features)
        In the order of the groups and of the features in each.
    """
    rows = np.zeros((len(names_of(groups)), len(candidates)))
    at = 0
    for name in groups:
        wanted = group(name)
        values = wanted.compute(candidates) if len(candidates) and has(candidates, name) else {}
        for feature in wanted.features:
            rows[at] = values.get(feature, 0.0)
            at += 1
    return np.ascontiguousarray(standard(rows).T)
