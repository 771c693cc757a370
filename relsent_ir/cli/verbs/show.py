"""``relsent-ir show`` and ``stats``: records with their moves, and facts about an index."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from relsent_ir.cli import options
from relsent_ir.cli.output import Display, Outcome, print_json
from relsent_ir.errors import InputError

if TYPE_CHECKING:
    from relsent_ir.hit import WordEvidence
    from relsent_ir.records import Record, Sentence


@options.verb()
def command(
    ids: tuple[str, ...] = options.argument("ID...", nargs=-1, required=True, type=str),
    index: Path = options.index,
    text: str = options.option("Mark the words of this query.", default=""),
    view: Display = options.view,
) -> None:
    """Show records, each sentence with its move; of a sentence's id, its record, with an arrow.

    A single - reads the ids from standard input.
    """
    import json

    from relsent_ir.hit import WordEvidence
    from relsent_ir.hits import owner
    from relsent_ir.lucene.read.collection import Indexes
    from relsent_ir.records.references import link

    arguments: Sequence[str] = ids
    if ids == ("-",):
        arguments = sys.stdin.read().split()
    names = list(dict.fromkeys(arguments))
    if not names:
        raise InputError("no ids", where="standard input")
    with Indexes(index) as collection:
        whole = collection.whole(names, strict=False)
        owners = [name if yes else owner(name) for name, yes in zip(names, whole, strict=True)]
        records = collection.records(owners)
        tagged = collection.tagged(records)
        words = WordEvidence(collection.facts.analysis)
        if view.form in ("csv", "ris", "bibtex"):
            view.records(records)
            return
        for i, (name, record, sentences) in enumerate(zip(names, records, tagged, strict=True)):
            if view.form == "json":
                stored: dict[str, Any] = json.loads(record.to_json())
                own = {} if name == record.id else {"sentence": name}
                body = [
                    {"id": s.id, "move": s.move, "score": s.score, "text": s.text}
                    for s in sentences
                ]
                print_json({**stored, "link": link(record), **own, "sentences": body})
                continue
            if i:
                click.echo()
            _show(view, name, record, sentences, text, words)


def _show(
    view: Display,
    name: str,
    record: "Record",
    sentences: "tuple[Sentence, ...]",
    text: str,
    words: "WordEvidence",
) -> None:
    """Print a record: title, authors, source, its sentences with their moves, its MeSH terms."""
    from relsent_ir.records.record import shown
    from relsent_ir.records.references import link

    screen = view.screen
    title = record.title or record.vernacular_title
    screen.sentence(title, words.spans(text, title), lead=f"{record.id}  ")
    kinds = "; ".join(record.publication_types)
    issue = f"({record.issue})" if record.issue else ""
    pages = f":{record.pages}" if record.pages else ""
    parts = (record.journal, record.year, record.volume + issue + pages, kinds)
    printed = ", ".join(filter(None, parts))
    doi = f"doi:{record.doi}" if record.doi else ""
    for line in (", ".join(record.authors), printed or record.printed_in, link(record), doi):
        if line:
            screen.faint(line)
    if len(sentences) > 1:
        click.echo()
    for sentence in sentences:
        if sentence.n:
            arrow = ">" if sentence.id == name else " "
            lead = f"{arrow}{sentence.n:>3}  "
            marks = words.spans(text, sentence.text)
            screen.sentence(sentence.text, marks, lead=lead, move=sentence.move)
    if record.mesh:
        click.echo()
        terms = (mesh.heading + "*" * mesh.major for mesh in record.mesh)
        screen.faint(f"MeSH: {'; '.join(terms)}")
    for name, value in (*shown(record), *record.own):
        if value:
            screen.faint(f"{name}: {value}")


@options.verb()
def stats(index: Path = options.index) -> Outcome:
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
