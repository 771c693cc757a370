"""Files of names beside an index, and MeSH's trees."""

from pathlib import Path

import pytest

from relsent_ir.errors import InputError
from relsent_ir.text.names import Trees, beside, synonyms_beside, trees_beside

PLACES = [
    ("Beasts", "B01"),
    ("Ants", "B01.050"),
    ("Red Ants", "B01.050.10"),
    ("Bees", "B01.060"),
    ("Guards", "F02"),
    ("Red Ants", "F02.100"),
    ("Queens", "F02.100.5"),
    ("Others", "B011.1"),
]


@pytest.mark.parametrize(
    ("heading", "below"),
    [
        ("beasts", ["Ants", "Bees", "Red Ants"]),
        ("Ants", ["Red Ants"]),
        ("Guards", ["Queens", "Red Ants"]),
        ("Red Ants", ["Queens"]),
        ("Bees", []),
        ("Wasps", []),
    ],
)
def test_narrower(heading: str, below: list[str]) -> None:
    """All that stands below any place of a heading: B011 is not below B01."""
    assert Trees(PLACES).narrower(heading) == below


def test_a_circle() -> None:
    """A heading that stands below itself is not narrower than itself."""
    trees = Trees([("Ants", "A1"), ("Ants", "A1.2"), ("Queens", "A1.2.3")])
    assert trees.narrower("ants") == ["Queens"]


def test_beside(tmp_path: Path) -> None:
    """The nearest of three folders is read, and again when it has changed."""
    index = tmp_path / "work" / "indexes" / "mine"
    assert beside(index, "mesh.tsv") is None
    assert synonyms_beside(index) == {}
    assert trees_beside(index).narrower("Ants") == []
    folder = tmp_path / "work" / "synonyms"
    folder.mkdir(parents=True)
    (folder / "mesh.tsv").write_text("Ant Fever\tFormic Ague\n")
    (folder / "mesh-trees.tsv").write_text("Ants\tB1\nRed Ants\tB1.2\n")
    names = ["Ant Fever", "Formic Ague"]
    assert synonyms_beside(index) == {"antfever": names, "formicague": names}
    assert trees_beside(index).narrower("Ants") == ["Red Ants"]
    assert beside(tmp_path / "work" / "a" / "b" / "c", "mesh.tsv") is None
    (folder / "mesh-trees.tsv").write_text("Ants\n")
    with pytest.raises(InputError, match=r"mesh-trees\.tsv:1"):
        trees_beside(index)
