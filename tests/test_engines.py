"""What an index of any engine answers."""

import inspect

import pytest

from relsent_ir.engines import INDEX_METHODS
from relsent_ir.lucene.read.index import Index
from relsent_ir.opensearch.index import ClusterIndex


def parameters(kind: type, name: str) -> list[inspect.Parameter] | None:
    """Return the parameters of a method without self; None for a property or a value."""
    if not callable(getattr(kind, name)):
        return None
    return [
        of for of in inspect.signature(getattr(kind, name)).parameters.values() if of.name != "self"
    ]


@pytest.mark.parametrize("name", INDEX_METHODS)
def test_a_cluster_is_asked_as_lucene_is(name: str) -> None:
    """The same parameters with the same defaults, or a property; further ones are optional."""
    here, there = (parameters(kind, name) for kind in (Index, ClusterIndex))
    assert (here is None) is (there is None)
    if here is None or there is None:
        return
    shared = len(there)
    assert [(of.name, of.kind, of.default) for of in here[:shared]] == [
        (of.name.lstrip("_"), of.kind, of.default) for of in there
    ]
    assert all(of.default is not of.empty for of in here[shared:])
