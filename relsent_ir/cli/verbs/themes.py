"""``relsent-ir themes``: from one record to its subject, as records and as terms."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from relsent_ir.cli import options
from relsent_ir.cli.options import Topics
from relsent_ir.cli.output import READABLE, RUN_DEPTH, Display, HitGroup, Outcome, Output, progress
from relsent_ir.cli.requests import Request, options_of, read_methods, run_verb
from relsent_ir.errors import InputError, UsageError
from relsent_ir.files import atomic_writer
from relsent_ir.methods import Themes

if TYPE_CHECKING:
    from relsent_ir.executor import Executor
    from relsent_ir.hits import Hits, Run
    from relsent_ir.themes import ThemeFinder, ThemeTopic
    from relsent_ir.themes.finding import ThemeFacts


settings = options_of([Themes])
"""The settings; in pairs in brackets, the first value is the paper's, the second ours."""


@click.group(cls=options.WithDefault)
def command() -> None:
    """Find the theme of a record, or map a collection by its themes.

    Without a sub-word: of a record.
    """


class FindingThemes(Request[Themes]):
    """Find the theme of a record: the records on it, and its terms.

    Several ids after --pmid give one theme; --published finds it as the paper does. A run has the
    records by their log-odds to be on theme, without given kernels; the readable list has them
    too, with a star.
    """

    kinds = (Themes,)
    index: Path = options.index
    ids: tuple[str, ...] = options.option(
        "--pmid",
        "The kernel, or several.",
        multiple=True,
        metavar="ID...",
        excludes="--from-hits --text --topics",
    )
    text: str | None = options.option(
        "Take a query's first hits as kernels.", type=options.WORDS, excludes="--topics"
    )
    topics: Topics | None = options.grouped(
        lambda path, form: Topics(path, form) if path else None,
        path=options.file(
            "--topics",
            "One theme a line: qid, tab, ids of kernels; with --from-hits: qid, tab, query.",
        ),
        form=options.topics_format,
    )
    from_hits: int | None = options.count(
        "Topics are queries: their N first hits (BM25) are the kernels.  [with --text: 5]",
        metavar="N",
    )
    hits: int | None = options.count("Records.  [default: 10; 1000 in a run]")
    terms: int = options.count("Shown.", default=10, least=0, excludes="--output")
    numbers: bool = options.flag(
        "--numbers", "Show the terms' p, q and λ too.", excludes="--output --json"
    )
    keep_kernel: bool = options.flag("Leave given kernels in the run.", needs="--output")
    threads: int | None = options.count("Themes found at once.  [default: all]")
    executor: "Executor" = options.executor(needs="--output")
    flags: Mapping[str, Any] = settings
    output: Output = options.run

    def __post_init__(self) -> None:
        if not (self.ids or self.text is not None or self.topics):
            raise UsageError("give one of --pmid, --text and --topics")

    def finder(self, method: Themes) -> "ThemeFinder":
        """Return a finder with the settings of a method."""
        from relsent_ir.themes import ThemeFinder, read_method

        with progress("Reading", "records") as tick:
            return ThemeFinder(self.collection, *read_method(method), progress=tick)

    def run(self, method: Themes, hits: int | None) -> "Run":
        """Rank the records of each theme."""
        finder = self.finder(method)
        with progress("Themes", "topics") as tick:
            return finder.run(
                self.kernels(finder),
                hits or RUN_DEPTH,
                keep_kernel=self.keep_kernel,
                threads=self.threads,
                executor=self.workers,
                progress=tick,
            )

    def execute(self) -> None:
        """Write the run, or show the records and terms of each theme."""
        from relsent_ir.themes import describe_theme

        if self.output.wanted:
            super().execute()
            return
        finder = self.finder(self.method(self.flags))

        read = partial(describe_theme, finder, hits=self.hits or READABLE, terms=self.terms)
        with progress("Themes", "topics") as tick:
            kernels = self.kernels(finder)
            themes = finder.find(kernels, read, threads=self.threads, progress=tick)
        queries = self.queries if self.topics else {}
        _show(self.output.view, finder, themes, queries, numbers=self.numbers)

    def kernels(self, finder: "ThemeFinder") -> "dict[str, ThemeTopic]":
        """Return the topics in the arguments; kernels must be in the index."""
        from relsent_ir.themes import ThemeTopic

        if self.ids:
            return {"+".join(self.ids): ThemeTopic(tuple(dict.fromkeys(self.ids)))}
        place = self.topics.path if self.topics else None
        if self.text is not None or self.from_hits:
            texts = self.queries if self.text is None else {"text": self.text}
            if from_queries := finder.from_hits(texts, self.from_hits or 5):
                return from_queries
            raise InputError("nothing was found that could be a kernel", where=place)
        topics = {n: ThemeTopic(tuple(dict.fromkeys(s.split()))) for n, s in self.queries.items()}
        for name, topic in topics.items():
            if not topic.kernels:
                raise InputError(f"topic {name} has no kernel", where=place)
            try:
                finder.rows(topic.kernels)
            except InputError as error:
                problem = f"topic {name}: {error.problem} in {error.where}"
                fix = "a line is qid, tab, record id"
                raise InputError(problem, where=place, fix=fix) from None
        return topics


