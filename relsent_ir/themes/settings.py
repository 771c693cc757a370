"""The parameters of themes: the paper's, and our additions."""

from dataclasses import dataclass
from typing import Final

from relsent_ir.errors import UsageError

SIMILARITIES: Final = ("rocchio", "bm25")
"""Methods whose scores for the kernel may contribute to P."""

LARGEST: Final = 1e9
STEEPEST: Final = 10
"""Bound of the lengths' exponent; beyond these bounds results overflow."""

KERNELS: Final = ("share", "common", "union")
"""Ways to join several kernels in one theme."""


@dataclass(frozen=True)
class ThemeSettings:
    """The parameters of finding a theme. The defaults are the paper's where it states one.

    Attributes
    ----------
    prior : float
        P, the probability that any record is on theme.
    kernel_p : float
        The start of p for the kernel's terms (the paper: "large").
    absent_p : float
        The start of p for frequent terms that the kernel lacks.
    rare : float
        Terms in less than this share of the records are rare.
    few : int
        Terms in fewer records than this are rare however small the collection is: else a collection
        of less than 2,000 records has no rare terms, since terms of a single record are dropped.
    rare_lambda, common_lambda : float
        The start of λ for the kernel's rare terms, and for all others.
    tolerance : float
        The EM ends when ln of the likelihood grows by less than this share of itself; with settings
        of ours, when Pr(Z=1|d) changes by less than a thousandth of its sum.
    max_iterations : int
        The most iterations.
    literal : bool
        Use γ as the paper prints it instead of the exact posterior.
    kernel_weight : float
        Ours: above 0 the kernel stays on theme, and counts as so many records.
    size : float or None
        Ours: above 0, each iteration sets P so that this number of records is expected on theme. If
        None, it is ten, and `relsent_ir.themes.sizes` derives from the collection's size alone the
        number that people call on theme.
    sharpness : float
        Ours: a factor of the evidence of a record's terms in its log-odds, since terms are not
        independent.
    length : float
        Ours: a further factor of the evidence, (mean number of terms / the record's) to this power.
    similarity : float
        Ours: P of a record grows with its score for the kernel; this is added to the log-odds of a
        record that scores as the kernel itself does.
    similarity_by : {"rocchio", "bm25"}
        The score: BM25's for all terms of the kernel, or that of Rocchio's feedback from it.
    kernels : {"share", "common", "union"}
        The terms of several kernels: each by the share of the kernels that have it, those that all
        have, or those of any. For "common" the score for P uses common terms alone, else all.
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
        numbers = ("rare", "few", "tolerance", "kernel_weight", "size", "sharpness", "similarity")
        for name in numbers:
            if not 0 <= (getattr(self, name) or 0) <= LARGEST:
                raise UsageError(f"{name} {getattr(self, name)}", fix=f"0 to {LARGEST:g}")
        for name, choices in (("similarity_by", SIMILARITIES), ("kernels", KERNELS)):
            value = getattr(self, name)
            if value not in choices:
                raise UsageError(f"{name} {value!r}", fix=f"one of {', '.join(choices)}")
        if self.max_iterations < 1:
            raise UsageError(f"max_iterations {self.max_iterations}", fix="at least 1")
        if not abs(self.length) <= STEEPEST:
            raise UsageError(f"length {self.length}", fix=f"-{STEEPEST} to {STEEPEST}")

    @property
    def published(self) -> bool:
        """Whether no setting of ours is on, so that each iteration raises the likelihood."""
        ours = (self.kernel_weight, self.size, self.sharpness, self.length, self.similarity)
        return ours == (0, 0, 1, 0, 0)


IMPROVED: Final = ThemeSettings(few=0, kernel_weight=10, size=None, sharpness=0.3, similarity=100)
"""Ours, chosen on the development half of docs/results/shatkay-wilbur-2000.md."""

IMPROVED_FIELDS: Final = ("title", "abstract", "mesh", "chemicals")
"""Fields from which our settings take terms: the same as BM25's."""
