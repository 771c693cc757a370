"""A quick first answer: Java starts and loads Lucene's classes while Python still imports."""

from pathlib import Path

from relsent_ir.engines import engine_of
from relsent_ir.lucene.jvm import begin_with, exclusive, java


def warm_up(folder: Path) -> None:
    """Begin a first search of an index in another thread, for a process that answers one query.

    Loading Lucene's thousand classes is half of what such a process does.
    """
    if not engine_of(folder):
        begin_with(lambda: _search(folder))


def _search(folder: Path) -> None:
    with exclusive():
        java("org.apache.lucene.codecs.Codec").getDefault()  # takes the longest

    from relsent_ir.lucene.read.index import Index
    from relsent_ir.lucene.read.search import Searcher

    with Index(folder, "sentences") as index:
        Searcher(index).search({"": "warm"}, 1)
