"""Features of candidates, counted by hand: the paper's, and ours."""

from collections.abc import Callable

import pytest

from relsent_ir.relations.describing import (
    LEXICAL_GROUPS,
    PAPER_GROUPS,
    lexical_features,
    paper_features,
    position,
)
from relsent_ir.relations.patterns import find_evidence, find_forms
from relsent_ir.relations.structure import Structure

Find = Callable[[str, str, str], Structure]


def _paper(structure: Structure, simplified: bool = True) -> dict[str, float]:
    forms = find_forms(structure, simplified)
    return paper_features(structure, find_evidence(forms), forms)


def _lexical(structure: Structure) -> set[str]:
    forms = find_forms(structure)
    return set(lexical_features(structure, find_evidence(forms), forms))


def test_plain_sentence(structure_of: Find) -> None:
    """Subject, verb, object; both are heads; 4 tokens, 1 between."""
    assert _paper(structure_of("Abc1 represses Xyz2.", "Abc1", "Xyz2")) == pytest.approx(
        {
            "patterns:G1": 1,
            "matched:original": 1,
            "verb:inhibit": 1,
            "subject:one": 1,
            "position:sum": 0.05,
            "headedness:first": 1,
            "headedness:second": 1,
            "complexity:verbs": 1,
            "length:words": 0.4,
            "length:between": 0.1,
        }
    )


def test_paper(structure_of: Find) -> None:
    """Words on the left and half of those between; cues near, heads, and counts as roots."""
    structure = structure_of("Here we see that Abc1 may not bind to Xyz2.", "Xyz2", "Abc1")
    assert position(structure) == 4 + 4 / 2
    hedged = _paper(structure_of("Here Abc1 may not bind to Xyz2.", "Abc1", "Xyz2"))
    assert hedged["conjecture:near"] == hedged["negation:near"] == 1
    far = "Abc1 binds Xyz2 in cells of old mice that may not run."
    assert (
        not {"conjecture:near", "negation:near"} & _paper(structure_of(far, "Abc1", "Xyz2")).keys()
    )
    found = _paper(structure_of("Abc1 activates Xyz2 kinase genes.", "Abc1", "Xyz2"))
    assert "headedness:first" in found
    assert "headedness:second" not in found
    text = "The kinases Abc1 (Ab), Def3, and Ghi4 bound Xyz2, and degraded it."
    found = _paper(structure_of(text, "Abc1", "Xyz2"))
    counts = {"verbs": 2, "conjunctions": 2, "commas": 3, "brackets": 1}
    assert {n: round(found[f"complexity:{n}"] ** 2) for n in counts} == counts


def test_without_simplifier(structure_of: Find) -> None:
    """Its matches vanish, the rest stays."""
    text = "Abc1, a large kinase of the liver, inhibits Xyz2."
    with_it = _paper(structure_of(text, "Abc1", "Xyz2"))
    without = _paper(structure_of(text, "Abc1", "Xyz2"), simplified=False)
    assert with_it["matched:simplified"] == with_it["patterns:G1"] == 1
    assert not [name for name in without if name.startswith(("matched", "patterns", "verb:"))]
    assert without["position:sum"] == with_it["position:sum"]


def test_missing_entity(structure_of: Find) -> None:
    """An entity that is not there has no structure; groups of names are one."""
    structure = structure_of("Abc1 binds.", "Abc1", "")
    assert _paper(structure)["length:missing"] == 1
    assert _lexical(structure) == set()
    assert position(structure) > 1000
    text = "In cells, Abc1-induced Xyz2, which is a kinase, does not bind (or may)."
    structure = structure_of(text, "Abc1", "Xyz2")
    assert {name.partition(":")[0] for name in _paper(structure)} <= set(PAPER_GROUPS)
    structure = structure_of(text, "Abc1", "cells")
    assert {name.partition(":")[0] for name in _paper(structure)} <= set(PAPER_GROUPS)
    assert {name.partition(":")[0] for name in _lexical(structure)} <= set(LEXICAL_GROUPS)


def test_lexical(structure_of: Find) -> None:
    """Words between and beside, affixes, names, the way between the entities."""
    structure = structure_of("Here Abc1-induced activation of Xyz2 is seen.", "Abc1", "Xyz2")
    found = _lexical(structure)
    assert {
        "between:activ",
        "between:< activ",
        "between:of >",
        "beside:left1 here",
        "beside:right2 is seen",
        "affixes:first induc",
        "names:0",
        "distance:2",
        "heads:G activ",
        "simplified:path o",
        "simplified:< of",
        "evidence:G6 ",
    } <= found
    structure = structure_of("Abc1 binds abc1.", "Abc1", "abc1")
    assert "names:same" in _lexical(structure)


def test_subject_of_the_simplest_form(structure_of: Find) -> None:
    """The paper's Lmo2: it is the subject of its clause, whatever another clause has before it."""
    text = "While Tal1 induces erythroid cells, Lmo2 appears to suppress fetal erythropoiesis."
    structure = structure_of(text, "Lmo2", "erythropoiesis")
    assert _paper(structure)["subject:one"] == 1
    assert "subject:one" not in _paper(structure, simplified=False)


def test_both_in_the_subject(structure_of: Find) -> None:
    """Entities before the verb are both in focus; of a relative clause's two, only one."""
    assert _paper(structure_of("Abc1 and Xyz2 are kinases.", "Abc1", "Xyz2"))["subject:both"] == 1
    clause = structure_of("Cells have Abc1, which activates Xyz2.", "Abc1", "Xyz2")
    assert _paper(clause)["subject:one"] == 1
