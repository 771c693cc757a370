"""``relsent-ir train tagger`` and ``train chunker``: learned from a treebank."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from relsent_ir.cli.console import print_json
from relsent_ir.cli.options import json_option, model_output_option

if TYPE_CHECKING:
    from relsent_ir.text.parsing import Chunker, Tagger
    from relsent_ir.text.treebank import TreeSentence

TREEBANK = ("genia", "train.pos_basenp.tsv.gz")


def file_facts(path: Path) -> dict[str, str]:
    """Say which file a model was made of."""
    from relsent_ir.files import sha256

    return {"file": path.name, "sha256": sha256(path)}


@click.command()
@click.option(
    "--input",
    "source",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="A treebank: token, tag and chunk a line.  [default: GENIA's training part]",
)
@model_output_option
@click.option(
    "--test",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="A treebank to measure the model on.",
)
@json_option
@click.pass_context
def command(
    context: click.Context, source: Path | None, output: Path, test: Path | None, as_json: bool
) -> None:
    """Learn from the sentences of a treebank.

    Without --input, from genia/train.pos_basenp.tsv.gz below the folder that the environment
    variable RELSENT_DATA names.
    """
    from relsent_ir.datasets.catalogue import data_path
    from relsent_ir.models import check_target, save
    from relsent_ir.text.parsing import Chunker, Tagger
    from relsent_ir.text.treebank import read_treebank

    check_target(output)
    kind = context.info_name or "tagger"
    path = source or data_path(*TREEBANK)
    sentences = list(read_treebank(path))
    held = list(read_treebank(test)) if test else []
    model = (Tagger if kind == "tagger" else Chunker).train(sentences)
    tokens = sum(len(sentence.words) for sentence in sentences)
    data = {**file_facts(path), "sentences": len(sentences)}
    facts: dict[str, object] = {
        "command": f"relsent-ir train {kind} --input {path.name}",
        "data": data,
    }
    scores = _measure(model, held) if held else {}
    if test:
        facts |= {"test": {**file_facts(test), **scores}}
    save(output, model, facts)
    if as_json:
        print_json({"output": str(output), "model": kind, "tokens": tokens, **data, **scores})
        return
    click.echo(f"{output}: {kind} from {len(sentences)} sentences, {tokens} tokens")
    for name, value in scores.items():
        click.echo(f"{name} {value:.4f}")


def _measure(model: "Tagger | Chunker", held: "list[TreeSentence]") -> dict[str, float]:
    """Measure a tagger by its tags, and a chunker from the treebank's tags."""
    from relsent_ir.text.parsing import Tagger
    from relsent_ir.text.treebank import base_phrases, right_tags

    words = [sentence.words for sentence in held]
    if isinstance(model, Tagger):
        return {"accuracy": right_tags(held, model.tag(words))}
    chunks = model.chunk(words, [sentence.tags for sentence in held])
    return dict(zip(("precision", "recall", "f1"), base_phrases(held, chunks), strict=True))
