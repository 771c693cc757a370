"""What of the documents that feedback reads stays in memory."""

from collections.abc import Callable
from pathlib import Path

import pytest

from relsent_ir.feedback import pool
from relsent_ir.feedback.pool import Documents
from relsent_ir.hits import Hits
from relsent_ir.lucene.read.index import Index
from relsent_ir.records import Record


def test_large_pools_are_not_kept(
    build: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Five counts are read again where four are the most; three stay."""
    texts = {"a": "mucus sodium sweat", "b": "mucus lung"}
    with Index(build([Record(name, text) for name, text in texts.items()])) as index:
        monkeypatch.setattr(pool, "LARGEST", 4)
        documents = Documents(index)
        one, both = ({"1": Hits.ranked(names, [1.0] * len(names))} for names in (["a"], ["a", "b"]))
        assert documents.pool({"1": ""}, one) is documents.pool({"1": ""}, one)
        assert documents.pool({"1": ""}, both) is not documents.pool({"1": ""}, both)
