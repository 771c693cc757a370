"""``relsent-ir similar``: articles similar to an article of the index."""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import click

from relsent_ir.cli import options
from relsent_ir.cli.methods import options_of
from relsent_ir.cli.output import HitGroup, progress
from relsent_ir.cli.requests import Request, run_verb
from relsent_ir.errors import UsageError
from relsent_ir.methods import Similar

if TYPE_CHECKING:
    from relsent_ir.hits import Run
    from relsent_ir.lucene.read.collection import Indexes


@dataclass(frozen=True, eq=False, kw_only=True)
class SimilarArticles(Request[Similar]):
    """Show the articles most similar to an article, or write them as a run.

    An article is never among its own hits.
    """

    kinds = (Similar,)
    index: Path
    ids: tuple[str, ...]
    topics: Path | None

    def __post_init__(self) -> None:
        if bool(self.ids) == (self.topics is not None):
            raise UsageError("give either --pmid or --topics")
        self.output.check()

    @cached_property
    def collection(self) -> "Indexes":
        """The indexes."""
        from relsent_ir.lucene.read.collection import Indexes

        return self.files.enter_context(Indexes(self.index))

    def run(self, method: Similar, hits: int | None) -> "Run":
        """Find the articles."""
        from relsent_ir.citation.similar import similar_by
        from relsent_ir.trec import read_topics

        names = list(dict.fromkeys(self.ids)) or list(read_topics(self.topics or ""))
        with progress("Searching", "articles"):
            return similar_by(self.collection, names, method, self.output.depth(hits))

    def show(self, run: "Run") -> None:
        """Show each article's hits under its title."""
        from relsent_ir.hit import WordEvidence, read_hits

        words = WordEvidence(self.collection.facts.analysis)
        kernels = self.collection.records(list(run))
        self.output.view.show(
            [
                HitGroup(kernel.id, kernel.title, read_hits(self.collection, hits, "", words))
                for kernel, hits in zip(kernels, run.values(), strict=True)
            ]
        )


command = run_verb(
    "similar",
    SimilarArticles,
    options.index,
    click.option("--pmid", "ids", multiple=True, metavar="ID...", help="Articles of the index."),
    options.file("--topics", help="Topics whose ids are articles; their texts are not read."),
    options.run_output,
    options_of(SimilarArticles.kinds),
    options.count("--hits", help="Per article.  [default: 10; 1000 in a run]"),
    options.run,
)
