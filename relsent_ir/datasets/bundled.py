"""The sample of invented records that comes with the package: it needs no network."""

from pathlib import Path
from typing import Final

from relsent_ir.datasets.catalogue import Fetched
from relsent_ir.files import atomic_writer
from relsent_ir.trec import read_qrels, read_topics

NAME: Final = "sample"
SAMPLE: Final = Path(__file__).with_name(NAME)
"""Its folder: records, an update of them, topics and judgements."""


def fetch(output: Path) -> Fetched:
    """Copy the records, topics and judgements to where those of other collections are."""
    records = output / "collections" / NAME / "sample.xml"
    topics = output / "topics" / f"{NAME}.tsv"
    qrels = output / "qrels" / f"{NAME}.txt"
    new = _copy("sample.xml", records)
    _copy("topics.tsv", topics)
    _copy("qrels.txt", qrels)
    return Fetched(
        name=NAME,
        folder=records.parent,
        files=(records,),
        new=int(new),
        topics={topics: len(read_topics(topics))},
        qrels={qrels: sum(map(len, read_qrels(qrels).values()))},
    )


def _copy(name: str, path: Path) -> bool:
    """Write a file of the sample, unless it is there; return whether it was written."""
    data = (SAMPLE / name).read_bytes()
    if path.is_file() and path.read_bytes() == data:
        return False
    with atomic_writer(path) as lines:
        lines.write(data.decode())
    return True
