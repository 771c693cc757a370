"""The paper's own example sentences, retold: which pattern matches, in which form.

Tudor & Vijay-Shanker 2012: sections 2.3 and 2.4, Table 3 and Figure 1 with section 5.
"""

from collections.abc import Callable
from dataclasses import replace

import pytest

from relsent_ir.relations.describing import evidence_verb
from relsent_ir.relations.patterns import PatternEvidence, find_evidence, find_forms, form_text
from relsent_ir.relations.simplification import simplify
from relsent_ir.relations.structure import Structure

Find = Callable[[str, str, str], Structure]
CD63 = (
    "Cd63, an integral membrane protein seen in multivesicular bodies and secretory granules, "
    "was also found in protasomes of tumor cells."
)
GROUCHO = (
    "Groucho is a protein implicated in notch signaling and involved in the segmentation of flies."
)


def _first(structure: Structure) -> PatternEvidence:
    return find_evidence(find_forms(structure))[0]


def test_subject_verb_object(structure_of: Find) -> None:
    """Lmo2 and Bmp2 match as they are; what stands between hides the relation of Cd63."""
    structure = structure_of(
        "While Tal1 induces erythroid cells, Lmo2 appears to suppress fetal erythropoiesis.",
        "Lmo2",
        "erythropoiesis",
    )
    found = _first(structure)
    assert (found.match.pattern.group, found.match.pattern.text) == ("G1", "X ACT Y")
    assert found.level == "original"
    assert evidence_verb(structure, found) == "suppress"
    structure = structure_of(
        "Bmp2 stimulates osteoblastic differentiation.", "Bmp2", "osteoblastic differentiation"
    )
    assert _first(structure).match.pattern.text == "X ACT Y"
    structure = structure_of(CD63, "Cd63", "protasomes")
    assert not find_evidence(find_forms(structure, simplified=False))


@pytest.mark.parametrize(
    ("term", "text", "rules"),
    [
        ("protasomes", "Cd63 was found in protasomes of tumor cells", 1),
        ("integral membrane protein", "Cd63 is an integral membrane protein", 1),
        ("multivesicular bodies", "Cd63 is seen in multivesicular bodies", 2),
        ("secretory granules", "Cd63 is seen in secretory granules", 2),
    ],
)
def test_cd63_forms(structure_of: Find, term: str, text: str, rules: int) -> None:
    """Cd63: S1 and S2 need the apposition; CS1 and CS2 reduced clause and list too."""
    structure = structure_of(CD63, "Cd63", term)
    forms = {form_text(form, structure): form for form in simplify(structure.phrases.codes)}
    assert len(forms[text].rules) == rules


@pytest.mark.parametrize(
    ("term", "level", "text"),
    [
        ("protasomes", "simplified", "Cd63 was found in protasomes of tumor cells"),
        ("secretory granules", "combined", "Cd63 is seen in secretory granules"),
    ],
)
def test_cd63_matches(structure_of: Find, term: str, level: str, text: str) -> None:
    """Cd63: the simple form relates it to one term, the combined form to the other."""
    structure = structure_of(CD63, "Cd63", term)
    found = _first(structure)
    assert found.match.pattern.group == "G1"
    assert found.level == level
    assert form_text(found.form, structure) == text


def test_groucho_corepressor(structure_of: Find) -> None:
    """Figure 1: Groucho is a corepressor, whatever regulators follow."""
    structure = structure_of(
        "Groucho is a corepressor for some negative regulators, including hairy and engrailed.",
        "Groucho",
        "corepressor",
    )
    assert _first(structure).match.pattern.text == "X BE Y"


def test_wrpw_motif_recruits_groucho(structure_of: Find) -> None:
    """Figure 1: the motif is sufficient to recruit Groucho; with "or" resolved too."""
    structure = structure_of(
        "Here, we show that the wrpw motif is sufficient to recruit groucho or the tle homologs "
        "to promoters.",
        "groucho",
        "wrpw motif",
    )
    found = find_evidence(find_forms(structure))
    assert found[0].match.pattern.text == "X ACT Y"
    assert evidence_verb(structure, found[0]) == "recruit"
    texts = [form_text(evidence.form, structure) for evidence in found[1:]]
    assert any(text.endswith("to recruit groucho to promoters") for text in texts)


def test_groucho_in_reduced_clauses(structure_of: Find) -> None:
    """Figure 1: the reduced relative clause on "a protein" is about Groucho, both participles."""
    structure = structure_of(GROUCHO, "Groucho", "notch signaling")
    found = _first(structure)
    assert found.match.pattern.text == "X PASS (PREP | of) Y"
    assert form_text(found.form, structure).startswith("Groucho is implicated in notch signaling")
    texts = [form_text(e.form, structure) for e in find_evidence(find_forms(structure))]
    assert "Groucho is implicated in notch signaling" in texts
    structure = structure_of(GROUCHO, "Groucho", "segmentation")
    texts = [form_text(e.form, structure) for e in find_evidence(find_forms(structure))]
    assert any(text.startswith("Groucho is involved in the segmentation") for text in texts)


def test_eh1_binds_groucho(structure_of: Find) -> None:
    """Figure 1: the full relative clause on the domain becomes a sentence."""
    structure = structure_of(
        "The end of vnd contains an eh1 repression domain that binds groucho in vitro.",
        "groucho",
        "eh1 repression domain",
    )
    found = _first(structure)
    assert found.form.rules == ("relative clause",)
    assert form_text(found.form, structure) == "an eh1 repression domain binds groucho"


@pytest.mark.parametrize(
    ("text", "agent"),
    [
        ("Lmo2 suppresses erythropoiesis.", "Lmo2"),
        ("Erythropoiesis is suppressed by Lmo2.", "Lmo2"),
        ("Erythropoiesis suppresses Lmo2.", "Erythropoiesis"),
    ],
)
def test_the_gene_acts(structure_of: Find, text: str, agent: str) -> None:
    """Table 1 has the gene act in G1 and G3; so it is where a candidate says which that is."""
    names = ("Lmo2", "rythropoiesis")
    for gene, term in (names, names[::-1]):
        structure = structure_of(text, gene, term)
        forms = find_forms(structure)
        directed = replace(structure, candidate=replace(structure.candidate, directed=True))
        assert {e.match.pattern.group for e in find_evidence(forms)} == {"G1"}
        found = find_evidence(forms, directed.agent)
        assert bool(found) == agent.endswith(gene)
