"""What an index of any engine answers."""

import inspect

import pytest

from relsent_ir.engines import INDEX_METHODS
from relsent_ir.lucene.read.index import Index
from relsent_ir.opensearch.index import ClusterIndex


@pytest.mark.parametrize("name", INDEX_METHODS)
def test_a_cluster_is_asked_as_lucene_is(name: str) -> None:
    """The same parameters with the same defaults, or a property; further ones are optional."""
    ours, theirs = (inspect.getattr_static(kind, name) for kind in (Index, ClusterIndex))
    assert isinstance(ours, property) is isinstance(theirs, property)
    if isinstance(ours, property):
        return
    here, there = (list(inspect.signature(of).parameters.values()) for of in (ours, theirs))
    shared = len(there)
    assert [(of.name, of.kind, of.default) for of in here[:shared]] == [
        (of.name.lstrip("_"), of.kind, of.default) for of in there
    ]
    assert all(of.default is not of.empty for of in here[shared:])
