"""Names and values of a grid as flags of methods."""

import pytest

from relsent_ir.errors import UsageError
from relsent_ir.method import parameters
from relsent_ir.methods import BM25, Fields, FromMoves, Fusion, Rocchio
from relsent_ir.tuning.flags import Flags

DECLARED = [one for kind in (BM25, Fields, FromMoves, Fusion, Rocchio) for one in parameters(kind)]
FLAGS = Flags("search", {flag: one for one in DECLARED for flag in one.flags})


def test_split() -> None:
    """A part follows the last dot; a flag with a dot of its own is whole."""
    assert FLAGS.split("--argumentative.MESH") == ("--argumentative", "MESH")
    assert FLAGS.split("--rrf.k") == ("--rrf.k", "")
    assert FLAGS.split("--k1") == ("--k1", "")


def test_values() -> None:
    """A parameter's type says how its values are read; a part is a number."""
    assert FLAGS.values("--k1", "0.5,1").several == (0.5, 1.0)
    assert FLAGS.values("--argumentative.RESULTS", "1:2").high == 2.0
    assert FLAGS.values("--fb-weighting", "tf,ltn").several == ("tf", "ltn")
    with pytest.raises(UsageError, match="whole numbers"):
        FLAGS.values("--rrf.k", "1.5")
    with pytest.raises(UsageError, match="search has no flag --mu"):
        FLAGS.values("--mu", "1")
    with pytest.raises(UsageError, match="--k1 has no parts"):
        FLAGS.values("--k1.x", "1")


def test_given() -> None:
    """Parts are joined: by names, by numbers in their order, and without moves of weight 0."""
    assert FLAGS.given(
        {"--k1": 1.0, "--argumentative.results": 2.0, "--argumentative.purpose": 0.5}
    ) == {"--k1": 1.0, "--argumentative": "RESULTS=2,PURPOSE=0.5"}
    assert FLAGS.given({"--weights.2": 3.0, "--weights.1": 1.0}) == {"--weights": "1,3"}
    moves = {"--argumentative.title": 0.0, "--argumentative.results": 1.0}
    assert FLAGS.given(moves) == {"--argumentative": "RESULTS=1"}
    assert FLAGS.given({"--argumentative.title": 0.0}) == {"--argumentative": "DOCUMENT"}
