"""``relsent-ir export``: an index's documents for OpenSearch, Elasticsearch and Solr."""

import json
import re
from contextlib import ExitStack
from pathlib import Path

from relsent_ir.cli import options
from relsent_ir.cli.output import Outcome, progress
from relsent_ir.errors import UsageError
from relsent_ir.files import atomic_writer

NAME = re.compile(r"[a-z0-9][a-z0-9_.+-]{0,254}")


@options.verb()
def command(
    index: Path = options.index,
    unit: str = options.unit,
    form: str = options.choice(
        "--to",
        "Whose bulk format is written; Elasticsearch's is OpenSearch's.",
        choices=["opensearch", "solr"],
        default="opensearch",
    ),
    name: str = options.option("The index there.", default="relsent", show_default=True),
    output: Path = options.file("The documents; .gz is packed.", required=True, metavar="FILE"),
    mapping: Path | None = options.file(
        "Write how they are analysed and scored, too.", metavar="FILE"
    ),
) -> Outcome:
    """Write the documents of an index, as other engines built on Lucene load them.

    They have the same fields; with --mapping they are analysed and scored there as here.
    """
    from relsent_ir.lucene import export
    from relsent_ir.lucene.read.collection import Indexes

    if not NAME.fullmatch(name):
        raise UsageError(
            f"--name {name!r} is no index's name there", fix="small letters, digits, -"
        )
    if mapping and mapping.absolute() == output.absolute():
        raise UsageError("--output and --mapping are the same file")
    count = 0
    with ExitStack() as opened:
        collection = opened.enter_context(Indexes(index))
        total = len(collection.abstracts if unit == "abstracts" else collection.sentences)
        file = opened.enter_context(atomic_writer(output))
        tick = opened.enter_context(progress("Writing", unit))
        for document in export.documents(collection, unit):
            file.write(export.entry(document, form, name))
            count += 1
            if count % 1000 == 0 or count == total:
                tick(count, total)
        if mapping:
            fields = export.mapping(collection.facts.analysis, form)
            with atomic_writer(mapping) as text:
                text.write(json.dumps(fields, indent=1) + "\n")
    counts = {"output": str(output), "documents": count, "unit": unit, "to": form}
    return Outcome(counts, f"{output}: {count} {unit} for {form}", written=output)
