"""``relsent-ir train``: models learned from a collection."""

import click

from relsent_ir.cli import (
    train_answers,
    train_citations,
    train_moves,
    train_ranker,
    train_related,
    train_relations,
    train_statements,
    train_tagger,
)


@click.group()
def command() -> None:
    """Train a model."""


command.add_command(train_related.command, "related")
command.add_command(train_moves.command, "moves")
command.add_command(train_answers.command, "answers")
command.add_command(train_citations.command, "citations")
command.add_command(train_relations.command, "relations")
command.add_command(train_statements.command, "statements")
command.add_command(train_ranker.command, "ranker")
command.add_command(train_tagger.command, "tagger")
command.add_command(train_tagger.command, "chunker")
