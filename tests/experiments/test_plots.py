"""Plots."""

from relsent_ir.experiments.plots import plot


def test_the_same_data_give_the_same_bytes() -> None:
    """One SVG file under its name, with its labels, and no date."""
    found: dict[str, bytes] = {}
    for name in ("curve", "curve", "other"):
        before = found.get(name)
        with plot(found, name, "pairs", "BE") as axes:
            axes.plot([1, 2], [3, 4], label="Huber")
        assert before in (None, found[name])
    assert sorted(found) == ["curve", "other"]
    assert found["curve"].startswith(b"<?xml")
    assert b"Huber" in found["curve"]
    assert b"BE" in found["curve"]
    assert b"dc:date" not in found["curve"]
