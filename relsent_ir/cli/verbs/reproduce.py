"""``relsent-ir reproduce``: tells where the experiments are."""

import click

from relsent_ir.errors import UsageError

ANYWHERE = {"ignore_unknown_options": True, "allow_extra_args": True}


@click.command(context_settings=ANYWHERE)
@click.argument("name", required=False)
def command(name: str | None) -> None:
    """Tell where the experiments are: beside the package, in its repository."""
    raise UsageError(
        "the papers' experiments are no part of the package",
        fix=f"in its repository: python -m reproduce {name or 'NAME'}",
    )
