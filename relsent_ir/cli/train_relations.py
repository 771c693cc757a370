"""``relsent-ir train relations``: a ranker of sentences that relate two entities."""

from pathlib import Path

import click

from relsent_ir.cli.console import print_json, progress
from relsent_ir.cli.options import Finite, json_option, model_output_option
from relsent_ir.cli.train_tagger import file_facts
from relsent_ir.errors import UsageError


@click.command()
@click.option(
    "--input",
    "sources",
    type=click.Path(path_type=Path),
    multiple=True,
    metavar="JSONL",
    help="Graded candidates, a corpus a file; may be given again.",
)
@click.option(
    "--corpus",
    "corpora",
    type=click.Choice(["ge", "ddi"]),
    multiple=True,
    help="A corpus of RELSENT_DATA: events (BioNLP-ST 2011 GE), drug interactions (DDI 2013); may "
    "be given again.  [default, without --input: both]",
)
@click.option(
    "--share",
    "shares",
    type=Finite(0, min_open=True),
    multiple=True,
    metavar="X",
    help="What each weighs, --corpus before --input.  [default: ge 1, ddi 0.35; else the number of "
    "its preferences to the power of 0.25]",
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
def command(
    sources: tuple[Path, ...],
    corpora: tuple[str, ...],
    shares: tuple[float, ...],
    kind: str,
    no_simplify: bool,
    output: Path,
    as_json: bool,
) -> None:
    """Learn which sentences state a relation clearly, from graded ones.

    Each corpus has weights of its own, which are averaged. Weights of --corpus get the LICENSE that
    its annotations ask for.
    """
    from relsent_ir.datasets.catalogue import data_path
    from relsent_ir.models import check_target, save
    from relsent_ir.relations import Ranker, Settings, read_candidates
    from relsent_ir.relations.corpora import PLACES, SHARES, licence, read_named
    from relsent_ir.text.parsing import default_parser, fingerprint

    if not sources and not corpora:
        corpora = tuple(PLACES)
    weighed: tuple[float, ...] | None = shares or None
    if not sources and not shares:
        weighed = tuple(SHARES[name] for name in corpora)
    if weighed and len(weighed) != len(corpora) + len(sources):
        raise UsageError(f"{len(weighed)} --share for {len(corpora) + len(sources)} corpora")
    check_target(output)
    places = [data_path(*PLACES[name]) for name in corpora]
    known = [list(read_named(*one)) for one in zip(corpora, places, strict=True)]
    known += [list(read_candidates(path, graded=True)) for path in sources]
    paths = [*places, *sources]
    parser = default_parser()
    with progress("Training", "sentences") as tick:
        ranker = Ranker.train(
            known, parser, Settings(kind, not no_simplify), tick, shares=weighed, where=paths[0]
        )
    candidates = [candidate for corpus in known for candidate in corpus]
    groups = len({candidate.group for candidate in candidates})
    weights = len(ranker.learned.weights)
    counts = {"candidates": len(candidates), "groups": groups, "weights": weights}
    named = "".join(f" --corpus {name}" for name in corpora)
    named += "".join(f" --input {path.name}" for path in sources)
    named += "".join(f" --share {share:g}" for share in weighed or ())
    flags = f" --features {kind}{' --no-simplify' if no_simplify else ''}"
    facts = {
        "command": f"relsent-ir train relations{named}{flags}",
        "data": {"files": [file_facts(path) for path in paths], **counts},
        "parser": fingerprint(parser),
    }
    save(output, ranker, facts)
    if text := licence(corpora):
        (output / "LICENSE").write_text(text, encoding="utf-8")
    if as_json:
        print_json({"output": str(output), "features": kind, **counts})
        return
    click.echo(f"{output}: {weights} weights from {len(candidates)} candidates in {groups} groups")
