"""Invented graphs."""

from benchmarks.citations import synthetic_references
from relsent_ir.citation.graph import CitationGraph


def test_as_many_as_asked_for():
    """The number of references, some inside, the same again for the same seed."""
    ids, references = synthetic_references(3000, seed=1)
    assert sum(map(len, references)) == 3000
    assert len(ids) == len(references) == 100
    assert (ids, references) == synthetic_references(3000, seed=1)
    census = CitationGraph.from_keys(ids, references).census
    assert 0 < census.inside < census.references
    assert census.references + census.duplicates + census.to_itself == 3000
