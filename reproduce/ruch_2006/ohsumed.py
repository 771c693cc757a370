"""OHSUMED as Ruch et al. used it: the records of 1988-91 that have an abstract."""

from pathlib import Path
from typing import Final

from relsent_ir.files import atomic_writer
from relsent_ir.lucene.analyzers import Analysis
from relsent_ir.lucene.read.index import Index
from relsent_ir.lucene.write.indexing import build_index
from relsent_ir.records import read_records
from relsent_ir.trec import Qrels, read_qrels, read_topics
from reproduce.page import Request

RECORDS: Final = Path("collections", "ohsumed", "ohsumed.88-91")
TOPICS: Final = Path("topics", "ohsumed.tsv")
QRELS: Final = Path("qrels", "ohsumed-88-91.txt")
"""Where `relsent-ir fetch ohsumed` puts them, below the current folder."""
NAME: Final = "ohsumed-88-91-abstracts"


def ohsumed(request: Request, analysis: Analysis) -> tuple[Path, dict[str, str], Qrels] | None:
    """Index the records with abstracts, and read the topics with a relevant one among them.

    Returns
    -------
    folder of the indexes, topics and qrels; None
        None if the collection was not fetched.
    """
    if not all(path.exists() for path in (RECORDS, TOPICS, QRELS)):
        return None
    folder = request.indexes / NAME
    records = request.indexes / f"{NAME}.jsonl.gz"
    if not records.exists():
        with atomic_writer(records) as file:
            file.writelines(
                record.to_json() + "\n" for record in read_records(RECORDS) if record.abstract
            )
    build_index([(records, "jsonl")], folder, analysis)
    with Index(folder) as index:
        known = set(index.ids())
    qrels = {
        topic: {name: grade for name, grade in grades.items() if name in known}
        for topic, grades in read_qrels(QRELS).items()
    }
    texts = read_topics(TOPICS)
    topics = {topic: texts[topic] for topic in texts if any(qrels.get(topic, {}).values())}
    return folder, topics, {topic: qrels[topic] for topic in topics}
