"""The tables of similar citations, and what is said of them, on invented measurements."""

from types import SimpleNamespace
from typing import Any

import numpy as np

from reproduce.tbahriti_2004 import run as tables
from reproduce.tbahriti_2004.run import BASELINE, COMBINATION, Found
from reproduce.tbahriti_2004.study import Measured

BASE = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8)
NOISY = (0.2, 0.1, 0.4, 0.3, 0.6, 0.5, 0.8, 0.75)


def _values(*values: float) -> Measured:
    return {name: np.array(values) for name in ("map", "P_5", "P_10")}


def _all_by(step: float) -> Measured:
    """Every topic by about as much."""
    return _values(*(x + step * (1 + 0.1 * (-1) ** i) for i, x in enumerate(BASE)))


def _found() -> Found:
    study: Any = SimpleNamespace(sets=[np.array([2 * i, 2 * i + 1]) for i in range(4)])
    return Found(
        "invented",
        study,
        {
            ("ltc.atn", False): _values(*BASE),
            ("ltc.atn", True): _all_by(0.01),
            ("atc.atn", False): _values(*NOISY),
        },
        {
            "PURPOSE": _all_by(0.05),
            "METHODS": _values(*NOISY),
            "RESULTS": _values(*BASE),
            "CONCLUSION": _all_by(-0.05),
        },
        {
            BASELINE: _values(*BASE),
            "PURPOSE, S·k": _all_by(0.001),
            COMBINATION: _values(*NOISY),
            "Learned: all": _all_by(0.1),
            "Learned: Huber sentences": _all_by(-0.01),
        },
    )


def test_table_3() -> None:
    """MAP, Holm's p against ltc.atn, the paper's figures."""
    rows = tables._table_3(_found()).splitlines()
    assert rows[3] == "| ltc.atn + T | 0.4600 | 0.000 | 0.1532 |"
    assert "| 0.4563 | 0.867 |" in rows[4]


def test_table_4() -> None:
    """The moves in their order; the sentence claims no more than the tests in the table."""
    found = tables._table_4(_found())
    rows = found["table_4"].splitlines()
    assert rows[2] == "| PURPOSE | 0.5000 | 111.1 % |  | 62.5 % |"
    assert rows[3] == "| METHODS | 0.4563 | 101.4 % | 0.240 | 16.4 % |"
    assert found["order"] == "PURPOSE, METHODS, RESULTS, CONCLUSION"
    assert found["told"] == (
        "METHODS, not significantly above (p 0.240); RESULTS, above (p < 0.001); "
        "CONCLUSION, above (p < 0.001)"
    )


def test_table_5_and_what_it_bears_out() -> None:
    """Sentences have the p of the table, which is corrected: alone, t has 0.023 for ours."""
    found = _found()
    rows = tables._table_5(found).splitlines()
    assert rows[4] == (
        f"| {COMBINATION} | 0.4563 | 0.4563 | 0.4563 | +1.4 % | 0.8667 |  | 0.1616 0.2320 0.1960 |"
    )
    assert rows[5].endswith("| +22.2 % | < 0.0001 | 0.0677 |  |")
    lines = tables._claims(found, {"Learned: all": "All"}).splitlines()
    assert lines == [
        "- The paper's tuned combination against the unboosted baseline: 0.4563 and 0.4500, "
        "not significantly above (p 0.867).",
        "- All against the paper's combination: 0.5500 and 0.4563, "
        "not significantly above (p 0.068).",
    ]
