"""What of the documents that feedback reads stays in memory."""

import sys
from concurrent.futures import ThreadPoolExecutor

from relsent_ir.feedback import pool
from relsent_ir.feedback.pool import Documents
from relsent_ir.hits import Hits
from relsent_ir.lucene.read.index import Index
from relsent_ir.records import Record


def test_large_pools_are_not_kept(build, monkeypatch):
    """Five counts are read again where four are the most; three stay."""
    texts = {"a": "mucus sodium sweat", "b": "mucus lung"}
    with Index(build([Record(name, text) for name, text in texts.items()])) as index:
        monkeypatch.setattr(pool, "POOL_COUNTS_MAX", 4)
        documents = Documents(index)
        one, both = ({"1": Hits.ranked(names, [1.0] * len(names))} for names in (["a"], ["a", "b"]))
        assert documents.pool({"1": ""}, one) is documents.pool({"1": ""}, one)
        assert documents.pool({"1": ""}, both) is not documents.pool({"1": ""}, both)


def test_threads_share_the_reader(build, monkeypatch):
    """Eight threads that keep more pools than stay get what one gets, and no error."""
    names = [f"r{n}" for n in range(60)]
    with Index(build([Record(name, f"mucus {name}") for name in names])) as index:
        monkeypatch.setattr(pool, "CACHED", 40)
        documents = Documents(index)

        def read(name: str) -> list[str]:
            return documents.pool({"1": ""}, {"1": Hits.ranked([name], [1.0])}).documents

        interval = sys.getswitchinterval()
        sys.setswitchinterval(1e-6)
        try:
            with ThreadPoolExecutor(8) as threads:
                assert list(threads.map(read, names * 20)) == [[name] for name in names * 20]
        finally:
            sys.setswitchinterval(interval)
