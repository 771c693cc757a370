"""The normal form of names, and what finds them in texts."""

import pytest

from relsent_ir.text.names import Names, normal_form, pieces, writings


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


def test_writings() -> None:
    """A name is looked up as separate words and as one, each with its spellings."""
    apart, joined = writings("IFN-γ")
    assert [[word for word in words if "." not in word] for words in apart] == [
        ["ifn"],
        ["gamma", "γ"],
    ]
    assert [word for word in joined[0] if "." not in word] == ["ifngamma", "ifnγ"]
    assert writings("-") == ()


def test_a_long_name_is_not_joined_in_every_way() -> None:
    """Seven pieces are looked up as seven words and as one."""
    assert [len(way) for way in writings("a b c d e f g")] == [7, 1]


def test_normal_form() -> None:
    """How a name is cut makes no other name."""
    assert normal_form("colo-rectal") == normal_form("Colorectal") == "colorectal"
    assert normal_form("HbA1c") == normal_form("hb a(1c)") == "hba1c"


def test_is_name() -> None:
    """A whole text is a name, or not."""
    assert Names(["IL-2"]).is_name("il2")
    assert not Names(["IL-2"]).is_name("il2 receptor")


def test_a_name_behind_a_dot() -> None:
    """Behind a Greek letter and a dot a name is a part of a word to Lucene, and a mention to us."""
    ((first, *_), *_) = writings("NF-kappaB")
    assert {"nf", "alpha.nf", "β.nf"} <= set(first)
    text = "IkappaB-alpha.NF-kappaB"
    assert [text[slice(*span)] for span in Names(["NF-kappaB"]).find(text)] == ["NF-kappaB"]
    assert not [word for words in writings("5-LO")[0] for word in words if "." in word]
