"""``relsent-ir fetch``: collections, with their topics and qrels."""

from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from relsent_ir.cli import options
from relsent_ir.cli.output import Outcome, counted, progress
from relsent_ir.datasets.catalogue import COLLECTIONS


@options.verb()
def command(
    name: str | None = options.argument(
        "[NAME]",
        required=False,
        type=str,
        shell_complete=lambda _ctx, _param, begun: [n for n in COLLECTIONS if n.startswith(begun)],
    ),
    as_list: bool = options.flag("--list", "List the collections, and fetch nothing."),
    request: dict[str, Any] = options.grouped(
        dict,
        source=options.file(
            "--from",
            "Take the original files from this folder.  "
            "[default: NAME in RELSENT_DATA, or the web]",
            metavar="DIR",
        ),
        url=options.option("Take them from this folder of the web, a mirror.", metavar="BASE"),
        output=options.file(
            "Write collections/, topics/ and qrels/ there.  [default: the current folder]",
            default=Path(),
            metavar="DIR",
        ),
        files=options.option(
            "Of pubmed-baseline or -updates by number: 1-20,35 or all.", metavar="RANGE"
        ),
        baseline=options.option("Of pubmed, baseline files: 1-20,35 or all.", metavar="RANGE"),
        updates=options.option(
            "Of pubmed, update files; all, or by number.",
            is_flag=False,
            flag_value="all",
            metavar="[RANGE]",
        ),
        query=options.option(
            "Of pubmed or europe-pmc, the records that this query finds there.", metavar="QUERY"
        ),
        pmids=options.file("Of pubmed, the records of these PMIDs."),
        connections=options.connections,
        download=options.flag("Let ir_datasets download what irds:NAME lacks."),
    ),
) -> Outcome:
    """Fetch a collection; write its topics and qrels in TREC form.

    NAME is sample, cystic-fibrosis, ohsumed, pubmed, pubmed-baseline, pubmed-updates, europe-pmc,
    beir:scifact, beir:nfcorpus, beir:trec-covid, stop-lists or mesh (--list says more), or
    irds:NAME of ir_datasets.

    Files are checked against their sums. What is there and right is not fetched again, and the
    same command goes on where a cut one stopped; of a query it brings what is new, revised or
    withdrawn. NCBI_API_KEY in the environment lets PubMed answer ten times a second, not three.
    """
    if as_list:
        lines = []
        for source in COLLECTIONS.values():
            labels = ("content", "size", "web", "licence")
            lines += [source.name, *(f"  {of + ':':<9}{getattr(source, of)}" for of in labels)]
        return Outcome({key: asdict(source) for key, source in COLLECTIONS.items()}, *lines)
    if name is None:
        raise click.UsageError("Name a collection: " + ", ".join(COLLECTIONS) + " (see --list).")
    from relsent_ir.datasets import fetch

    unit = "records" if request["query"] or request["pmids"] else "B"
    with progress(f"Fetching {name}", unit) as tick:
        fetched = fetch(name, tick=tick, **request)
    written = {"topic": fetched.topics, "judgement": fetched.qrels}
    lines = [
        f"{path}: {counted(n, noun)}" for noun, of in written.items() for path, n in of.items()
    ]
    if fetched.files:
        files = counted(len(fetched.files), "file")
        lines.insert(0, f"{fetched.folder}: {files}, {fetched.new} of them new")
    if fetched.note:
        lines.append(f"records: {fetched.note}")
    topics, qrels = ({str(path): n for path, n in of.items()} for of in written.values())
    values = {
        "name": fetched.name,
        "folder": str(fetched.folder),
        "files": [str(path) for path in fetched.files],
        "new": fetched.new,
        **({"records": fetched.note} if fetched.note else {}),
        "topics": topics,
        "qrels": qrels,
    }
    return Outcome(values, *lines)
