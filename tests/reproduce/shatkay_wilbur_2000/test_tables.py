"""Ours against the other methods, on invented runs."""

from relsent_ir.hits import Hits, Run
from reproduce.shatkay_wilbur_2000.run import quality
from reproduce.shatkay_wilbur_2000.systems import Kernels


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
    assert (
        "| a set: BM25 | MAP | -0.5000 | -0.5000 to -0.5000 | 0/6/0 | 0 | 0 |" in found["against"]
    )
    assert found["lower"] == (
        "BM25, MAP on a set, -0.5000, below (p < 0.001); "
        "pmra, MAP on a set, -0.4167, below (p 0.012)"
    )
    same = quality({"a set": kernels}, {"a set": {**measured, "themes, ours": _run("x")}}, {})
    assert same["lower"] == "nowhere"


def test_mean_of_the_sets() -> None:
    """Each set counts alike, however many kernels it has."""
    kernels = Kernels(
        "c", {f"t/{n}": {"x": 1} for n in range(6)}, {f"t/{n}": "k" for n in range(6)}
    )
    few = Kernels("d", {f"t/{n}": {"x": 1} for n in range(2)}, {f"t/{n}": "k" for n in range(2)})
    two = {name: _run("x")[name] for name in few.kernel}
    worse = {name: _run("y")[name] for name in few.kernel}
    mixed = {**_run("y"), "t/0": _run("x")["t/0"]}
    measured = {
        "a": {"BM25": mixed, "themes, ours": _run("x")},
        "b": {"BM25": two, "themes, ours": worse},
    }
    found = quality({"a": kernels, "b": few}, measured, {})
    # a: 5/12 in the mean, variance 1/24 of the six; b: -1/2 exactly; half of the sum each
    assert found["results"].splitlines()[2].endswith(" 1.0000 | 0.1000 | 0.7917 | 0.1000 |")
    # error sqrt(1/24/6)/2 = 0.0417; Student's t of 6 + 2 - 2 at 0.975 is 2.4469
    assert (
        "| mean of the sets: BM25 | MAP | -0.0417 | -0.1436 to +0.0603 | 5/2/1 |"
        in found["against"]
    )
