"""One measure as it was asked for."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

Own: TypeAlias = Callable[[Sequence[str], Mapping[str, int], int], float]
"""A measure beside trec_eval's: takes the ids of a topic's hits, in their order, the topic's grades
by id, and the lowest grade that counts as relevant."""


@dataclass(frozen=True, slots=True)
class Measure:
    """What is measured, and under which name it is printed.

    Attributes
    ----------
    name : str
        As it was asked for, or as trec_eval prints it.
    base, parameter : str
        trec_eval's measure, and its parameter as trec_eval prints it; "" for none.
    own : callable, optional
        In the place of trec_eval's.
    level : int, optional
        The lowest grade that counts as relevant; None for that of the evaluation.
    depth : int, optional
        How many hits of a topic are looked at; None for all.
    """

    name: str
    base: str = ""
    parameter: str = ""
    own: Own | None = None
    level: int | None = None
    depth: int | None = None

    @property
    def trec(self) -> str:
        """The name by which trec_eval prints it."""
        return f"{self.base}_{self.parameter}" if self.parameter else self.base

    @property
    def is_count(self) -> bool:
        """Whether it is summed up over topics."""
        return self.base.startswith("num_")

    @property
    def has_topics(self) -> bool:
        """Whether it says something about a single topic."""
        return self.base != "num_q" and not self.base.startswith("gm_")
