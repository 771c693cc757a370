"""``relsent-ir similar``: articles similar to an article of the index."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from relsent_ir.cli import options
from relsent_ir.cli.output import Output, describe_run, progress
from relsent_ir.cli.requests import Request, options_of, run_verb
from relsent_ir.errors import UsageError
from relsent_ir.methods import Similar

if TYPE_CHECKING:
    from relsent_ir.hits import Run


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
        """Find the articles."""
        from relsent_ir.citation.similar import find_similar
        from relsent_ir.trec import read_topics

        names = list(dict.fromkeys(self.ids)) or list(read_topics(self.articles or ""))
        with progress("Searching", "articles"):
            return find_similar(self.collection, names, method, self.output.depth(hits))

    def show(self, run: "Run") -> None:
        """Show each article's hits under its title."""
        titles = {kernel.id: kernel.title for kernel in self.collection.records(list(run))}
        groups = describe_run(self.collection, run, dict.fromkeys(run, ""), titles=titles)
        self.output.view.show(groups)


command = run_verb("similar", SimilarArticles)
