"""``relsent-ir fetch``: collections, with their topics and qrels."""

from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from relsent_ir.cli import options
from relsent_ir.cli.output import counted, print_json, print_result, progress
from relsent_ir.datasets.catalogue import COLLECTIONS


def complete_names(_ctx: click.Context, _param: click.Parameter, begun: str) -> list[str]:
    """Complete the name of a collection, for shells."""
    return [name for name in COLLECTIONS if name.startswith(begun)]


@click.command(cls=options.Command)
@click.argument("name", required=False, metavar="[NAME]", shell_complete=complete_names)
@click.option("--list", "as_list", is_flag=True, help="List the collections, and fetch nothing.")
@options.file(
    "--from",
    "source",
    metavar="DIR",
    help="Take the original files from this folder.  [default: NAME in RELSENT_DATA, or the web]",
)
@click.option("--url", metavar="BASE", help="Take them from this folder of the web, a mirror.")
@options.file(
    "--output",
    default=Path(),
    metavar="DIR",
    help="Write collections/, topics/ and qrels/ there.  [default: the current folder]",
)
@click.option(
    "--files", metavar="RANGE", help="Of pubmed-baseline or -updates by number: 1-20,35 or all."
)
@click.option("--baseline", metavar="RANGE", help="Of pubmed, baseline files: 1-20,35 or all.")
@click.option(
    "--updates",
    is_flag=False,
    flag_value="all",
    metavar="[RANGE]",
    help="Of pubmed, update files; all, or by number.",
)
@options.connections
@click.option("--download", is_flag=True, help="Let ir_datasets download what irds:NAME lacks.")
@options.as_json
def command(name: str | None, as_list: bool, as_json: bool, **request: Any) -> None:
    """Fetch a collection; write its topics and qrels in TREC form.

    NAME is sample, cystic-fibrosis, ohsumed, mancon, pubmed, pubmed-baseline, pubmed-updates,
    stop-lists or mesh (--list says more), or irds:NAME, topics and qrels of ir_datasets.

    Files are checked against their sums. What is there and right is not fetched again, and the
    same command goes on where a cut one stopped.
    """
    if as_list:
        _print_list(as_json)
        return
    if name is None:
        raise click.UsageError("Name a collection: " + ", ".join(COLLECTIONS) + " (see --list).")
    from relsent_ir.datasets import fetch

    with progress(f"Fetching {name}", "B") as tick:
        fetched = fetch(name, tick=tick, **request)
    written = {"topic": fetched.topics, "judgement": fetched.qrels}
    lines = [
        f"{path}: {counted(n, noun)}" for noun, of in written.items() for path, n in of.items()
    ]
    if fetched.files:
        files = counted(len(fetched.files), "file")
        lines.insert(0, f"{fetched.folder}: {files}, {fetched.new} of them new")
    topics, qrels = ({str(path): n for path, n in of.items()} for of in written.values())
    values = {
        "name": fetched.name,
        "folder": str(fetched.folder),
        "files": [str(path) for path in fetched.files],
        "new": fetched.new,
        "topics": topics,
        "qrels": qrels,
    }
    print_result(values, as_json, *lines)


def _print_list(as_json: bool) -> None:
    if as_json:
        print_json({name: asdict(collection) for name, collection in COLLECTIONS.items()})
        return
    for collection in COLLECTIONS.values():
        click.echo(collection.name)
        for label in ("content", "size", "web", "licence"):
            click.echo(f"  {label + ':':<9}{getattr(collection, label)}")
