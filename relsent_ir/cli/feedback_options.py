"""The flags of feedback and SMART weighting."""

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any, Final, TypeVar

import click
from click.core import ParameterSource

from relsent_ir.errors import UsageError

F = TypeVar("F", bound=Callable[..., Any])

NEGATIVE: Final = 0.15  # Pyserini's gamma with --rocchio-use-negative

_NEEDS: Final = {
    **dict.fromkeys(
        ("fb_terms", "fb_docs", "argumentative", "related", "explain"), ("rocchio", "rm3")
    ),
    "original_query_weight": ("rm3",),
    **dict.fromkeys(
        (
            *("alpha", "beta", "gamma", "rocchio_use_negative", "bottom_fb_terms"),
            *("bottom_fb_docs", "fb_weighting", "fb_doc_weights", "fb_max_df", "unscaled"),
        ),
        ("rocchio",),
    ),
    "soft": ("argumentative",),
    "fb_sentences": ("related",),
    **dict.fromkeys(("slope", "pivot", "candidates"), ("smart",)),
}
"""Flags that mean something beside one of others only."""


@dataclass(frozen=True)
class FeedbackFlags:
    """What the flags of `feedback_options` were given.

    Attributes
    ----------
    given : frozenset of str
        Those that are on the command line; the others have their defaults.
    """

    rm3: bool
    rocchio: bool
    rocchio_use_negative: bool
    fb_terms: int
    fb_docs: int
    original_query_weight: float
    alpha: float
    beta: float
    gamma: float
    bottom_fb_terms: int
    bottom_fb_docs: int
    fb_weighting: str
    fb_doc_weights: str
    fb_max_df: float
    unscaled: bool
    argumentative: str | None
    soft: bool
    related: str | None
    fb_sentences: int
    smart: str | None
    slope: float
    pivot: float | None
    candidates: int | None
    explain: bool
    given: frozenset[str] = frozenset()

    @classmethod
    def take(cls, flags: dict[str, Any]) -> "FeedbackFlags":
        """Take our flags out of a command's."""
        context = click.get_current_context()
        ours = {f.name: flags.pop(f.name) for f in fields(cls) if f.name in flags}
        line = ParameterSource.COMMANDLINE
        given = frozenset(name for name in ours if context.get_parameter_source(name) is line)
        if ours["rocchio_use_negative"] and "gamma" not in given:
            ours["gamma"] = NEGATIVE
        return cls(**ours, given=given)

    @property
    def expands(self) -> bool:
        """Whether topics are expanded."""
        return self.rm3 or self.rocchio

    def check(self, *, fields: bool, unit: str) -> None:
        """See that flags go together.

        Raises
        ------
        UsageError
            If they do not.
        """
        for one, other in (("rm3", "rocchio"), ("argumentative", "related")):
            if getattr(self, one) and getattr(self, other):
                raise UsageError(f"{_flag(one)} and {_flag(other)} exclude each other")
        for name, needed in _NEEDS.items():
            if name in self.given and not any(getattr(self, other) for other in needed):
                raise UsageError(f"{_flag(name)} needs {' or '.join(map(_flag, needed))}")
        for name in ("argumentative", "related"):
            if getattr(self, name) and unit != "abstracts":
                raise UsageError(f"{_flag(name)} needs --unit abstracts")
        for name in ("rm3", "rocchio", "smart"):
            if getattr(self, name) and fields:
                raise UsageError(
                    f"{_flag(name)} works in `contents` only", fix="leave out --fields"
                )
        if self.candidates and self.expands:
            raise UsageError("--candidates needs --smart without --rocchio and --rm3")


def _flag(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def feedback_options(function: F) -> F:
    """``--rm3``, ``--rocchio`` and what goes with them; ``--smart``."""
    for option in reversed(_OPTIONS):
        function = option(function)
    return function


_OPTIONS = (
    click.option("--rm3", is_flag=True, help="Expand topics with Anserini's RM3."),
    click.option("--rocchio", is_flag=True, help="Expand topics by Rocchio's feedback."),
    click.option(
        "--rocchio-use-negative", is_flag=True, help="Rocchio: gamma is 0.15, if not given."
    ),
    click.option(
        "--fb-terms", type=int, default=10, show_default=True, help="Terms that feedback adds."
    ),
    click.option(
        "--fb-docs", type=int, default=10, show_default=True, help="Documents that it reads."
    ),
    click.option(
        "--original-query-weight", type=float, default=0.5, show_default=True, help="RM3's."
    ),
    click.option(
        "--alpha",
        "--rocchio.alpha",
        type=float,
        default=1.0,
        show_default=True,
        help="Rocchio: the topic's weight.",
    ),
    click.option(
        "--beta",
        "--rocchio.beta",
        type=float,
        default=0.75,
        show_default=True,
        help="Rocchio: the first documents' weight.",
    ),
    click.option(
        "--gamma",
        "--rocchio.gamma",
        type=float,
        default=0.0,
        show_default=True,
        help="Rocchio: the last hits' weight.",
    ),
    click.option(
        "--bottom-fb-terms", type=int, default=10, show_default=True, help="Terms of the last hits."
    ),
    click.option(
        "--bottom-fb-docs", type=int, default=10, show_default=True, help="How many last hits."
    ),
    click.option(
        "--fb-weighting",
        default="tf",
        show_default=True,
        metavar="tf|bm25|ltn...",
        help="Rocchio: how terms weigh in documents; a SMART triple or bm25.",
    ),
    click.option(
        "--fb-doc-weights",
        type=click.Choice(["uniform", "rank", "score"]),
        default="uniform",
        show_default=True,
        help="Rocchio: how documents weigh.",
    ),
    click.option(
        "--fb-max-df",
        type=float,
        default=0.1,
        show_default=True,
        metavar="SHARE",
        help="Rocchio: no terms that are in a greater share of the documents.",
    ),
    click.option(
        "--unscaled", is_flag=True, help="Rocchio: vectors keep their lengths, as in Ruch 2006."
    ),
    click.option(
        "--argumentative",
        metavar="MOVE[=W],...",
        help="Feedback from sentences with these moves; also TITLE and DOCUMENT.",
    ),
    click.option("--soft", is_flag=True, help="Weigh sentences by their move's score."),
    click.option(
        "--related", metavar="MODEL|FORMULA", help="Feedback from sentences related to the topic."
    ),
    click.option(
        "--fb-sentences", type=int, default=20, show_default=True, help="How many related ones."
    ),
    click.option("--smart", metavar="DDD.QQQ", help="Rank by SMART weights, as ltc.atn."),
    click.option("--slope", type=float, default=0.14, show_default=True, help="SMART's letter u."),
    click.option("--pivot", type=float, help="SMART's letter u.  [default: mean distinct terms]"),
    click.option(
        "--candidates",
        type=click.IntRange(1),
        metavar="N",
        help="Order the first N hits of BM25 by --smart.  [default: exact, all]",
    ),
    click.option("--explain", is_flag=True, help="Show the expanded topics."),
)
