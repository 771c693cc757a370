"""The parameters of themes: the paper's, and ours beyond it."""

from dataclasses import dataclass
from typing import Final

from relsent_ir.errors import UsageError

SIMILARITIES: Final = ("rocchio", "bm25")
"""Methods whose scores for the kernel may go into P."""

LARGEST: Final = 1e9
STEEPEST: Final = 10
"""Of the lengths' exponent; beyond these there are no numbers for what comes of it."""

KERNELS: Final = ("share", "common", "union")
"""How several kernels make one theme."""


@dataclass(frozen=True)
class ThemeSettings:
    """How a theme is found. The defaults are the paper's, where it gives one.

    Attributes
    ----------
    prior : float
        P, the probability of any record to be on theme.
    kernel_p : float
        The start of p for the kernel's terms (the paper: "large").
    absent_p : float
        The start of p for frequent terms that the kernel lacks.
    rare : float
        Terms in less than this share of the records are rare.
    few : int
        Terms in fewer records than this are rare however small the collection is: else none of one
        with less than 2,000 records would be, since terms of a single record are dropped.
    rare_lambda, common_lambda : float
        The start of λ for the kernel's rare terms, and for all others.
    tolerance : float
        The EM ends when ln of the likelihood grows by less than this share of itself; where
        something of ours is on, when Pr(Z=1|d) changes by less than a thousandth of its sum.
    max_iterations : int
        It ends here at the latest.
    literal : bool
        Take γ as the paper prints it, and not the exact posterior.
    kernel_weight : float
        Ours: above 0 the kernel stays on theme, and counts as so many records.
    size : float or None
        Ours: above 0, P is set again in each iteration so that so many records are expected on
        theme. If None, ten are, and `relsent_ir.themes.sizes` says by the collection's size alone
        how many are on theme for people.
    sharpness : float
        Ours: what a record's terms add to its log-odds is multiplied by it, since terms are not
        independent.
    length : float
        Ours: it is also multiplied by (mean number of terms / the record's) to this power.
    similarity : float
        Ours: P of a record grows with its score for the kernel; so much is added to its log-odds if
        it scores as the kernel itself does.
    similarity_by : {"rocchio", "bm25"}
        Whose score: BM25's for all terms of the kernel, or that of Rocchio's feedback from it.
    kernels : {"share", "common", "union"}
        The terms of several kernels: each by the share of the kernels that have it, those that all
        have, or those of any. The score that goes into P is for common ones alone, else for all.
    """

    prior: float = 0.001
    kernel_p: float = 0.9
    absent_p: float = 1e-100
    rare: float = 0.001
    few: int = 3
    rare_lambda: float = 0.002
    common_lambda: float = 0.8
    tolerance: float = 1e-6
    max_iterations: int = 100
    literal: bool = False
    kernel_weight: float = 0.0
    size: float | None = 0.0
    sharpness: float = 1.0
    length: float = 0.0
    similarity: float = 0.0
    similarity_by: str = "rocchio"
    kernels: str = "share"

    def __post_init__(self) -> None:
        for name in ("prior", "kernel_p", "absent_p", "rare_lambda", "common_lambda"):
            if not 0 < getattr(self, name) < 1:
                raise UsageError(f"{name} {getattr(self, name)}", fix="above 0 and under 1")
        for name in (
            "rare",
            "few",
            "tolerance",
            "kernel_weight",
            "size",
            "sharpness",
            "similarity",
        ):
            if not 0 <= (getattr(self, name) or 0) <= LARGEST:
                raise UsageError(f"{name} {getattr(self, name)}", fix=f"0 to {LARGEST:g}")
        for name, known in (("similarity_by", SIMILARITIES), ("kernels", KERNELS)):
            if getattr(self, name) not in known:
                raise UsageError(
                    f"{name} {getattr(self, name)!r}", fix=f"one of {', '.join(known)}"
                )
        if self.max_iterations < 1:
            raise UsageError(f"max_iterations {self.max_iterations}", fix="at least 1")
        if not abs(self.length) <= STEEPEST:
            raise UsageError(f"length {self.length}", fix=f"-{STEEPEST} to {STEEPEST}")

    @property
    def published(self) -> bool:
        """Whether nothing of ours is on, so that each iteration raises the likelihood."""
        ours = (self.kernel_weight, self.size, self.sharpness, self.length, self.similarity)
        return ours == (0, 0, 1, 0, 0)


IMPROVED: Final = ThemeSettings(few=0, kernel_weight=10, size=None, sharpness=0.3, similarity=100)
"""Ours, chosen on the development half of docs/results/shatkay-wilbur-2000.md."""

IMPROVED_FIELDS: Final = ("title", "abstract", "mesh", "chemicals")
"""Where ours reads terms: what BM25 reads too."""
