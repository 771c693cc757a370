"""``relsent-ir train relations``: a ranker of sentences that relate two entities."""

from pathlib import Path

import click

from relsent_ir.cli.console import print_json, progress
from relsent_ir.cli.options import json_option, model_output_option
from relsent_ir.cli.train_tagger import file_facts

CORPUS = ("relations", "bionlp-st-2011-ge.tar.gz")


@click.command()
@click.option(
    "--input",
    "source",
    type=click.Path(path_type=Path),
    metavar="JSONL",
    help="Graded candidates.  [default: the training part of BioNLP-ST 2011 GE]",
)
@click.option(
    "--features",
    "kind",
    type=click.Choice(["lexical", "paper"]),
    default="lexical",
    show_default=True,
    help="The paper's features alone, or words and paths too.",
)
@click.option("--no-simplify", is_flag=True, help="Take the sentences as they are.")
@model_output_option
@json_option
def command(source: Path | None, kind: str, no_simplify: bool, output: Path, as_json: bool) -> None:
    """Learn which sentences state a relation clearly, from graded ones.

    Without --input, from relations/bionlp-st-2011-ge.tar.gz below the folder that the environment
    variable RELSENT_DATA names.
    """
    from relsent_ir.experiments.page import data_path
    from relsent_ir.models import check_target, save
    from relsent_ir.relations import Ranker, Settings, read_candidates
    from relsent_ir.relations.bionlp import read_corpus
    from relsent_ir.text.parsing import default_parser, fingerprint

    check_target(output)
    path = source or data_path(*CORPUS)
    candidates = (
        list(read_candidates(path, graded=True)) if source else list(read_corpus(path, "train"))
    )
    parser = default_parser()
    with progress("Training", "sentences") as tick:
        ranker = Ranker.train(candidates, parser, Settings(kind, not no_simplify), tick, path)
    groups = len({candidate.group for candidate in candidates})
    counts = {"candidates": len(candidates), "groups": groups, "weights": len(ranker.weights)}
    flags = f" --features {kind}{' --no-simplify' if no_simplify else ''}"
    named = f" --input {path.name}" if source else ""
    facts = {
        "command": f"relsent-ir train relations{named}{flags}",
        "data": {**file_facts(path), **counts},
        "parser": fingerprint(parser),
    }
    save(output, ranker, facts)
    if as_json:
        print_json({"output": str(output), "features": kind, **counts})
        return
    click.echo(
        f"{output}: {len(ranker.weights)} weights from {len(candidates)} candidates "
        f"in {groups} groups"
    )
