"""``relsent-ir train statements``: how sentences state relations, from annotated events."""

from pathlib import Path

import click

from relsent_ir.cli.console import print_json, progress
from relsent_ir.cli.options import json_option, model_output_option
from relsent_ir.cli.train_tagger import file_facts


@click.command()
@click.option(
    "--input",
    "source",
    type=click.Path(path_type=Path),
    metavar="TAR",
    help="Events in the shared task's files.  [default: BioNLP-ST 2011 GE]",
)
@click.option("--part", default="train", show_default=True, help="The folder inside it.")
@model_output_option
@json_option
def command(source: Path | None, part: str, output: Path, as_json: bool) -> None:
    """Learn whether a relation is asserted, which way it goes, and which entity acts.

    From events with Negation, Speculation, their types, Theme and Cause.
    """
    from relsent_ir.datasets.catalogue import data_path
    from relsent_ir.errors import InputError
    from relsent_ir.models import check_target, save
    from relsent_ir.relations.bionlp import read_statements
    from relsent_ir.relations.corpora import PLACES, licence
    from relsent_ir.relations.statements import Statements, missing_classes
    from relsent_ir.text.parsing import default_parser, fingerprint

    check_target(output)
    path = source or data_path(*PLACES["ge"])
    stated = list(read_statements(path, part))
    if lacking := missing_classes(stated):
        raise InputError(f"no sentence is {lacking[0]}", where=path)
    parser = default_parser()
    with progress("Training", "sentences") as tick:
        statements = Statements.train(stated, parser, tick)
    named = f" --input {path.name}" if source else ""
    facts = {
        "command": f"relsent-ir train statements{named} --part {part}",
        "data": {**file_facts(path), "sentences": len(stated)},
        "parser": fingerprint(parser),
    }
    save(output, statements, facts)
    if source is None:
        (output / "LICENSE").write_text(licence(["ge"]), encoding="utf-8")
    if as_json:
        print_json({"output": str(output), "sentences": len(stated)})
        return
    click.echo(f"{output}: from {len(stated)} sentences that state a relation")
