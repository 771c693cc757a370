"""What experiments are asked for."""

from relsent_ir.experiments.request import Request, Steps


def test_steps() -> None:
    """Each call tells of one more, of nobody knows how many."""
    told: list[tuple[int, int | None]] = []
    steps = Steps(Request(progress=lambda done, total: told.append((done, total))))
    steps()
    steps()
    assert told == [(1, None), (2, None)]
