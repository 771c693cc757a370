"""``relsent-ir relate``: the sentences that state most clearly how two entities are related."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from relsent_ir.cli.console import WithDefault, print_json, print_table, progress
from relsent_ir.cli.options import file_option, json_option, model_option
from relsent_ir.cli.runs import READABLE, Output, output_option, run_options
from relsent_ir.errors import UsageError

if TYPE_CHECKING:
    from relsent_ir.hits import Run
    from relsent_ir.relations import Ranker, RankingScores


@click.group(cls=WithDefault)
def command() -> None:
    """Sentences that relate two entities."""


@command.command()
@click.option(
    "--entity", "entities", multiple=True, metavar="NAME", help="Twice: the two entities."
)
@file_option("--index", metavar="DIR", help="Where to look.")
@file_option("--input", "source", metavar="JSONL", help="Or candidates.")
@model_option
@output_option()
@click.option(
    "--hits", type=click.IntRange(1), help="Per group.  [default: 10 of an index; all of a file]"
)
@click.option("--literal", is_flag=True, help="No abbreviations and variants of the names.")
@run_options
def rank(
    entities: tuple[str, ...],
    index: Path | None,
    source: Path | None,
    model: Path | None,
    output: Output,
    hits: int | None,
    literal: bool,
) -> "Run":
    """Rank the sentences that mention two entities by how clearly they relate them.

    Either --entity A --entity B --index DIR: the sentences come from the index; each is shown with
    the pattern that it matches, if any, and the simplified form that matches it. Or --input JSONL
    --output RUN: the topics of the run are the groups. A sentence with several mentions counts by
    its best ones.
    """
    if source is not None:
        if entities or index is not None or literal:
            raise UsageError("--input excludes --entity, --index and --literal")
        if not output.wanted:
            raise UsageError("--input needs --output")
        return _rank_file(source, model, output, hits)
    if index is None or len(entities) != 2:
        raise UsageError("give --index and two --entity, or --input")
    if any(not any(map(str.isalnum, name)) for name in entities):
        raise UsageError("an --entity without a letter or digit")
    return _rank_index((entities[0], entities[1]), index, model, output, hits, literal)


@command.command()
@model_option
@file_option("--input", "source", required=True, metavar="JSONL", help='Candidates with a "grade".')
@json_option
def evaluate(model: Path | None, source: Path, as_json: bool) -> None:
    """Measure a model on graded candidates, beside the two baselines.

    Pairs are of different sentences of a group whose grades differ, a tie counts one half; groups
    without such a pair are left out. nDCG's gains are the grades, its discount is the paper's.
    """
    from relsent_ir.relations import evaluate as measure
    from relsent_ir.relations import foremost, read_candidates, shortest

    ranker = _open(model)
    candidates = list(read_candidates(source, graded=True))
    with progress("Ranking", "sentences") as tick:
        scores = measure(candidates, ranker.score(candidates, tick))
    if as_json:
        print_json(scores.to_dict())
        return
    click.echo(
        f"{len(scores.groups)} groups with {scores.pairs} pairs of sentences; "
        f"{scores.inside[1]} pairs inside sentences\n"
    )
    print_table(
        ["", "pair accuracy", "grade of the first", "nDCG", "inside sentences"],
        [
            _row("model", scores),
            _row("shortest", measure(candidates, shortest(candidates))),
            _row("foremost", measure(candidates, foremost(candidates, ranker.parser))),
        ],
    )


def _open(model: Path | None) -> "Ranker":
    """Read a model; None is the package's."""
    from relsent_ir import models

    ranker: Ranker = models.load(model, "relations")
    return ranker


def _rank_file(source: Path, model: Path | None, output: Output, hits: int | None) -> "Run":
    from relsent_ir.relations import rank, read_candidates

    ranker = _open(model)
    candidates = list(read_candidates(source))
    with progress("Ranking", "sentences") as tick:
        run = rank(candidates, ranker.score(candidates, tick), hits)
    counts = output.write(run)
    if output.as_json:
        print_json(counts)
    else:
        click.echo(f"{counts['output']}: {counts['topics']} topics, {counts['hits']} hits")
    return run


def _rank_index(
    entities: tuple[str, str],
    index: Path,
    model: Path | None,
    output: Output,
    hits: int | None,
    literal: bool,
) -> "Run":
    from relsent_ir.lucene.collection import Collection
    from relsent_ir.relations import find_mentions, rank

    ranker = _open(model)
    with Collection(index) as collection:
        found = find_mentions(collection, entities, literal=literal)
    candidates = found.candidates
    with progress("Ranking", "sentences") as tick:
        scores = ranker.score(candidates, tick)
    run = rank(candidates, scores, hits or READABLE)
    output.write(run)
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
    if output.as_json:
        facts = {"names": found.names, "sentences": len({c.id for c in candidates})}
        print_json({**facts, "hits": shown})
        return run
    for name, names in zip(entities, found.names, strict=True):
        click.echo(f"{name}: {', '.join(names)}")
    click.echo(f"{len({c.id for c in candidates})} sentences mention both\n")
    for n, hit in enumerate(shown, 1):
        click.echo(f"{n:>3}  {hit['score']:7.3f}  {hit['id']}  {hit['text']}")
        if "pattern" in hit:
            simpler = f": {hit['simplified']}" if "simplified" in hit else ""
            click.echo(f"{'':14}{hit['group']} {hit['pattern']}, {hit['level']}{simpler}")
    return run


def _row(name: str, scores: "RankingScores") -> list[str]:
    values = scores.to_dict()
    found = [values[key] for key in ("pair_accuracy", "top_grade", "ndcg")]
    found.append(values["inside_sentences"]["pair_accuracy"])
    return [name, *("–" if value is None else f"{value:.4f}" for value in found)]
