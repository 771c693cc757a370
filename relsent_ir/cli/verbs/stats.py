"""``relsent-ir stats``: what an index holds."""

from pathlib import Path

from relsent_ir.cli import options
from relsent_ir.cli.output import Outcome


@options.verb()
def command(index: Path = options.index) -> Outcome:
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
    lines = [f"{name:22}{value}" for name, value in values.items()]
    for unit, counts in units.items():
        lines += [unit, *(f"  {name:20}{count}" for name, count in counts.items())]
    if ambiguous:
        lines.append("ids of records that are also ids of sentences")
        lines += [f"  {name}" for name in ambiguous]
    return Outcome(values | units | ({"ambiguous": ambiguous} if ambiguous else {}), *lines)
