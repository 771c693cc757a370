"""The picture of a map."""

import re
from xml.etree import ElementTree

import numpy as np
import pytest

from relsent_ir.themes import MapTheme, ThemeMap, draw_map
from relsent_ir.themes.mapping import _apart

SVG = "{http://www.w3.org/2000/svg}"


def _map(count: int, title: str = "A title") -> ThemeMap:
    themes = tuple(
        MapTheme(f"i{n}", title, f"ant {n}", ("ant", "bee"), 9, 9, n, ("i1",), n / 10 - 0.1, -n / 4)
        for n in range(count)
    )
    alike = np.full((count, count), 0.3)
    np.fill_diagonal(alike, 1)
    return ThemeMap(themes, alike, alike, 90, 0.5, None, 0.8, 0.1)


def test_what_is_drawn() -> None:
    """A circle and two lines of text a theme, a line for each overlap, no script."""
    drawn = draw_map(_map(5))
    tree = ElementTree.fromstring(drawn)
    assert len(tree.findall(f"{SVG}g/{SVG}circle")) == 5
    assert len(tree.findall(f"{SVG}line")) == 10
    texts = ["".join(text.itertext()) for text in tree.iter(f"{SVG}text")]
    assert "5 ant 44 records, NPMI 0.30, held out -1.00" in texts
    assert "50 % of 90 records on some theme; topic diversity 0.80, NPMI –" in texts
    assert "script" not in drawn
    assert draw_map(_map(5)) == drawn


def test_titles_are_escaped() -> None:
    """What a record says is no markup."""
    drawn = draw_map(_map(2, "p < 0.05 & <b>"))
    titles = [t.text for t in ElementTree.fromstring(drawn).iter(f"{SVG}title")]
    assert titles[1:] == ["i0: p < 0.05 & <b>", "i1: p < 0.05 & <b>"]


@pytest.mark.parametrize("count", [2, 12, 30])
def test_circles_stay_in_the_field(count: int) -> None:
    """However many there are, alike as they may be."""
    drawn = draw_map(_map(count))
    for found in re.finditer(r'cx="(\S+)" cy="(\S+)" r="(\S+)"', drawn):
        x, y, radius = map(float, found.groups())
        assert radius <= x <= 500 - radius
        assert radius <= y <= 500 - radius


def test_circles_move_apart() -> None:
    """Two in one place, and one that is far enough away."""
    radii = np.array([20.0, 30.0, 10.0])
    places = _apart(np.array([[200.0, 200.0], [200.0, 200.0], [400.0, 400.0]]), radii)
    assert np.hypot(*(places[0] - places[1])) >= 50
    assert places[2] == pytest.approx([400, 400], abs=0.01)
