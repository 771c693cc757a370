"""``--boost MOVE=K,…`` as several verbs take it."""

import click

from relsent_ir.cli.options import F
from relsent_ir.errors import UsageError


def boost_options(function: F) -> F:
    """``--boost`` and ``--boost-form``."""
    function = click.option(
        "--boost-form",
        type=click.Choice(["sum", "product"]),
        default="sum",
        show_default=True,
        help="Weights times 1 + K times the move's score, or times K times the score.",
    )(function)
    return click.option(
        "--boost",
        metavar="MOVE=K,...",
        help="Boost terms by the moves of the sentences that they are in.",
    )(function)


def read_boost(text: str | None) -> dict[str, float]:
    """Read ``PURPOSE=0.6,CONCLUSION=0.5``; without any, {}.

    Raises
    ------
    UsageError
        If a part is no move with a number, or a move is there twice.
    """
    from relsent_ir.citation.boost import check_factors

    factors: dict[str, float] = {}
    for part in text.split(",") if text is not None else ():
        name, _, value = part.partition("=")
        move = name.strip().upper()
        try:
            factor = float(value)
        except ValueError:
            raise UsageError(
                f"cannot read --boost {part}", fix="write PURPOSE=0.6,CONCLUSION=0.5"
            ) from None
        if move in factors:
            raise UsageError(f"--boost has {move} twice")
        factors[move] = factor
    check_factors(factors)
    return factors
