"""The simplifier's rules over codes of phrases."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from relsent_ir.relations.simplification import IS, simplify


@pytest.mark.parametrize(
    ("codes", "rule", "forms"),
    [
        ("G(N)VI", "brackets", {"GVI"}),
        ("G,pN,VI", "interruption", {"GVI"}),
        ("G,DoN,VI", "apposition", {"GVI"}),
        ("NVG,DoI", "final apposition", {"GbDoI"}),
        ("G,WVN,VI", "relative clause", {"GVI"}),
        ("GWVNVI", "relative clause", {"GVI"}),
        ("GnyNVI", "reduced relative clause", {"GVI"}),
        ("GgNVI", "gerund clause", {"GVI"}),
        ("GbDniI", "clause of a predicate", {"GbniI"}),
        ("GbDWVI", "relative clause of a predicate", {"GVI"}),
        ("GbniNcniI", "participles", {"GbniI"}),
        ("GVN,N,cI", "noun phrases", {"GVI"}),
        ("GVpNcpI", "prepositional phrases", {"GVpI"}),
        ("GVNcVI", "verb phrases", {"GVI"}),
        ("GVN,PiN,cVI", "verb phrases", {"GVI"}),
        ("GVtNctI", "infinitives", {"GVtI"}),
        ("GVN,gI", "participle clause", {"GbgI"}),
        ("NVN,cGVI", "clauses", {"GVI"}),
        ("sNVN,GVI", "leading clause", {"GVI"}),
    ],
)
def test_rules(codes: str, rule: str, forms: set[str]) -> None:
    """Each construction gives its shorter sentences with both entities."""
    simple = {form.codes: form.rules[0] for form in simplify(codes) if len(form.rules) == 1}
    assert forms <= simple.keys()
    assert rule in {simple[form] for form in forms}


def test_combined() -> None:
    """What one rule made, others simplify further; only forms with both that differ."""
    forms = {form.codes: form.rules for form in simplify("G,DniNcI,PiN")}
    assert forms["GbniI"] == ("apposition", "noun phrases")
    assert simplify("GVI") == simplify("") == ()
    forms = simplify("GVN,N,cIpNoNpNoN(N)")
    assert forms[0].codes.startswith("GVI")
    assert all("G" in form.codes and "I" in form.codes for form in forms)
    assert not any(form.rules == ("brackets",) for form in forms)


@given(st.text("NDGIBVPbtqgnvoyiwpcde(),;sax", max_size=60))
@settings(derandomize=True, deadline=None)
def test_traceable(codes: str) -> None:
    """Every form is a row of the source's phrases, in order, with "is" put in."""
    for form in simplify(codes):
        assert len(form.codes) == len(form.source)
        assert 1 <= len(form.rules) <= 3
        for code, place in zip(form.codes, form.source, strict=True):
            assert code == ("b" if place == IS else codes[place])
        places = [place for place in form.source if place != IS]
        assert places == sorted(set(places))


def test_long_rows_end() -> None:
    """Long rows take no time to speak of: no rule tries every way to cut them up."""
    for part in ("VN,NcI,WVN(N),", "N,", "NcNoN,PyN,", "(((", "DbNWVN", "Np", "NpNcNpN", "nNp"):
        for start in ("GV", "Gn", "Gb", "G,D"):
            simplify(start + part * 100 + "x,c;I")
