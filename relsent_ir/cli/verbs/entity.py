"""``relsent-ir entity``: an entity's informative terms, with a best sentence for each."""

from dataclasses import asdict
from itertools import groupby
from pathlib import Path

from relsent_ir.cli import options
from relsent_ir.cli.output import Outcome
from relsent_ir.cli.requests import options_of, read_methods
from relsent_ir.methods import Relations


@options.verb()
def command(
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
    from relsent_ir.relations import open_ranker
    from relsent_ir.relations.entity import GROUPS, OTHER, entity_terms
    from relsent_ir.relations.finding import Finder
    from relsent_ir.text.names import read_names

    method = read_methods([Relations], flags, [Relations()])[0]
    assert isinstance(method, Relations)
    names = [row[0] for row in read_names(partners, 1)] if partners else []
    with Indexes(index) as collection:
        finder = Finder.of(collection, method)
        terms = entity_terms(finder, open_ranker(method.model), name, count, names)
        forms, hint = [form.name for form in finder.entity(name).forms], finder.entity(name).hint
        sentences = finder.count(name)
    values = {"name": name, "names": forms, "sentences": sentences, "note": hint}
    values["terms"] = [asdict(term) for term in terms]
    lines = [hint or f"{'; '.join(forms)}: {sentences:,} sentences"]
    order = [*GROUPS, OTHER]
    terms.sort(key=lambda term: order.index(term.group))
    for group, some in groupby(terms, key=lambda term: term.group):
        lines.append(f"\n{group}")
        for term in some:
            lines.append(f"  {term.name} ({term.sentences})")
            if term.id:
                lines.append(f"      {term.id}  {term.text}")
    return Outcome(values, *lines)
