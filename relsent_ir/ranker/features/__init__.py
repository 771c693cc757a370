"""Features of a candidate for a topic, in groups; a group a file."""

from collections.abc import Sequence
from typing import Final

from relsent_ir.ranker.candidates import Candidates
from relsent_ir.ranker.features import (
    feedback,
    first_stage,
    mesh,
    moves,
    neighbours,
    record,
    references,
    related,
    sentences,
    titles,
)
from relsent_ir.ranker.features.group import Group
from relsent_ir.ranker.features.runs import PREFIX, run_group

GROUPS: Final = {
    one.GROUP.name: one.GROUP
    for one in (
        first_stage,
        feedback,
        titles,
        sentences,
        moves,
        neighbours,
        references,
        mesh,
        record,
        related,
    )
}
OPTIONAL: Final = ("references", "mesh", "titles", "moves", "related")
"""What an index may lack; runs from elsewhere may be missing too."""


def group(name: str) -> Group:
    """Give a group by its name; ``run:NAME`` is that of a run."""
    return run_group(name.removeprefix(PREFIX)) if name.startswith(PREFIX) else GROUPS[name]


def optional(name: str) -> bool:
    """Whether a group may be missing."""
    return name in OPTIONAL or name.startswith(PREFIX)


def has(candidates: Candidates, name: str) -> bool:
    """Whether a group can be computed for candidates."""
    if name.startswith(PREFIX):
        return name.removeprefix(PREFIX) in candidates.runs
    if name == "related":
        return candidates.related is not None
    store = candidates.store
    return all(
        need in store.counts or (need == "moves" and store.tagged) for need in group(name).needs
    )


def names_of(groups: Sequence[str]) -> list[str]:
    """The features of groups, in their order."""
    return [feature for name in groups for feature in group(name).features]
