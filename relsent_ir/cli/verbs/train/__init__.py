"""``relsent-ir train``: models learned from a collection."""

import click

from relsent_ir.cli import options
from relsent_ir.cli.verbs.train.rankers import ranker, related
from relsent_ir.cli.verbs.train.sentences import moves


@click.group(cls=options.Group)
def command() -> None:
    """Train a model."""


for _verb in (related, moves, ranker):
    command.add_command(_verb)
