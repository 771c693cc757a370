"""Ours against the other methods, on invented runs."""

from relsent_ir.experiments.shatkay_wilbur_2000.kernels import Kernels
from relsent_ir.experiments.shatkay_wilbur_2000.tables import quality
from relsent_ir.hits import Hits, Run


def _run(first: str) -> Run:
    """Find the only relevant record of each kernel, x, on the first rank or on the second."""
    ids = ["x", "y"] if first == "x" else ["y", "x"]
    return {f"t/{n}": Hits.ranked(ids, [2.0, 1.0]) for n in range(6)}


def test_where_ours_is_lower() -> None:
    """What is lower is named, with the table's p; what is not, is not."""
    kernels = Kernels(
        "c", {f"t/{n}": {"x": 1} for n in range(6)}, {f"t/{n}": "k" for n in range(6)}
    )
    mixed = {**_run("x"), "t/0": _run("y")["t/0"]}
    measured = {"BM25": _run("x"), "pmra": mixed, "themes, ours": _run("y")}
    found = quality({"a set": kernels}, {"a set": measured}, {})
    rows = found["results"].splitlines()
    assert rows[2] == "| BM25 | 1.0000 | 0.1000 |"
    assert rows[4] == "| themes, ours | 0.5000 | 0.1000 |"
    assert "| a set: BM25 | MAP | -0.5000 | 0/6/0 | 0 | 0 |" in found["against"]
    assert found["lower"] == (
        "BM25, MAP on a set, -0.5000, below (p < 0.001); "
        "pmra, MAP on a set, -0.4167, below (p 0.012)"
    )
    same = quality({"a set": kernels}, {"a set": {**measured, "themes, ours": _run("x")}}, {})
    assert same["lower"] == "nowhere"
