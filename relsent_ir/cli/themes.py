"""``relsent-ir themes``: from one record to its subject, as records and as terms."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from relsent_ir.cli.console import SeveralValues, print_json, print_table, progress
from relsent_ir.cli.options import file_option, heap_option, index_option, json_option
from relsent_ir.cli.runs import (
    READABLE,
    RUN_DEPTH,
    Output,
    hit_line,
    output_option,
    runtag_option,
    takes_output,
    topics_format_option,
)
from relsent_ir.cli.theme_options import parameter_options, read_parameters
from relsent_ir.errors import InputError, UsageError

if TYPE_CHECKING:
    from relsent_ir.hits import Run
    from relsent_ir.themes import Theme, ThemeFinder, ThemeTopic


@click.command(cls=SeveralValues)
@index_option
@click.option("--pmid", "ids", multiple=True, metavar="ID...", help="The kernel, or several.")
@click.option("--text", help="Take a query's first hits as kernels.")
@file_option(
    "--topics",
    help="One theme a line: qid, tab, ids of kernels; with --from-hits: qid, tab, query.",
)
@topics_format_option
@click.option(
    "--from-hits",
    type=click.IntRange(1),
    metavar="N",
    help="Topics are queries: their N first hits (BM25) are the kernels.  [with --text: 5]",
)
@output_option()
@click.option("--hits", type=click.IntRange(1), help="Records.  [default: 10; 1000 in a run]")
@click.option("--terms", type=click.IntRange(0), default=10, show_default=True, help="Shown.")
@click.option("--keep-kernel", is_flag=True, help="Leave given kernels in the run.")
@click.option("--threads", type=click.IntRange(1), help="Themes found at once.  [default: all]")
@runtag_option
@parameter_options
@heap_option
@json_option
@takes_output
def command(
    index: Path,
    ids: tuple[str, ...],
    text: str | None,
    topics: Path | None,
    topics_format: str | None,
    from_hits: int | None,
    output: Output,
    hits: int | None,
    terms: int,
    keep_kernel: bool,
    threads: int | None,
    **parameters: Any,
) -> "Run | None":
    """Find the theme of a record: the records on it, and its terms.

    Several ids after --pmid give one theme; --published finds it as the paper does.

    A run has the records by their log-odds to be on theme,
    without given kernels; the readable list has them too, with a star.
    """
    from relsent_ir.themes import ThemeFinder
    from relsent_ir.trec import read_topics

    if [bool(ids), text is not None, topics is not None].count(True) != 1:
        raise UsageError("give one of --pmid, --text and --topics")
    output.check(topics)
    if ids and from_hits:
        raise UsageError("--from-hits needs --text, or topics that are queries")
    settings, chosen = read_parameters(**parameters)
    asked = read_topics(topics, topics_format) if topics else {}
    with progress("Reading", "records") as tick:
        finder = ThemeFinder(index, settings, chosen, progress=tick)
    with finder, progress("Themes", "topics") as tick:
        found = _topics(finder, ids, text, asked, topics, from_hits)
        if not output.wanted:

            def read(topic: "ThemeTopic", theme: "Theme") -> dict[str, Any]:
                return _describe(finder, topic, theme, hits or READABLE, terms)

            (described,) = finder.find(found, read, threads=threads).values()
            if output.as_json:
                print_json(described)
            else:
                _show(described)
            return None
        run = finder.run(
            found, hits or RUN_DEPTH, keep_kernel=keep_kernel, threads=threads, progress=tick
        )
    return output.finish(run)


def _topics(
    finder: "ThemeFinder",
    ids: tuple[str, ...],
    text: str | None,
    asked: dict[str, str],
    file: Path | None,
    from_hits: int | None,
) -> "dict[str, ThemeTopic]":
    """Make the topics of what was given; kernels that are not in the index are refused."""
    from relsent_ir.themes import ThemeTopic

    if ids:
        return {"+".join(ids): ThemeTopic(tuple(dict.fromkeys(ids)))}
    if text is not None or from_hits:
        found = finder.from_hits(asked if text is None else {"text": text}, from_hits or 5)
        if not found:
            raise InputError("nothing was found that could be a kernel", where=file)
        return found
    topics = {name: ThemeTopic(tuple(dict.fromkeys(line.split()))) for name, line in asked.items()}
    for name, topic in topics.items():
        if not topic.kernels:
            raise InputError(f"topic {name} has no kernel", where=file)
        try:
            finder.rows(topic.kernels)
        except InputError as error:
            place = f"{error.problem} in {error.where}"
            raise InputError(
                f"topic {name}: {place}", where=file, fix="a line is qid, tab, record id"
            ) from None
    return topics


def _describe(
    finder: "ThemeFinder", topic: "ThemeTopic", theme: "Theme", hits: int, terms: int
) -> dict[str, Any]:
    from relsent_ir.themes import label_theme, records_on_theme, terms_of_theme
    from relsent_ir.themes.reading import LIKELY

    matrix = finder.matrix
    found = records_on_theme(matrix, theme, hits, keep_kernel=True)
    on = theme.on[finder.rows(list(found.ids))]
    records = finder.index.records(list(found.ids))
    rows = [
        {
            "rank": rank,
            "id": record.id,
            "log_odds": round(float(score), 4),
            "pr": float(f"{pr:.6g}"),
            "kernel": record.id in topic.kernels,
            "text": record.title or record.vernacular_title or record.abstract,
        }
        for rank, (record, score, pr) in enumerate(zip(records, found.scores, on, strict=True), 1)
    ]
    choose = terms_of_theme if finder.settings.published else label_theme
    return {
        "kernels": list(topic.kernels),
        "size": round(theme.size, 2),
        "likely": int((theme.on >= LIKELY).sum()),
        "iterations": len(theme.log_likelihoods),
        "converged": theme.converged,
        "log_likelihood": theme.log_likelihoods[-1],
        "hits": rows,
        "terms": [
            {
                "term": term.term,
                "p": term.p,
                "q": term.q,
                "lambda": term.lam,
                "db": term.db,
                "records": round(term.support, 2),
                "lift": round(term.lift, 2),
            }
            for term in choose(matrix, theme, terms)
        ],
    }


def _show(theme: dict[str, Any]) -> None:
    """Print a theme's records, then its terms."""
    end = "" if theme["converged"] else ", not converged"
    click.echo(
        f"{theme['likely']} records likely on theme, {theme['iterations']} iterations{end}\n"
    )
    for row in theme["hits"]:
        star = "*" if row["kernel"] else " "
        click.echo(
            hit_line(row["rank"], row["id"], row["log_odds"], row["text"], star=star, digits=2)
        )
    if theme["terms"]:
        click.echo()
        print_table(
            ["", "records", "lift", "p", "q", "λ"],
            [
                [
                    term["term"],
                    f"{term['records']:.1f}",
                    f"{term['lift']:.1f}",
                    *(f"{term[name]:.3g}" for name in ("p", "q", "lambda")),
                ]
                for term in theme["terms"]
            ],
        )
