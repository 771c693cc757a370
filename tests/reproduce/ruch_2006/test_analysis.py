"""What the page of argumentative feedback may say of two ways of searching."""

from relsent_ir.tuning import Tuned, select
from relsent_ir.tuning.selection import Split
from reproduce.ruch_2006.analysis import _versus
from reproduce.ruch_2006.systems import DEFAULT, System, paired

TOPICS = [str(n) for n in range(8)]
SPLITS = [Split(tuple(TOPICS[:2]), tuple(TOPICS[2:])), Split(tuple(TOPICS[2:]), tuple(TOPICS[:2]))]


def _tuned(*values: float) -> Tuned[System]:
    scores = dict(zip(TOPICS, values, strict=True))
    return select([System(DEFAULT)], lambda _: scores, SPLITS)


def test_sign_test_decides() -> None:
    """Eight topics of eight have p = 2 / 2⁸; topics count, not means."""
    half = _tuned(*[0.5] * 8)
    assert paired(half, _tuned(*[0.4] * 8)) == ([0.5] * 8, [0.4] * 8)
    assert _versus(half, _tuned(*[0.4] * 8)) == "above (p 0.0078)"
    assert _versus(_tuned(*[0.4] * 8), half) == "below (p 0.0078)"
    assert _versus(half, _tuned(*[0.4] * 7, 0.6)) == "not significantly above (p 0.07)"
    other = _tuned(*[0.49] * 7, 1.0)
    assert _versus(_tuned(*[0.5] * 8), other) == "not significantly above (p 0.07)"
