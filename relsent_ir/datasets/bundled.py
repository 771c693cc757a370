"""The packaged sample of invented records, which needs no network."""

from pathlib import Path
from typing import Final

from relsent_ir.datasets.catalogue import Fetched
from relsent_ir.files import atomic_writer
from relsent_ir.trec import read_qrels, read_topics

NAME: Final = "sample"
SAMPLE: Final = Path(__file__).with_name(NAME)
"""The folder of the sample: records, an update, topics and judgements."""


def fetch(output: Path) -> Fetched:
    """Copy records, topics and judgements to the folders of other collections."""
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
    """Write a file of the sample unless it exists; return whether it was written."""
    data = (SAMPLE / name).read_bytes()
    if path.is_file() and path.read_bytes() == data:
        return False
    with atomic_writer(path) as lines:
        lines.write(data.decode())
    return True
