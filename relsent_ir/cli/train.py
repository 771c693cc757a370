"""``relsent-ir train``: models learned from a collection."""

import click

from relsent_ir.cli import train_answers, train_moves, train_related


@click.group()
def command() -> None:
    """Train a model."""


command.add_command(train_related.command, "related")
command.add_command(train_moves.command, "moves")
command.add_command(train_answers.command, "answers")
