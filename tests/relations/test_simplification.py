"""The simplifier's rules over codes of phrases."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from relsent_ir.relations.simplification import IS, Simplified, simplify, simplify_between


def _forms(codes: str) -> dict[str, tuple[str, ...]]:
    return {form.codes: form.rules for form in simplify(codes)}


@pytest.mark.parametrize(
    ("codes", "rule", "forms"),
    [
        ("G(N)VI", "brackets", {"GVI", "NVI"}),
        ("G,pN,VI", "interruption", {"GVI"}),
        ("G,DoN,VI", "apposition", {"GVI", "GbDoN", "DoNVI"}),
        ("NVG,DoN", "final apposition", {"NVG", "GbDoN"}),
        ("G,WVN,VI", "relative clause", {"GVI", "GVN"}),
        ("GWVNVI", "relative clause", {"GVI", "GVN"}),
        ("GnyNVI", "reduced relative clause", {"GVI", "GbnyN"}),
        ("GgNVI", "gerund clause", {"GVI", "GbgN"}),
        ("GbDniI", "clause of a predicate", {"GbD", "GbniI"}),
        ("GbDWVI", "relative clause of a predicate", {"GVI"}),
        ("GbniNcniI", "participles", {"GbniN", "GbniI"}),
        ("NVG,N,cI", "noun phrases", {"NVG", "NVN", "NVI"}),
        ("GVpNcpI", "prepositional phrases", {"GVpN", "GVpI"}),
        ("GVNcVI", "verb phrases", {"GVN", "GVI"}),
        ("GVN,PiN,cVI", "verb phrases", {"GVN", "GPiN", "GVI"}),
        ("GVtNctI", "infinitives", {"GVtN", "GVtI"}),
        ("GVN,gI", "participle clause", {"GVN", "GbgI"}),
        ("NVN,cGVI", "clauses", {"NVN", "GVI"}),
        ("sNVN,GVI", "leading clause", {"NVN", "GVI"}),
    ],
)
def test_rules(codes: str, rule: str, forms: set[str]) -> None:
    """Each construction gives its shorter sentences; some are made by another rule as well."""
    simple = {form.codes: form.rules[0] for form in simplify(codes) if len(form.rules) == 1}
    assert forms <= simple.keys()
    assert rule in {simple[form] for form in forms}


def test_combined() -> None:
    """What one rule made, others simplify further; the rules are named in order."""
    forms = _forms("G,DniNcI,PiN")
    assert forms["GPiN"] == ("apposition",)
    assert forms["GbniI"] == ("apposition", "noun phrases")


def test_plain_sentences() -> None:
    """Nothing to simplify."""
    assert simplify("GVI") == []
    assert simplify("") == []


def test_between() -> None:
    """Only forms with both entities, that differ around and between them."""
    forms = simplify_between("GVN,N,cIpNoNpNoN(N)")
    assert forms[0].codes.startswith("GVI")
    assert all("G" in form.codes and "I" in form.codes for form in forms)
    assert not any(form.rules == ("brackets",) for form in forms)


@given(st.text("NDGIBVPbtqgnvoyiwpcde(),;sax", max_size=60))
@settings(derandomize=True, deadline=None)
def test_traceable(codes: str) -> None:
    """Every form is a row of the source's phrases, in order, with "is" put in."""
    for form in simplify(codes):
        _check(codes, form)


def _check(codes: str, form: Simplified) -> None:
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
            simplify(start + part * 100 + "x,c;I", depth=1)
