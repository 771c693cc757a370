"""``relsent-ir related``: sentences that say something closely related."""

from pathlib import Path

import click

from relsent_ir.cli import related_match
from relsent_ir.cli.console import print_json, progress
from relsent_ir.cli.options import heap_option, index_option, json_option


class WithDefault(click.Group):
    """A verb that needs no sub-word: arguments that begin with an option go to `default`."""

    default = "match"

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put the default sub-word before arguments that name none."""
        option = not args or args[0].startswith("-")
        if option and args[:1] not in ([name] for name in self.get_help_option_names(ctx)):
            args = [self.default, *args]
        return super().parse_args(ctx, args)


@click.group(cls=WithDefault)
def command() -> None:
    """Related sentences."""


command.add_command(related_match.command, "match")


@command.command()
@index_option
@click.option(
    "--model", required=True, metavar="MODEL|FORMULA", help="A trained model, or a formula's name."
)
@click.option(
    "--pairs",
    type=click.IntRange(1),
    default=20_000,
    show_default=True,
    metavar="N",
    help="Related pairs to test on, with as many unrelated.",
)
@click.option("--seed", type=int, default=0, show_default=True)
@click.option(
    "--content-share",
    type=click.FloatRange(0, 1, min_open=True),
    metavar="X",
    help="As in training.  [default: the model's; 0.5 for a formula]",
)
@heap_option
@json_option
def evaluate(
    index: Path,
    model: str,
    pairs: int,
    seed: int,
    content_share: float | None,
    as_json: bool,
) -> None:
    """Measure the break-even of a model on records that it has not seen.

    Of pairs of neighbouring sentences and as many of different records, the share of neighbours
    among the half that scores highest, in percent.
    """
    from relsent_ir.lucene.index import Index
    from relsent_ir.related.testing import evaluate_model

    with Index(index) as opened, progress("Reading", "records") as tick:
        measured = evaluate_model(
            opened, model, pairs=pairs, seed=seed, content_share=content_share, progress=tick
        )
    if as_json:
        print_json(measured)
    else:
        click.echo(f"BE {measured['be']:.2f} % on {measured['pairs']} related pairs")
