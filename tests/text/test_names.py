"""The normal form of names, and what finds them in texts."""

from pathlib import Path

import pytest

from relsent_ir.errors import InputError
from relsent_ir.text.names import (
    Names,
    Trees,
    american,
    beside,
    fold,
    is_common,
    normal_form,
    pieces,
    spellings,
    synonyms_beside,
    trees_beside,
)


@pytest.mark.parametrize(
    ("names", "form"),
    [
        (("TNF-alpha", "TNFα", "tnf alpha", "TNF-α", "TNFalpha"), ("tnf", "alpha")),
        (("NF-κB", "NFkappaB", "nf kappa b", "NF-kB"), ("nf", "kappa", "b")),
        (("IL-2", "IL2", "IL(2)", "il 2"), ("il", "2")),
        (("tumour", "Tumor"), ("tumor",)),
        (("TGF-ß1", "TGFbeta-1"), ("tgf", "beta", "1")),
        (("5µ", "5-mu"), ("5", "mu")),
        (("–", ""), ()),
    ],
)
def test_one_form(names: tuple[str, ...], form: tuple[str, ...]) -> None:
    """Case, hyphens, Greek letters, numbers and British spelling make no other name."""
    assert {pieces(name) for name in names} == {form}


@pytest.mark.parametrize(
    ("name", "text", "found"),
    [
        (
            "IL-2",
            "IL-2, il2, IL 2 and IL(2) but not IL-20 or MIL-2",
            ["IL-2", "il2", "IL 2", "IL(2)"],
        ),
        ("TNFalpha", "TNF-α or TNF alpha, not TNF", ["TNF-α", "TNF alpha"]),
        ("NFκB", "NF-kappaB, NF-kB, NFkB1", ["NF-kappaB", "NF-kB"]),
        ("HbA1c", "HbA(1c) and Hb A1c", ["HbA(1c)", "Hb A1c"]),
        ("HBA1C", "HbA(1c), Hb A1c, not HBA 2C", ["HbA(1c)", "Hb A1c"]),
        ("akt", "Akt, AKT, akt, Aktin", ["Akt", "AKT", "akt"]),
        ("MET", "criteria were met by Met and MET", ["Met", "MET"]),
        ("met", "were met", ["met"]),
        ("ALL", "all of All ALL", ["ALL"]),
        ("NO", "No, no: NO", ["NO"]),
        ("no", "No NO no", ["NO", "no"]),
        ("leukaemia", "leukemias and leukaemias", ["leukemias", "leukaemias"]),
        ("metastases", "a metastasis, metastases", ["metastasis", "metastases"]),
        ("therapy", "therapies", ["therapies"]),
        ("biopsies", "a biopsy", ["biopsy"]),
        ("Wnt", "Wnts", ["Wnts"]),
        ("colo-rectal", "colorectal", ["colorectal"]),
    ],
)
def test_find(name: str, text: str, found: list[str]) -> None:
    """A mention is found in any writing; capitals keep short names from words."""
    assert [text[start:end] for start, end in Names([name]).find(text)] == found


def test_forms_of_names() -> None:
    """Each piece has its spellings; cuts make no other name; a folded text has its length."""
    assert spellings("IFN-γ receptor") == [["ifn"], ["gamma", "γ"], ["receptor", "receptors"]]
    assert spellings("-") == []
    assert spellings("IES")[0][:2] == ["ies", "y"]
    assert normal_form("colo-rectal") == normal_form("Colorectal") == "colorectal"
    assert normal_form("HbA1c") == normal_form("hb a(1c)") == "hba1c"
    text = "IkappaB-alpha.NF-kappaB"
    assert [text[slice(*span)] for span in Names(["NF-kappaB"]).find(text)] == ["NF-kappaB"]
    text = "Sjögren’s – 5 µm²\u00a0Ø"
    assert fold(text) == "Sjogren's - 5 µm  O"
    assert len(fold(text)) == len(text)


def test_is_name() -> None:
    """A whole text is a name, or not; words of any sentence are none, symbols and ions are."""
    assert Names(["IL-2"]).is_name("il2")
    assert not Names(["IL-2"]).is_name("il2 receptor")
    assert [n for n in ("the", "Of", "a", "b", "7", "of the", "-a") if not is_common(n)] == []
    assert [n for n in ("NO", "K+", "IT", "was rats", "CF", "a cell") if is_common(n)] == []


@pytest.mark.parametrize(
    ("name", "text", "found"),
    [
        ("E. coli", "E. coli, E.coli and E coli", ["E. coli", "E.coli", "E coli"]),
        ("Crohn's disease", "Crohn’s or Crohn disease", ["Crohn disease"]),
        ("Crohn disease", "Crohn’s disease, Crohns disease", ["Crohn’s disease", "Crohns disease"]),
        ("Na,K-ATPase", "Na+/K+-ATPase, Na(+)-K(+) ATPase", ["Na+/K+-ATPase", "Na(+)-K(+) ATPase"]),
        ("Na+-K+ ATPase", "Na, K-ATPase", ["Na, K-ATPase"]),
        ("K+ channels", "a K(+) channel", ["K(+) channel"]),
        ("K+", "vitamin K, K+ and K(+)", ["K", "K"]),
        ("Mg2+", "12.5 mg 2 h later, Mg(2+), Mg2(+) and Mg 2+", ["Mg(2", "Mg2", "Mg 2"]),
        ("CD4+ cells", "CD4- cells, CD4(-) cells, CD4(+) cells", ["CD4(+) cells"]),
        ("CD4+ T cells", "CD4 (+) T-cell", ["CD4 (+) T-cell"]),
        ("1,25-dihydroxyvitamin D", "1, 25 dihydroxyvitamin D", ["1, 25 dihydroxyvitamin D"]),
        ("1,25", "125 and 1.25", ["1.25"]),
        ("Sjogren syndrome", "Sjögren's syndrome", ["Sjögren's syndrome"]),
        ("interferon alfa-2b", "interferon-α2b", ["interferon-α2b"]),
        ("calcium channel", "sodium, calcium, channel", []),
        ("mucin secretion", "mucin. Secretion", []),
        ("5% > 3 (n = 2)", "of 5% > 3 (n = 2) in", ["5% > 3 (n = 2)"]),
    ],
)
def test_joints(name: str, text: str, found: list[str]) -> None:
    """Pieces are joined by marks or by nothing, never across a comma that parts words."""
    assert [text[start:end] for start, end in Names([name]).find(text)] == found


@pytest.mark.parametrize(
    ("text", "like", "expected"),
    [
        ("Diarrhoea and anaemia", "diarrhea", "Diarrhea and anaemia"),
        ("Diarrhoea", "Does diarrhoea kill?", "Diarrhea"),
        ("Haemorrhages of a foetus", "hemoglobin", "hemorrhages of a foetus"),
        ("Tumours", "cough", "Tumours"),
        ("Murinol raised it", "Exercise advised", "Murinol raised it"),
    ],
)
def test_american(text: str, like: str, expected: str) -> None:
    """British parts of words that the other text has, in either spelling; others stay."""
    assert american(text, like) == expected


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
