"""``relsent-ir relate`` and ``entity``: sentences that state how entities are related."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, replace
from functools import cached_property
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from relsent_ir.cli import options
from relsent_ir.cli.output import READABLE, HitGroup, Outcome, Output, progress
from relsent_ir.cli.requests import Request, options_of, read_methods, run_verb
from relsent_ir.errors import UsageError
from relsent_ir.methods import Relations

if TYPE_CHECKING:
    from relsent_ir.executor import Executor
    from relsent_ir.hits import Run
    from relsent_ir.lucene.read.collection import Indexes
    from relsent_ir.lucene.read.filters import Filters
    from relsent_ir.relations.names import Form
    from relsent_ir.relations.pairs import PairEvidence, RelatedPair


@click.group(cls=options.WithDefault)
def command() -> None:
    """Sentences that relate two entities."""


class Relating(Request[Relations]):
    """Rank the sentences that mention two entities by how clearly they relate them.

    Either --entity A --entity B --index DIR: the sentences come from the index; each is shown with
    the pattern that it matches, if any, and the simplified form that matches it. With --pairs, or
    --entity and --with, the best sentence of each pair is shown; the topics of the run are the
    pairs' numbers. Or --input JSONL --output RUN: the topics of the run are the groups. A sentence
    with several mentions counts by its best ones.
    """

    kinds = (Relations,)
    entities: tuple[str, ...] = options.option(
        "--entity", "Twice: the two entities.", type=options.WORDS, multiple=True, metavar="NAME"
    )
    partners: Path | None = options.file(
        "--with", "One --entity with each name of a file, one a line.", excludes="--pairs"
    )
    pairs: Path | None = options.file("Many pairs: on a line NAME, a tab, NAME.", metavar="TSV")
    index: Path | None = options.folder("Where to look.")
    source: Path | None = options.file(
        "--input",
        "Or candidates.",
        metavar="JSONL",
        needs="--output",
        excludes="--entity --with --pairs --index --literal --synonyms --group --directed "
        + options.FILTERS,
    )
    flags: Mapping[str, Any] = options_of(kinds)
    hits: int | None = options.count("Per group.  [default: 10 of an index; all of a file]")
    executor: "Executor" = options.executor("Processes that rank pairs.")
    filters: "Filters" = options.filters
    output: Output = options.run

    def __post_init__(self) -> None:
        entities = 0 if self.pairs or self.source else 1 if self.partners else 2
        if (self.index is None) != (self.source is not None) or len(self.entities) != entities:
            raise UsageError(
                "give --index and two --entity, or --input; one --entity and --with, none and"
                " --pairs"
            )

    @cached_property
    def named(self) -> list[tuple[str, str]]:
        """The names of each pair of entities."""
        from relsent_ir.text.names import read_names

        if self.pairs:
            return [(first, second) for first, second in read_names(self.pairs, 2)]
        if self.partners:
            return [(self.entities[0], second) for (second,) in read_names(self.partners, 1)]
        return [(self.entities[0], self.entities[1])]

    def run(self, method: Relations, hits: int | None) -> "Run":
        """Rank the sentences of all pairs, or the candidates of a file."""
        from relsent_ir.hits import Run
        from relsent_ir.relations import open_ranker, rank, read_candidates

        if self.source is None:
            k = hits or READABLE
            return Run((pair.group, pair.hits[:k]) for pair in self.ranked(method, hits))
        ranker, candidates = open_ranker(method.model), list(read_candidates(self.source))
        with progress("Ranking", "sentences") as tick:
            return rank(candidates, ranker.score(candidates, tick), hits)

    def ranked(self, method: Relations, hits: int | None) -> Iterator["RelatedPair"]:
        """Yield each pair with its sentences in ranked order."""
        from relsent_ir.relations import open_ranker
        from relsent_ir.relations.pairs import POOLED, PairQuery, ranked_pairs

        many = self.pairs or self.partners
        ranker, k = open_ranker(method.model), hits or READABLE
        k = k if many else max(k, POOLED)
        request = PairQuery(self.collection, ranker, method, k, self.filters)
        if not self.workers.local:
            model = Path(method.model) if method.model else None
            request = request.by_path(self.collection.folder, model)
        with progress("Ranking", "pairs") as tick:
            for n, pair in enumerate(ranked_pairs(request, self.named, self.workers), 1):
                yield pair
                tick(n, len(self.named))

    def execute(self) -> None:
        """Write the run; show the sentences of a pair, or the best sentence of each pair."""
        from relsent_ir.hits import Run
        from relsent_ir.relations import open_ranker
        from relsent_ir.relations.pairs import PairEvidence

        method, output = self.method(self.flags), self.output
        if self.source is not None:
            counts = output.write(self.run(method, self.hits))
            text = f"{counts['topics']} topics, {counts['hits']} hits"
            outcome = Outcome(counts, f"{output.path}: {text}", written=output.path)
            outcome.show(as_json=output.as_json)
            return
        ranker, k = open_ranker(method.model), self.hits or READABLE
        many, run_alone = self.pairs or self.partners, str(output.path) == "-"
        width = max(map(len, map(" + ".join, self.named)), default=0)
        run, rows = Run(), []
        for pair in self.ranked(method, self.hits):  # of many pairs only the lines are kept
            if output.wanted or not many:
                run[pair.group] = pair.hits[:k]
            if many and not run_alone:
                row = PairEvidence(pair, ranker).to_row()
                as_json = output.as_json
                rows.append(json.dumps(row, ensure_ascii=False) if as_json else _line(row, width))
        if output.wanted:
            output.write(run)
        if run_alone:
            return
        if many:
            head = f"{'pair':<{width}}  sentences  records      P  says       best sentence"
            before, between, after = (
                ('{"pairs": [', ", ", "]}") if output.as_json else (f"{head}\n", "\n", "")
            )
            click.echo(before, nl=False)
            for n, line in enumerate(rows):  # joined, they would be in memory three times
                click.echo(f"{between if n else ''}{line}", nl=False)
            click.echo(after)
        else:
            pooled = PairEvidence(pair, ranker).pooled()
            pair = replace(pair, hits=run[pair.group])
            _show(pair, self.collection, PairEvidence(pair, ranker), output, pooled)


command.add_command(run_verb("rank", Relating))


def _line(row: dict[str, Any], width: int) -> str:
    """Return the line of a pair in the table, with its best sentence."""
    counts = f"{row['sentences']:>9}  {row['records']:>7}  {row['probability']:>5}"
    says = f"{row['polarity'] if row['status'] == 'asserted' else row['status']:<10}"
    text = f"{row['id']}  {row['text']}" if row["id"] else row["note"]
    return f"{row['pair']:<{width}}  {counts}  {says} {text}".rstrip()


def _show(
    pair: "RelatedPair",
    collection: "Indexes",
    explains: "PairEvidence",
    output: Output,
    pooled: str,
) -> None:
    from relsent_ir.hit import WordEvidence, read_hits

    words = WordEvidence(collection.facts.analysis)
    sentences = read_hits(collection, pair.hits, " ".join(pair.names), words, explains)
    view = output.view
    if view.form == "text":
        for name, forms in zip(pair.names, pair.forms, strict=True):
            click.echo(f"{name} searched as: {'; '.join(map(_form, forms))}")
        text = f" ({pair.note})" if pair.note else ""
        click.echo(f"{pair.sentences} sentences of {pair.records} records mention both{text}")
        click.echo(f"{pooled}\n" if sentences else "")
    if sentences or view.form != "text":
        view.show([HitGroup("", "", sentences, {**pair.facts, "pooled": pooled})])


def _form(form: "Form") -> str:
    if not form.records:
        return form.name if form.origin == "given" else f"{form.name} ({form.origin})"
    records = "record" if form.records == 1 else "records"
    return f"{form.name} ({form.origin}, {form.records} {records})"


@options.verb()
def entity(
    name: str = options.argument("NAME", type=options.WORDS),
    index: Path = options.index,
    count: int = options.count("--terms", "So many terms at most.", default=20),
    partners: Path | None = options.file(
        "--with", "Names in the place of terms that are found, one a line."
    ),
    flags: dict[str, str] = options_of([Relations], "--model", "--literal", "--synonyms"),
) -> Outcome:
    """Show what goes with an entity: its informative terms, and a best sentence for each.

    Terms are noun phrases that stand oftener beside the entity than elsewhere in the collection,
    grouped by their form; the sentence is the one that relates the two most clearly.
    """
    from relsent_ir.lucene.read.collection import Indexes
    from relsent_ir.lucene.read.search import warm_up
    from relsent_ir.relations import open_ranker
    from relsent_ir.relations.entity import GROUPS, entity_terms
    from relsent_ir.relations.finding import Finder
    from relsent_ir.text.names import read_names

    method = read_methods([Relations], flags, [Relations()])[0]
    assert isinstance(method, Relations)
    names = [row[0] for row in read_names(partners, 1)] if partners else []
    warm_up(index)
    with Indexes(index) as collection:
        finder = Finder.of(collection, method)
        terms = entity_terms(finder, open_ranker(method.model), name, count, names)
        forms, hint = [form.name for form in finder.entity(name).forms], finder.entity(name).hint
        sentences = finder.count(name)
    values = {"name": name, "names": forms, "sentences": sentences, "note": hint}
    values["terms"] = [asdict(term) for term in terms]
    lines = [hint or f"{'; '.join(forms)}: {sentences:,} sentences"]
    terms.sort(key=lambda term: GROUPS.index(term.group))
    for group, some in groupby(terms, key=lambda term: term.group):
        lines.append(f"\n{group}")
        for term in some:
            lines.append(f"  {term.name} ({term.sentences})")
            if term.id:
                lines.append(f"      {term.id}  {term.text}")
    return Outcome(values, *lines)
