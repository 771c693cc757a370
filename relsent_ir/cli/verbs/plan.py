"""``relsent-ir plan``: what an index will take, before a long build starts."""

from dataclasses import asdict
from pathlib import Path

from relsent_ir.cli import options
from relsent_ir.cli.output import Outcome, progress


@options.verb()
def command(
    inputs: tuple[Path, ...] = options.files(
        "--input", "Files and folders of records, in any mixture of formats.", required=True
    ),
    index: Path = options.folder("Where it is to be.  [default: this folder]", default=Path()),
    form: str | None = options.records_format,
    moves: str | None = options.option(
        "As for index.", is_flag=False, flag_value="default", metavar="[MODEL]"
    ),
    threads: int = options.processes,
) -> Outcome:
    """Foresee the disk, memory and time of an index, from a sample of its files.

    The sample is indexed in a folder for temporary files; nothing is written to DIR.
    """
    from relsent_ir.lucene.write.changing import model_tagger
    from relsent_ir.lucene.write.planning import plan_index
    from relsent_ir.records import list_inputs

    tagger = model_tagger(None if moves == "default" else Path(moves)) if moves else None
    files, _ = list_inputs(inputs, form)
    with progress("Sampling", "steps") as tick:
        plan = plan_index(files, index, tagger=tagger, threads=threads, progress=tick)
    return Outcome({**asdict(plan), "fits": plan.fits}, str(plan))
