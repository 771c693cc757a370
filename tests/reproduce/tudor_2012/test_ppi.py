"""Grades from the interaction corpora; the rows are invented."""

from pathlib import Path

import pytest

from relsent_ir.errors import InputError
from reproduce.tudor_2012.protocol import read_pairs

HEAD = ",docid,isValid,passage,passageid\n"


def _write(path: Path, *rows: str) -> Path:
    path.write_text(HEAD + "".join(row + "\n" for row in rows))
    return path


def test_pairs(tmp_path: Path) -> None:
    """Names are found where a mask has swallowed a mark, and where a name is several words."""
    masked = _write(
        tmp_path / "m.csv",
        '0,d1,True," PROTEIN1 binds PROTEIN2 and PROTEIN in cells",s1',
        '1,d1,False,"kinase PROTEIN1 ( PROTEIN2 was seen",s2',
    )
    named = _write(
        tmp_path / "n.csv",
        '0,d1,True,"Abc1, binds new factor 2, and Def-3 in cells",s1',
        '1,d1,False,"kinase Abc one (A1) was seen",s2',
    )
    first, second = read_pairs(masked, named)
    assert (first.group, first.id, first.grade, second.grade) == ("d1", "s1", 1.0, 0.0)
    assert [first.text[slice(*e)] for e in (first.e1, first.e2)] == ["Abc1", "new factor 2"]
    assert [second.text[slice(*e)] for e in (second.e1, second.e2)] == ["Abc one", "A1"]


def test_names_in_pieces(tmp_path: Path) -> None:
    """A row whose mask covers only a piece of a word is left out."""
    masked = _write(tmp_path / "m.csv", "0,d1,True,anti PROTEIN1 and PROTEIN2,s1")
    named = _write(tmp_path / "n.csv", "0,d1,True,antiactin and Abc1,s1")
    assert list(read_pairs(masked, named)) == []


@pytest.mark.parametrize(
    "row", ["0,d2,True,Abc1 binds Xyz2,s1", "0,d1,True,Abc1 binds Xyz2,s9", "0,d1"]
)
def test_other_rows(tmp_path: Path, row: str) -> None:
    """Files that do not belong together are refused, with the line."""
    masked = _write(tmp_path / "m.csv", "0,d1,True,PROTEIN1 binds PROTEIN2,s1")
    with pytest.raises(InputError, match=r"n\.csv:2: the rows do not fit together"):
        list(read_pairs(masked, _write(tmp_path / "n.csv", row)))


def test_counts(data: Path) -> None:
    """Nearly all rows of the real corpora have both names."""
    folder = data / "relations" / "ppi"
    for corpus, count in {"IEPA": 136, "HPRD50": 70, "LLL": 61, "BioInfer": 1539}.items():
        pairs = read_pairs(folder / f"{corpus}-test.csv", folder / f"wop_{corpus}-test.csv")
        assert sum(1 for _ in pairs) == count
