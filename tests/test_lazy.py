"""Names that are loaded when they are first used."""

import sys

import pytest

from relsent_ir.lazy import lazily


def test_lazily() -> None:
    """A name comes from its module, under its own name there, and is kept in the package."""
    load = lazily("relsent_ir.trec", {"topic_formats": ["Topic", "Renamed"]}, {"Renamed": "Topic"})
    try:
        from relsent_ir.trec.topic_formats import Topic

        assert load("Topic") is load("Renamed") is Topic
        assert vars(sys.modules["relsent_ir.trec"])["Renamed"] is Topic
    finally:
        for name in ("Topic", "Renamed"):
            vars(sys.modules["relsent_ir.trec"]).pop(name, None)
    with pytest.raises(AttributeError, match="has no nothing"):
        load("nothing")
