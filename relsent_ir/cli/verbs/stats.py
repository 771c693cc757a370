"""``relsent-ir stats``: what an index holds."""

from pathlib import Path

import click

from relsent_ir.cli import options
from relsent_ir.cli.output import print_json


@options.verb()
def command(index: Path = options.index, as_json: bool = options.as_json) -> None:
    """Describe an index: its analysis, its sources, and the counts that Anserini prints."""
    from relsent_ir.lucene.read.collection import Indexes

    with Indexes(index) as collection:
        abstracts, sentences, facts = collection.abstracts, collection.sentences, collection.facts
        units = {opened.unit: opened.statistics() for opened in (abstracts, sentences)}
        undated = abstracts.without_year if facts.filters else "unknown"
        ambiguous = collection.ambiguous()
    values = {
        "index": str(index),
        "stemmer": facts.analysis.stemmer,
        "stopwords": len(facts.analysis.stopwords),
        "sources": len(facts.sources),
        "finished": not facts.missing,
        "skipped": sum(source.skipped for source in facts.sources),
        "without_year": undated,
    }
    if as_json:
        print_json(values | units | ({"ambiguous": ambiguous} if ambiguous else {}))
        return
    for name, value in values.items():
        click.echo(f"{name:22}{value}")
    for unit, counts in units.items():
        click.echo(unit)
        for name, count in counts.items():
            click.echo(f"  {name:20}{count}")
    if ambiguous:
        click.echo("ids of records that are also ids of sentences")
        for name in ambiguous:
            click.echo(f"  {name}")
