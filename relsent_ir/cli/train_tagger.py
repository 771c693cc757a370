"""``relsent-ir train tagger`` and ``train chunker``: learned from a treebank."""

import hashlib
from pathlib import Path

import click

from relsent_ir.cli.console import print_json
from relsent_ir.cli.options import json_option

TREEBANK = ("genia", "train.pos_basenp.tsv.gz")


def file_facts(path: Path) -> dict[str, str]:
    """Say which file a model was made of."""
    with path.open("rb") as file:
        return {"file": path.name, "sha256": hashlib.file_digest(file, "sha256").hexdigest()}


@click.command()
@click.option(
    "--input",
    "source",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="A treebank: token, tag and chunk a line.  [default: GENIA's training part]",
)
@click.option(
    "--output",
    required=True,
    type=click.Path(path_type=Path),
    metavar="MODEL",
    help="The folder to write.",
)
@json_option
@click.pass_context
def command(context: click.Context, source: Path | None, output: Path, as_json: bool) -> None:
    """Learn from the sentences of a treebank.

    Without --input, from genia/train.pos_basenp.tsv.gz below the folder that the environment
    variable RELSENT_DATA names.
    """
    from relsent_ir.experiments.request import data_path
    from relsent_ir.models import check_target
    from relsent_ir.text.chunker import Chunker
    from relsent_ir.text.parsing import save_parts
    from relsent_ir.text.tagger import Tagger
    from relsent_ir.text.treebank import read_treebank

    check_target(output)
    kind = context.info_name or "tagger"
    path = source or data_path(*TREEBANK)
    sentences = list(read_treebank(path))
    model = (Tagger if kind == "tagger" else Chunker).train(sentences)
    tokens = sum(len(sentence.words) for sentence in sentences)
    data = {**file_facts(path), "sentences": len(sentences)}
    facts = {"command": f"relsent-ir train {kind} --input {path.name}", "data": data}
    save_parts(output, model, facts)
    if as_json:
        print_json({"output": str(output), "model": kind, "tokens": tokens, **data})
        return
    click.echo(f"{output}: {kind} from {len(sentences)} sentences, {tokens} tokens")
