"""The parameters of ``relsent-ir themes``: the paper's defaults, or ours, each one to be set."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from relsent_ir.cli.options import F, file_option

if TYPE_CHECKING:
    from relsent_ir.themes import Settings, Terms

PARAMETERS: Final[dict[str, tuple[type, str]]] = {
    "prior": (float, "P, any record's probability to be on theme.  [0.001]"),
    "kernel_p": (float, "The start of p for the kernel's terms.  [0.9]"),
    "absent_p": (float, "The start of p for frequent terms it lacks.  [1e-100]"),
    "rare": (float, "Terms in less than this share of the records are rare.  [0.001]"),
    "few": (int, "Terms in fewer records are rare however small the collection.  [3; 0]"),
    "rare_lambda": (float, "The start of λ for the kernel's rare terms.  [0.002]"),
    "common_lambda": (float, "The start of λ for all others.  [0.8]"),
    "tolerance": (float, "The EM ends when ln likelihood grows by less than this share.  [1e-6]"),
    "max_iterations": (int, "It ends here at the latest.  [100; 15]"),
    "kernel_weight": (float, "Ours: the kernel stays on theme, as so many records.  [0; 10]"),
    "size": (float, "Ours: so many records are expected on theme.  [0: P is fixed; 10]"),
    "sharpness": (float, "Ours: factor of what a record's terms say.  [1; 0.3]"),
    "length": (float, "Ours: exponent of mean length / length in that factor.  [0; 0]"),
    "similarity": (float, "Ours: P grows with the score for the kernel.  [0; 100]"),
}
"""Those of `relsent_ir.themes.Settings`: type and help, with the paper's value and ours."""


def parameter_options(function: F) -> F:
    """``--improved``, the parameters of the EM, and those of the terms."""
    options = [
        click.option("--improved/--published", default=True, show_default=True,
                     help="Our settings, the second of two below, or the paper's, the first."),
        *(
            click.option(f"--{name.replace('_', '-')}", name, type=type_, help=text)
            for name, (type_, text) in PARAMETERS.items()
        ),
        click.option("--kernels", type=click.Choice(["share", "common", "union"]),
                     help="The terms of several kernels: each by the share that has it, those "
                     "that all have, those of any.  [share]"),
        click.option("--similarity-by", type=click.Choice(["rocchio", "bm25"]),
                     help="Whose score that is.  [rocchio]"),
        click.option("--literal", is_flag=True, help="γ as the paper prints it."),
        click.option(
            "--fields",
            multiple=True,
            metavar="FIELD...",
            help="Where terms are read: title, abstract, mesh, chemicals.  [the first two; all]",
        ),
        click.option("--min-df", type=click.IntRange(1), default=2, show_default=True,
                     help="Terms in at least so many records."),
        click.option("--max-df", type=float, default=0.1, show_default=True,
                     help="Terms in at most this share of the records."),
        file_option("--stopwords", help="Stop words, instead of scikit-learn's 318."),
    ]  # fmt: skip
    for option in reversed(options):
        function = option(function)
    return function


def read_parameters(
    *,
    improved: bool,
    literal: bool,
    fields: tuple[str, ...],
    min_df: int,
    max_df: float,
    stopwords: Path | None,
    **parameters: Any,
) -> "tuple[Settings, Terms]":
    """Make the settings of what `parameter_options` took."""
    from relsent_ir.text.words import read_stopwords
    from relsent_ir.themes import IMPROVED, IMPROVED_FIELDS, Selection, Settings, Terms

    given = {name: value for name, value in parameters.items() if value is not None}
    settings = replace(IMPROVED if improved else Settings(), literal=literal, **given)
    terms = Terms(
        fields or (IMPROVED_FIELDS if improved else Terms().fields),
        tuple(sorted(set(read_stopwords(stopwords)))) if stopwords else None,
        Selection(min_df, max_df),
    )
    return settings, terms
