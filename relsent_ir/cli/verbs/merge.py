"""``relsent-ir merge``: several indexes become one, each record once."""

from pathlib import Path

from relsent_ir.cli import options
from relsent_ir.cli.output import Outcome, progress


@options.verb()
def command(
    folders: tuple[Path, ...] = options.argument("DIR...", nargs=-1),
    output: Path = options.folder("--output", "The index to write.", required=True),
) -> Outcome:
    """Write one index of the records of several, which may overlap.

    Of a record that several have, the last one's is taken: name the newest last.
    """
    from relsent_ir.lucene.write.changing import merge_indexes

    with progress("Merging", "records") as tick:
        records, again = merge_indexes(folders, output, tick)
    values = {"index": str(output), "records": records, "again": again}
    return Outcome(values, f"{output}: {records} records; {again} that a later index had again")