command.add_command(run_verb("record", FindingThemes))


def _show(
    view: Display,
    finder: "ThemeFinder",
    themes: "Mapping[str, tuple[Hits, dict[str, dict[str, Any]], ThemeFacts]]",
    queries: Mapping[str, str],
    *,
    numbers: bool,
) -> None:
    """Show the records of each theme; as text, also its facts and terms."""
    from relsent_ir.hit import WordEvidence, read_hits
    from relsent_ir.themes.finding import shared_by, summary_of, table_of_phrases, table_of_terms

    words = WordEvidence(finder.index.facts.analysis)
    groups = []
    for name, (hits, values, facts) in themes.items():
        ranked = read_hits(finder.collection, hits, "", words, values=values)
        groups.append(HitGroup(name if queries else "", queries.get(name, ""), ranked, dict(facts)))
    if view.form != "text":
        view.show(groups)
        return
    for group in groups:
        click.echo(f"{summary_of(group.more)}\n")
        view.show([group])
        for table in (table_of_phrases(group.more), numbers and table_of_terms(group.more)):
            if table:
                click.echo(f"\n{table}")
    if len(groups) > 1:
        click.echo(f"\nshared by themes\n\n{shared_by({g.topic: g.more for g in groups})}")


@options.verb(command, "map")
def map_command(
    index: Path = options.index,
    count: int = options.count("Themes to find.", default=12, least=2),
    terms: int = options.count("Of each theme.", default=10),
    output: Path | None = options.file("Draw the map.", metavar="SVG"),
    seed: int = options.count("Of what is drawn by chance.", default=0, least=0),
    threads: int | None = options.count("Themes found at once.  [default: all]"),
    flags: dict[str, Any] = settings,
) -> Outcome | None:
    """Map a collection: themes that cover it, their names, and where they overlap.

    Kernels are chosen so that each stands for most of what the others leave out. As many records
    are expected on each theme as the collection has for each, if --size says nothing else.
    """
    from relsent_ir.lucene.read.collection import Indexes
    from relsent_ir.themes import draw_map, map_themes, read_method
    from relsent_ir.themes.mapping import even_size

    (method,) = read_methods([Themes], flags, [Themes()])
    assert isinstance(method, Themes)
    settings, chosen = read_method(method)
    with Indexes(index) as opened, progress("Themes", "themes") as tick:
        if method.size is None and not method.published:
            settings = replace(settings, size=even_size(opened, count))
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
    if str(output) == "-":  # then only the map is printed
        return None
    return Outcome(mapped.to_json(), str(mapped))
