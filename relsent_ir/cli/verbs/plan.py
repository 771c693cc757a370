"""``relsent-ir plan``: what an index will take, before a long build starts."""

from dataclasses import asdict
from pathlib import Path

from relsent_ir.cli import options
from relsent_ir.cli.output import print_result, progress

HOUR, MINUTE = 3600, 60


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
    as_json: bool = options.as_json,
) -> None:
    """Foresee the disk, memory and time of an index, from a sample of its files.

    The sample is indexed in a folder for temporary files; nothing is written to DIR.
    """
    from relsent_ir.lucene.write.planning import plan_index
    from relsent_ir.lucene.write.tagging import model_tagger
    from relsent_ir.records import list_inputs

    tagger = model_tagger(None if moves == "default" else Path(moves)) if moves else None
    files, _ = list_inputs(inputs, form)
    with progress("Sampling", "steps") as tick:
        plan = plan_index(files, index, tagger=tagger, threads=threads, progress=tick)
    fits = plan.most < plan.free
    lines = {
        "files": f"{plan.files:,}, {_bytes(plan.bytes)}",
        "sample": f"{plan.sampled:,} records",
        "records": f"{plan.records:,}",
        "sentences": f"{plan.sentences:,}",
        "disk": f"{_bytes(plan.index)}, up to {_bytes(plan.most)} while segments are merged; "
        f"{_bytes(plan.free)} are free" + ("" if fits else ": TOO LITTLE"),
        "  in memory": f"{_bytes(plan.postings)} more, once --engine matrix searches both",
        "memory": f"up to {_bytes(plan.memory)}",
        "time": f"{_time(plan.clock)} with --threads {plan.threads}, of {plan.processors} "
        "processors",
    }
    stages = {f"  {stage}": f"{_time(s)} of one processor" for stage, s in plan.seconds.items()}
    told = (f"{name:<14}{value}" for name, value in (lines | stages).items())
    print_result({**asdict(plan), "fits": fits}, as_json, *told)


def _bytes(number: float) -> str:
    return f"{number / 1e9:,.1f} GB" if number >= 1e9 else f"{number / 1e6:,.1f} MB"


def _time(seconds: float) -> str:
    if seconds >= HOUR:
        return f"{seconds / HOUR:,.1f} hours"
    return f"{seconds / MINUTE:.1f} minutes" if seconds >= MINUTE else f"{seconds:.1f} s"
