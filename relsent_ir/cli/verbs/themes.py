"""``relsent-ir themes``: from one record to its subject, as records and as terms."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from relsent_ir.cli import options
from relsent_ir.cli.output import (
    READABLE,
    RUN_DEPTH,
    Group,
    Output,
    View,
    print_json,
    print_table,
    progress,
)
from relsent_ir.errors import InputError, UsageError
from relsent_ir.method import parameters
from relsent_ir.methods import Themes

if TYPE_CHECKING:
    from relsent_ir.executor import Executor
    from relsent_ir.hits import Hits, Run
    from relsent_ir.themes import Settings, Terms, Theme, ThemeFinder, ThemeMap, ThemeTopic


parameter_options = options.together(
    click.option(
        "--improved/--published",
        default=True,
        show_default=True,
        help="Our settings, the second of two below, or the paper's, the first.",
    ),
    *(
        click.option(
            one.flags[0],
            one.name,
            type=click.Choice(one.choices) if one.choices else options.KINDS[one.kind],
            help=one.help,
        )
        for one in parameters(Themes)
        if one.optional and one.name not in ("fields", "stopwords")
    ),
    click.option("--literal", is_flag=True, help="γ as the paper prints it."),
    click.option(
        "--fields",
        multiple=True,
        metavar="FIELD...",
        help="Where terms are read: title, abstract, mesh, chemicals.  [the first two; all]",
    ),
    options.count("--min-df", default=2, help="Terms in at least so many records."),
    click.option(
        "--max-df",
        type=options.KINDS[float],
        default=0.1,
        show_default=True,
        help="Terms in at most this share of the records.",
    ),
    options.file("--stopwords", help="Stop words, instead of scikit-learn's 318."),
)
"""``--improved``, the parameters of the EM, and those of the terms."""


def read_parameters(
    *, improved: bool, fields: tuple[str, ...], stopwords: Path | None, **values: Any
) -> "tuple[Settings, Terms]":
    """Make the settings of what `parameter_options` took."""
    from relsent_ir.themes import read_method

    values |= {"published": not improved, "fields": ",".join(fields) or None}
    return read_method(Themes(stopwords=str(stopwords) if stopwords else None, **values))


@click.group(cls=options.WithDefault)
def command() -> None:
    """Find the theme of a record, or map a collection by its themes.

    Without a sub-word: of a record.
    """


@command.command(cls=options.Command)
@options.index
@click.option("--pmid", "ids", multiple=True, metavar="ID...", help="The kernel, or several.")
@click.option("--text", help="Take a query's first hits as kernels.")
@options.file(
    "--topics",
    help="One theme a line: qid, tab, ids of kernels; with --from-hits: qid, tab, query.",
)
@options.topics_format
@options.count(
    "--from-hits",
    metavar="N",
    help="Topics are queries: their N first hits (BM25) are the kernels.  [with --text: 5]",
)
@options.run_output
@options.count("--hits", help="Records.  [default: 10; 1000 in a run]")
@options.count("--terms", default=10, help="Shown.", least=0)
@click.option("--keep-kernel", is_flag=True, help="Leave given kernels in the run.")
@options.count("--threads", help="Themes found at once.  [default: all]")
@options.executor()
@options.runtag
@parameter_options
@options.heap
@options.view
@options.takes_output
def record(
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
    executor: "Executor",
    **parameters: Any,
) -> "Run | None":
    """Find the theme of a record: the records on it, and its terms.

    Several ids after --pmid give one theme; --published finds it as the paper does. A run has the
    records by their log-odds to be on theme, without given kernels; the readable list has them
    too, with a star.
    """
    from relsent_ir.lucene.read.collection import Indexes
    from relsent_ir.themes import ThemeFinder, describe_theme
    from relsent_ir.trec import read_topics

    if [bool(ids), text is not None, topics is not None].count(True) != 1:
        raise UsageError("give one of --pmid, --text and --topics")
    output.check()
    if ids and from_hits:
        raise UsageError("--from-hits needs --text, or topics that are queries")
    settings, chosen = read_parameters(**parameters)
    queries = read_topics(topics, topics_format) if topics else {}
    with Indexes(index) as collection:
        with progress("Reading", "records") as tick:
            finder = ThemeFinder(collection, settings, chosen, progress=tick)
        with progress("Themes", "topics") as tick:
            kernels = _topics(finder, ids, text, queries, topics, from_hits)
            if not executor.local and not output.wanted:
                raise UsageError("--scheduler needs --output")
            if not output.wanted:

                def read(topic: "ThemeTopic", theme: "Theme") -> "tuple[Hits, dict[str, Any]]":
                    return describe_theme(finder, topic, theme, hits or READABLE, terms)

                themes = finder.find(kernels, read, threads=threads)
                _show(output.view, finder, themes, queries)
                return None
            with executor:
                run = finder.run(
                    kernels,
                    hits or RUN_DEPTH,
                    keep_kernel=keep_kernel,
                    threads=threads,
                    executor=executor,
                    progress=tick,
                )
    return output.finish(run)


def _topics(
    finder: "ThemeFinder",
    ids: tuple[str, ...],
    text: str | None,
    queries: dict[str, str],
    file: Path | None,
    from_hits: int | None,
) -> "dict[str, ThemeTopic]":
    """Make the topics of what was given; kernels that are not in the index are refused."""
    from relsent_ir.themes import ThemeTopic

    if ids:
        return {"+".join(ids): ThemeTopic(tuple(dict.fromkeys(ids)))}
    if text is not None or from_hits:
        from_queries = finder.from_hits(queries if text is None else {"text": text}, from_hits or 5)
        if not from_queries:
            raise InputError("nothing was found that could be a kernel", where=file)
        return from_queries
    topics = {
        name: ThemeTopic(tuple(dict.fromkeys(line.split()))) for name, line in queries.items()
    }
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


def _show(
    view: View,
    finder: "ThemeFinder",
    themes: "Mapping[str, tuple[Hits, dict[str, Any]]]",
    queries: Mapping[str, str],
) -> None:
    """Show each theme's records, and on the screen its facts and terms around them."""
    from relsent_ir.hit import WordEvidence, read_hits

    words = WordEvidence(finder.index.facts.analysis)
    groups = []
    for name, (hits, facts) in themes.items():
        values = facts.pop("values")
        for of in values.values():
            of["star"] = of["kernel"]
        shown = read_hits(finder.collection, hits, "", words, values=values)
        groups.append(Group(name if queries else "", queries.get(name, ""), shown, facts))
    if view.form != "text":
        view.show(groups)
        return
    for group in groups:
        theme = group.more
        end = "" if theme["converged"] else ", not converged"
        click.echo(
            f"{theme['likely']} records likely on theme, {theme['iterations']} iterations{end}\n"
        )
        view.show([group])
        if theme["terms"]:
            told = "" if theme["coherence"] is None else f"coherence {theme['coherence']:.2f}"
            click.echo(f"\n{told}" if told else "")
            print_table(
                ["", "records", "lift", "p", "q", "λ"],
                [
                    [
                        term["term"],
                        *(f"{term[name]:.1f}" for name in ("records", "lift")),
                        *(f"{term[name]:.3g}" for name in ("p", "q", "lambda")),
                    ]
                    for term in theme["terms"]
                ],
            )


