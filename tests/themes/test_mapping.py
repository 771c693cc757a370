"""Maps of collections, and the kernels that cover them."""

import itertools
import json
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from relsent_ir.errors import InputError, UsageError
from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.lucene.read.index import Index
from relsent_ir.records import Record
from relsent_ir.themes import MapTheme, Selection, Terms, ThemeMap, draw_map, map_themes
from relsent_ir.themes.mapping import _apart, choose_kernels
from relsent_ir.themes.matrix import open_matrix
from relsent_ir.themes.quality import coherence, diversity
from tests.themes.conftest import write_index
from tests.themes.dense import matrix_of

TERMS = Terms(selection=Selection(2, 0.3))


def map_folder(folder: Path, *arguments: Any, **options: Any) -> ThemeMap:
    """Map the collection in a folder."""
    with Indexes(folder) as collection:
        return map_themes(collection, *arguments, **options)


@pytest.fixture(scope="module")
def four(insects: Path) -> ThemeMap:
    """A map of the four subjects."""
    return map_folder(insects, 4, terms=TERMS)


def test_each_subject_has_its_theme(four: ThemeMap, insects: Path) -> None:
    """Forty records of four subjects: four kernels of different ones, ten records on each."""
    assert {int(theme.kernel[1:]) % 4 for theme in four.themes} == {0, 1, 2, 3}
    for theme in four.themes:
        subject = int(theme.kernel[1:]) % 4
        assert theme.size == pytest.approx(41 / 4, abs=1)
        assert len(theme.records) == 5
        assert {int(name[1:]) % 4 for name in theme.records} == {subject}
        assert theme.name == ", ".join(theme.terms[:3])
        with Index(insects) as index:
            matrix = open_matrix(index, TERMS)
            assert theme.title == index.records([theme.kernel])[0].title
        assert theme.coherence == coherence(matrix, theme.terms)
        assert theme.own <= theme.likely
    assert sum(theme.own for theme in four.themes) == 40
    assert four.records == 41
    assert 0.9 < four.coverage < 1
    assert four.diversity == diversity([theme.terms for theme in four.themes])
    assert four.held_out == pytest.approx(np.mean([theme.held_out for theme in four.themes]))
    assert four.held_out > 0.5
    assert (np.diag(four.overlaps) == 1).all()
    assert four.overlaps[np.triu_indices(4, 1)].max() < 0.1
    assert four.likeness[np.triu_indices(4, 1)].max() < 0.5


def test_json(four: ThemeMap, insects: Path) -> None:
    """All of it, and the same from a second run, whatever the threads."""
    found = four.to_json()
    assert json.loads(json.dumps(found)) == found
    assert [theme["kernel"] for theme in found["themes"]] == [t.kernel for t in four.themes]
    assert found["overlaps"] == four.to_json(0.0)["overlaps"][: len(found["overlaps"])]
    assert len(four.to_json(0.0)["overlaps"]) == 6
    assert map_folder(insects, 4, terms=TERMS, threads=1).to_json() == four.to_json()


def test_few_themes(insects: Path, tmp_path: Path) -> None:
    """As many as there are records to start from; records all alike have none, as is told."""
    found = map_folder(insects, 60, terms=TERMS)
    assert 4 <= len(found.themes) <= 40
    records = [Record(str(i), "Plain title") for i in range(3)]
    folder = write_index(records, tmp_path)
    with pytest.raises(InputError, match=r"tells it from others.*smaller --max-df"):
        map_folder(folder, 2, terms=Terms(selection=Selection(2, 1)))


def test_mistakes(insects: Path, tmp_path: Path) -> None:
    """A single theme is no map; an index has to be there."""
    with pytest.raises(UsageError, match="a map of 1 themes"):
        map_folder(insects, 1)
    with pytest.raises(UsageError, match="with 0 terms"):
        map_folder(insects, 4, labels=0)
    with pytest.raises(InputError, match="no index"):
        map_folder(tmp_path, 4)


# Two groups of four and of two records, and one without terms.
TABLE = [
    [1, 1, 0, 0, 0],
    [1, 1, 1, 0, 0],
    [1, 0, 1, 0, 0],
    [0, 1, 1, 0, 0],
    [0, 0, 0, 1, 1],
    [0, 0, 0, 1, 1],
    [0, 0, 0, 0, 0],
]


def _similar(table: list[list[int]]) -> np.ndarray:
    dense = np.array(table, dtype=float)
    weighed = dense * np.log(len(dense) / np.maximum(dense.sum(axis=0), 1))
    norms = np.sqrt((weighed**2).sum(axis=1, keepdims=True))
    units = np.divide(weighed, norms, out=np.zeros_like(weighed), where=norms > 0)
    return units @ units.T


def test_kernels_and_diversity() -> None:
    """The record most like the larger group, then one of the smaller; candidates by seed."""
    assert choose_kernels(matrix_of(TABLE), 2).tolist() == [1, 4]
    found = choose_kernels(matrix_of(TABLE), 7).tolist()
    assert len(found) == 5
    assert len({4, 5} & set(found)) == 1
    assert 6 not in found
    assert diversity([("a", "b"), ("b", "c")]) == 0.75
    assert diversity([]) == 1
    some = choose_kernels(matrix_of(TABLE), 6, candidates=3, seed=1)
    assert len(some) <= 3
    assert some.tolist() == choose_kernels(matrix_of(TABLE), 6, candidates=3, seed=1).tolist()


def test_near_the_best_choice() -> None:
    """Greedy choices cover at least 1 - 1/e of what the best choice of as many covers."""
    chance = np.random.default_rng(0)
    for _ in range(20):
        table = (chance.random((9, 6)) < 0.4).astype(int).tolist()
        similar = _similar(table)
        best = max(
            similar[list(some)].max(axis=0).sum()
            for some in itertools.combinations(range(len(table)), 3)
        )
        found = choose_kernels(matrix_of(table), 3)
        assert similar[found].max(axis=0).sum() >= (1 - 1 / np.e) * best - 1e-6


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
    """A circle and two lines of text a theme, a line for each overlap; text is no markup."""
    drawn = draw_map(_map(5))
    tree = ElementTree.fromstring(drawn)
    assert len(tree.findall(f"{SVG}g/{SVG}circle")) == 5
    assert len(tree.findall(f"{SVG}line")) == 10
    texts = ["".join(text.itertext()) for text in tree.iter(f"{SVG}text")]
    assert "5 ant 44 records, NPMI 0.30, held out -1.00" in texts
    assert {"5", "ant 4"} <= {*texts}  # in the circle
    assert "50 % of 90 records on some theme; topic diversity 0.80, NPMI –" in texts
    assert "script" not in drawn
    assert draw_map(_map(5)) == drawn
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
