"""The parameters of themes: the paper's, and our additions."""

from dataclasses import dataclass
from typing import Final

from relsent_ir.errors import UsageError

LARGEST: Final = 1e9
"""Bound of the numbers; beyond it results overflow."""

KERNELS: Final = ("share", "common", "union")
"""Ways to join several kernels in one theme."""


@dataclass(frozen=True)
class ThemeSettings:
    """The parameters of finding a theme. The defaults are the paper's where it states one.

    Attributes
    ----------
    prior : float
        P, the probability that any record is on theme.
    rare : float
        Terms in less than this share of the records are rare.
    few : int
        Terms in fewer records than this are rare however small the collection is: else a collection
        of less than 2,000 records has no rare terms, since terms of a single record are dropped.
    max_iterations : int
        The most iterations.
    kernel_weight : float
        Ours: above 0 the kernel stays on theme, and counts as so many records.
    size : float
        Ours: above 0, each iteration sets P so that this number of records is expected on theme.
    sharpness : float
        Ours: a factor of the evidence of a record's terms in its log-odds, since terms are not
        independent.
    similarity : float
        Ours: P of a record grows with its score by Rocchio's feedback from the kernel; this is
        added to the log-odds of a record that scores as the kernel itself does.
    kernels : {"share", "common", "union"}
        The terms of several kernels: each by the share of the kernels that have it, those that all
        have, or those of any. For "common" the score for P uses common terms alone, else all.
    """

    prior: float = 0.001
    rare: float = 0.001
    few: int = 3
    max_iterations: int = 100
    kernel_weight: float = 0.0
    size: float = 0.0
    sharpness: float = 1.0
    similarity: float = 0.0
    kernels: str = "share"

    def __post_init__(self) -> None:
        if not 0 < self.prior < 1:
            raise UsageError(f"prior {self.prior}", fix="above 0 and under 1")
        numbers = ("rare", "few", "kernel_weight", "size", "sharpness", "similarity")
        for name in numbers:
            if not 0 <= getattr(self, name) <= LARGEST:
                raise UsageError(f"{name} {getattr(self, name)}", fix=f"0 to {LARGEST:g}")
        if self.kernels not in KERNELS:
            raise UsageError(f"kernels {self.kernels!r}", fix=f"one of {', '.join(KERNELS)}")
        if self.max_iterations < 1:
            raise UsageError(f"max_iterations {self.max_iterations}", fix="at least 1")

    @property
    def published(self) -> bool:
        """Whether no setting of ours is on, so that each iteration raises the likelihood."""
        ours = (self.kernel_weight, self.size, self.sharpness, self.similarity)
        return ours == (0, 0, 1, 0)


IMPROVED: Final = ThemeSettings(few=0, kernel_weight=10, size=10, sharpness=0.3, similarity=100)
"""Ours, chosen on the development half of docs/results/shatkay-wilbur-2000.md."""

IMPROVED_FIELDS: Final = ("title", "abstract", "mesh", "chemicals")
"""Fields from which our settings take terms: the same as BM25's."""