_SHOWN = 10  # overlaps


@command.command("map", cls=options.Command)
@options.index
@options.count("--count", default=12, help="Themes to find.", least=2)
@options.count("--terms", default=10, help="Of each theme.")
@options.file("--output", metavar="SVG", help="Draw the map.")
@options.count("--seed", default=0, help="Of what is drawn by chance.", least=0)
@options.count("--threads", help="Themes found at once.  [default: all]")
@parameter_options
@options.heap
@options.as_json
def map_command(
    index: Path,
    count: int,
    terms: int,
    output: Path | None,
    seed: int,
    threads: int | None,
    as_json: bool,
    **parameters: Any,
) -> None:
    """Map a collection: themes that cover it, their names, and where they overlap.

    Kernels are chosen so that each stands for most of what the others leave out. As many records
    are expected on each theme as the collection has for each, if --size says nothing else.
    """
    from relsent_ir.files import atomic_writer
    from relsent_ir.lucene.read.collection import Indexes
    from relsent_ir.themes import draw_map, map_themes

    settings, chosen = read_parameters(**parameters)
    if parameters["size"] is None and settings.size:
        with Indexes(index) as opened:
            settings = replace(settings, size=max(1.0, len(opened.abstracts) / count))
    with Indexes(index) as opened, progress("Themes", "themes") as tick:
        mapped = map_themes(
            opened,
            count,
            settings=settings,
            terms=chosen,
            labels=terms,
            seed=seed,
            threads=threads,
            progress=tick,
        )
    if output:
        with atomic_writer(output) as file:
            file.write(draw_map(mapped))
    if str(output) == "-":  # the map is all that is printed then
        return
    if as_json:
        print_json(mapped.to_json())
    else:
        _show_map(mapped)


def _show_map(mapped: "ThemeMap") -> None:
    share = f"{100 * mapped.coverage:.0f} % of {mapped.records:,} records on some"
    figures = f"NPMI {_figure(mapped.coherence)}, held out {mapped.held_out:+.2f}"
    click.echo(
        f"{len(mapped.themes)} themes, {share}; topic diversity {mapped.diversity:.2f}, {figures}\n"
    )
    rows = [
        [
            f"{number:>2} {theme.name}",
            theme.kernel,
            f"{theme.own:,}",
            f"{theme.likely:,}",
            _figure(theme.coherence),
            f"{theme.held_out:+.2f}",
        ]
        for number, theme in enumerate(mapped.themes, 1)
    ]
    print_table(["", "kernel", "own", "likely", "NPMI", "held out"], rows)
    number = {theme.kernel: str(i) for i, theme in enumerate(mapped.themes, 1)}
    pairs = mapped.to_json()["overlaps"][:_SHOWN]
    told = [
        f"{' and '.join(number[name] for name in pair['kernels'])} {100 * pair['overlap']:.0f} %"
        for pair in pairs
    ]
    click.echo(f"\noverlaps: {', '.join(told) or 'none'}")


def _figure(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"
