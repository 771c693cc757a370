"""Grids, draws, and how their values are written."""

import pytest

from relsent_ir.errors import UsageError
from relsent_ir.tuning import drawn, grid, parse_texts, parse_values
from relsent_ir.tuning.grid import described, spelled


def test_parse_values() -> None:
    """Numbers, each once, or a range."""
    found = parse_values("5,10,5", whole=True)
    assert (found.several, found.whole) == ((5.0, 10.0), True)
    assert parse_values("0.5,1").several == (0.5, 1.0)
    ranged = parse_values("0.5:2")
    assert (ranged.several, ranged.low, ranged.high) == ((), 0.5, 2.0)


@pytest.mark.parametrize("text", ["", "x", "1,", "2:1", "1:2:3", "nan", "inf", "1:", "0.1:nan"])
def test_bad_values(text: str) -> None:
    """What is no number is refused."""
    with pytest.raises(UsageError):
        parse_values(text)


def test_whole_numbers() -> None:
    """A flag of whole numbers takes no fractions."""
    with pytest.raises(UsageError, match="whole numbers"):
        parse_values("0.5", whole=True)


def test_parse_texts() -> None:
    """Texts, each once; a plus stands for a comma; none is empty."""
    assert parse_texts("ltn, A=1+B,ltn").several == ("ltn", "A=1,B")
    with pytest.raises(UsageError, match="cannot read the values 'a,'"):
        parse_texts("a,")


def test_grid() -> None:
    """All combinations, the last flag fastest; a range needs draws."""
    values = {"--a": parse_values("1,2"), "--b": parse_values("3,4")}
    found = [tuple(setting.values()) for setting in grid(values)]
    assert found == [(1, 3), (1, 4), (2, 3), (2, 4)]
    with pytest.raises(UsageError, match="--random"):
        grid({"--a": parse_values("1:2")})


def test_drawn() -> None:
    """As many different settings as there are, within their ranges, the same for a seed."""
    values = {"--k": parse_values("5:7", whole=True), "--b": parse_values("0.25:0.75")}
    found = drawn(values, 30, seed=1)
    assert len(found) == 30
    assert {setting["--k"] for setting in found} == {5.0, 6.0, 7.0}
    assert all(0.25 <= setting["--b"] <= 0.75 for setting in found)
    assert found == drawn(values, 30, seed=1)
    assert len(drawn({"--k": parse_values("1,2")}, 10)) == 2
    with pytest.raises(UsageError, match="at least 1"):
        drawn(values, 0)


def test_spelling() -> None:
    """Whole numbers are written without a point, as flags of whole numbers need."""
    assert (spelled("A=1,B"), described({"--a": "x"})) == ("A=1,B", "--a x")
    assert (spelled(20.0), spelled(0.75)) == ("20", "0.75")
    assert described({"--k": 5.0, "--b": 0.5}) == "--k 5 --b 0.5"
