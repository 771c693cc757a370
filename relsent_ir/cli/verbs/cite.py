"""``relsent-ir cite`` and ``similar``: records that a text may cite, records like a record."""

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from relsent_ir.cli import options
from relsent_ir.cli.options import Topics
from relsent_ir.cli.output import Output, describe_run, print_json, progress
from relsent_ir.cli.requests import Request, options_of, run_verb
from relsent_ir.errors import UsageError
from relsent_ir.methods import Cite, Similar

if TYPE_CHECKING:
    from relsent_ir.citation.suggestions import CitationFinder
    from relsent_ir.hits import Run


class Citable(Request[Cite]):
    """Show the records that a text may cite, or write them as a run.

    Records like the text, and those that records like it refer to. An article of the index is not
    told what it refers to already, nor what came out after it.
    """

    kinds = (Cite,)
    index: Path = options.index
    text: str | None = options.option(
        "--text",
        "A manuscript's title and abstract.",
        type=options.WORDS,
        excludes="--pmid --topics --output",
    )
    ids: tuple[str, ...] = options.option(
        "--pmid", "Articles of the index.", multiple=True, metavar="ID...", excludes="--topics"
    )
    topics: Topics | None = options.topics("Texts.")
    flags: Mapping[str, Any] = options_of(kinds)
    hits: int | None = options.count("Per text.  [default: 10; 1000 in a run]")
    outside: bool = options.flag(
        "--outside",
        "Show works outside the collection that two or more of the nearest records refer to.",
        excludes="--output --votes",
    )
    output: Output = options.run

    def __post_init__(self) -> None:
        if not (self.ids or self.topics or self.text):
            raise UsageError("give --text, --pmid or --topics")

    @cached_property
    def queries(self) -> dict[str, str]:
        """The texts: a manuscript's, those of records of the index, or those of topics."""
        from relsent_ir.citation.candidates import topic_text

        if self.ids:
            return {record.id: topic_text(record) for record in self.collection.records(self.ids)}
        return self.topics.read() if self.topics else {"": self.text or ""}

    @cached_property
    def finder(self) -> "CitationFinder":
        """The searcher for records to cite in the index."""
        from relsent_ir.citation.suggestions import CitationFinder

        return CitationFinder(self.collection)

    def run(self, method: Cite, hits: int | None) -> "Run":
        """Find the records."""
        with progress("Searching", "texts"):
            return self.finder.find(self.queries, method, self.output.depth(hits))

    def show(self, run: "Run") -> None:
        """Show the hits of each text, with the number of nearest records that cite each."""
        from relsent_ir.citation.suggestions import citing

        titles = {record.id: record.title for record in self.collection.records(self.ids)}
        groups = describe_run(self.collection, run, self.queries, values=citing, titles=titles)
        self.output.view.show(groups)

    def execute(self) -> None:
        """Write the run, or show its hits, or the works outside the collection."""
        if not self.outside:
            super().execute()
            return
        method = self.method(self.flags)
        for name, works in self.finder.outside(self.queries, method).items():
            most = works[: self.output.depth(self.hits)]
            if self.output.as_json:
                entries = [{"reference": text, "cited_by_nearest": n} for text, n in most]
                print_json({"topic": name, "works": entries})
            else:
                click.echo("\n".join(f"{n:4}  {text}" for text, n in most) or "nothing found")


command = run_verb("cite", Citable)


class SimilarArticles(Request[Similar]):
    """Show the articles most similar to an article, or write them as a run.

    An article is never among its own hits.
    """

    kinds = (Similar,)
    index: Path = options.index
    ids: tuple[str, ...] = options.option(
        "--pmid", "Articles of the index.", multiple=True, metavar="ID..."
    )
    articles: Path | None = options.file(
        "--topics", "Topics whose ids are articles; their texts are not read."
    )
    flags: Mapping[str, Any] = options_of(kinds)
    hits: int | None = options.count("Per article.  [default: 10; 1000 in a run]")
    output: Output = options.run

    def __post_init__(self) -> None:
        if bool(self.ids) == (self.articles is not None):
            raise UsageError("give either --pmid or --topics")

    def run(self, method: Similar, hits: int | None) -> "Run":
        """Find the similar records."""
        from relsent_ir.citation.similar import find_similar
        from relsent_ir.trec import read_topics

        names = list(dict.fromkeys(self.ids)) or list(read_topics(self.articles or ""))
        with progress("Searching", "articles"):
            return find_similar(self.collection, names, method, self.output.depth(hits))

    def show(self, run: "Run") -> None:
        """Show the hits of each record under its title."""
        titles = {kernel.id: kernel.title for kernel in self.collection.records(list(run))}
        groups = describe_run(self.collection, run, dict.fromkeys(run, ""), titles=titles)
        self.output.view.show(groups)


similar = run_verb("similar", SimilarArticles)
