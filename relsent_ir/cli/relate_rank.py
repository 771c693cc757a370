"""``relsent-ir relate``: two entities and an index, or a file of candidates; a ranking out."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from relsent_ir.cli.console import print_json, progress
from relsent_ir.cli.options import heap_option, json_option
from relsent_ir.errors import UsageError

if TYPE_CHECKING:
    from relsent_ir.relations import Ranker

model_option = click.option(
    "--model",
    type=click.Path(path_type=Path),
    metavar="MODEL",
    help="A model's folder.  [default: the one that comes with the package]",
)


def open_model(model: Path | None) -> "Ranker":
    """Read a model; None is the package's."""
    from relsent_ir import models

    ranker: Ranker = models.load(model, "relations")
    return ranker


@click.command()
@click.option(
    "--entity", "entities", multiple=True, metavar="NAME", help="Twice: the two entities."
)
@click.option("--index", type=click.Path(path_type=Path), metavar="DIR", help="Where to look.")
@click.option(
    "--input",
    "source",
    type=click.Path(path_type=Path),
    metavar="JSONL",
    help="Or candidates.",
)
@model_option
@click.option("--output", type=click.Path(path_type=Path), metavar="RUN", help="The run to write.")
@click.option(
    "--hits", type=click.IntRange(1), help="Per group.  [default: 10 of an index; all of a file]"
)
@click.option("--literal", is_flag=True, help="No abbreviations and variants of the names.")
@click.option("--runtag", default="relsent-ir", show_default=True)
@heap_option
@json_option
def command(
    entities: tuple[str, ...],
    index: Path | None,
    source: Path | None,
    model: Path | None,
    output: Path | None,
    hits: int | None,
    literal: bool,
    runtag: str,
    as_json: bool,
) -> None:
    """Rank the sentences that mention two entities by how clearly they relate them.

    Either --entity A --entity B --index DIR: the sentences come from the index; each is shown with
    the pattern that it matches, if any, and the simplified form that matches it. Or --input JSONL
    --output RUN: the topics of the run are the groups. A sentence with several mentions counts by
    its best ones.
    """
    if source is not None:
        if entities or index is not None or literal:
            raise UsageError("--input excludes --entity, --index and --literal")
        if output is None:
            raise UsageError("--input needs --output")
        _rank_file(source, model, output, hits, runtag, as_json)
        return
    if index is None or len(entities) != 2:
        raise UsageError("give --index and two --entity, or --input")
    if any(not any(map(str.isalnum, name)) for name in entities):
        raise UsageError("an --entity without a letter or digit")
    _rank_index((entities[0], entities[1]), index, model, output, hits, literal, runtag, as_json)


def _rank_file(
    source: Path, model: Path | None, output: Path, hits: int | None, runtag: str, as_json: bool
) -> None:
    from relsent_ir.relations import rank, read_candidates
    from relsent_ir.trec import write_run

    ranker = open_model(model)
    candidates = list(read_candidates(source))
    with progress("Ranking", "sentences") as tick:
        run = rank(candidates, ranker.score(candidates, tick), hits)
    write_run(output, run, tag=runtag)
    sizes = {"topics": len(run), "hits": sum(map(len, run.values()))}
    if as_json:
        print_json({"output": str(output), **sizes})
    else:
        click.echo(f"{output}: {sizes['topics']} topics, {sizes['hits']} hits")


def _rank_index(
    entities: tuple[str, str],
    index: Path,
    model: Path | None,
    output: Path | None,
    hits: int | None,
    literal: bool,
    runtag: str,
    as_json: bool,
) -> None:
    from relsent_ir.lucene.index import Index
    from relsent_ir.relations import find_mentions, rank
    from relsent_ir.trec import write_run

    ranker = open_model(model)
    with Index(index) as abstracts, Index(index, "sentences") as sentences:
        found = find_mentions(abstracts, sentences, entities, literal=literal)
    candidates = found.candidates
    with progress("Ranking", "sentences") as tick:
        scores = ranker.score(candidates, tick)
    run = rank(candidates, scores, hits or 10)
    if output is not None:
        write_run(output, run, tag=runtag)
    best: dict[str, int] = {}
    for i in sorted(range(len(candidates)), key=lambda i: -scores[i]):
        best.setdefault(candidates[i].id, i)
    shown: list[dict[str, Any]] = []
    for ranked in run.values():
        rows = [candidates[best[name]] for name in ranked.ids]
        for candidate, score, (structure, evidence) in zip(
            rows, ranked.scores, ranker.explain(rows), strict=True
        ):
            hit: dict[str, Any] = {"id": candidate.id, "score": score, "text": candidate.text}
            if evidence:
                first = evidence[0]
                hit |= {"group": first.match.pattern.group, "pattern": first.match.pattern.text}
                hit |= {"level": first.level, "rules": list(first.form.rules)}
                if first.form.rules:
                    hit["simplified"] = first.text(structure)
            shown.append(hit)
    if as_json:
        facts = {"names": found.names, "sentences": len({c.id for c in candidates})}
        print_json({**facts, "hits": shown})
        return
    for name, names in zip(entities, found.names, strict=True):
        click.echo(f"{name}: {', '.join(names)}")
    click.echo(f"{len({c.id for c in candidates})} sentences mention both\n")
    for n, hit in enumerate(shown, 1):
        click.echo(f"{n:>3}  {hit['score']:7.3f}  {hit['id']}  {hit['text']}")
        if "pattern" in hit:
            simpler = f": {hit['simplified']}" if "simplified" in hit else ""
            click.echo(f"{'':14}{hit['group']} {hit['pattern']}, {hit['level']}{simpler}")
