"""Structure of sentences: stems, verbs and phrases."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from relsent_ir.relations import open_ranker
from relsent_ir.relations.candidates import Candidate
from relsent_ir.relations.structure import (
    BATCH,
    OTHER,
    Structure,
    inflect,
    is_name,
    kind_of,
    stem,
    structures,
)
from relsent_ir.text.parsing import default_parser


@pytest.mark.parametrize(
    ("word", "stemmed"),
    [
        ("activates", "activ"),
        ("Activation", "activ"),
        ("activators", "activ"),
        ("Abc1", "NAME"),
        ("STAT", "NAME"),
        ("Abc1-mediated", "mediat"),
        ("IL-2-induced", "induc"),
        ("alpha-", "alpha-"),
        ("NF-kappaB", "NAME"),
        ("12.5", "0"),
        ("(", "("),
        ("by", "by"),
        ("-", "-"),
    ],
)
def test_stem(word: str, stemmed: str) -> None:
    """A verb and its nouns share a stem; names are alike, numbers too."""
    assert stem(word) == stemmed


def test_names_and_forms() -> None:
    """A digit, or capitals behind the first letter; regular forms of verbs."""
    assert all(map(is_name, ["p53", "mRNA", "IL", "IkappaB"]))
    assert not any(map(is_name, ["Mice", "5", "cells", "A"]))
    assert set(inflect("carry")) >= {"carry", "carries", "carried", "carrying"}
    assert set(inflect("stop")) >= {"stops", "stopped", "stopping"}
    assert set(inflect("analyze")) >= {"analyzes", "analysed", "analyzing"}


@pytest.mark.parametrize(
    ("verb", "kind"),
    [
        ("suppresses", "inhibit"),
        ("bound", "bind"),
        ("up-regulated", "activate"),
        ("phosphorylates", "transform"),
        ("controlled", "regulate"),
        ("localised", "locate"),
        ("plays", "involve"),
        ("is", "be"),
        ("identified", "locate"),
        ("sings", OTHER),
    ],
)
def test_kinds(verb: str, kind: str) -> None:
    """Forms of verbs, British spellings too."""
    assert kind_of(verb) == kind


Find = Callable[[str, str, str], Structure]


def test_codes(structure_of: Find) -> None:
    """The entity that comes first is G; both in one noun phrase are B, but an "and" cuts it."""
    for pair in (("Abc1", "Xyz2"), ("Xyz2", "Abc1")):
        structure = structure_of("The Abc1 gene is activated by Xyz2.", *pair)
        assert structure.phrases.codes == "GPyI"
        assert (structure.first, structure.second) == ((1, 2), (6, 7))
    assert "B" in structure_of("The Abc1 Xyz2 complex forms.", "Abc1", "Xyz2").phrases.codes
    cut = structure_of("The Abc1 and Xyz2 genes are expressed.", "Abc1", "Xyz2")
    assert cut.phrases.codes.startswith("GcI")


def test_entity_outside_phrases() -> None:
    """An entity that the chunker took for no noun phrase is one."""
    candidate = Candidate("g", "1", "We saw binding there.", (7, 14), (15, 20))
    structure = next(structures(default_parser(), [candidate]))
    assert "G" in structure.phrases.codes
    assert "I" in structure.phrases.codes


def test_batches() -> None:
    """More candidates than a batch, in their order; texts may come again."""
    text = "Abc1 binds Xyz2."
    known = [Candidate("g", str(n), text, (0, 4), (11, 15)) for n in range(BATCH + 3)]
    found = list(structures(default_parser(), known))
    assert [s.candidate.id for s in found] == [c.id for c in known]


@pytest.mark.parametrize(
    ("text", "e1", "e2"),
    [
        ("Abc1-Xyz2 complexes form.", (0, 9), (5, 9)),  # one inside the other
        ("Abc1-Xyz2 complexes form.", (0, 9), (0, 9)),  # twice the same
        ("Abc1 binds.", (0, 4), (50, 60)),  # not in the text
        ("Abc1 binds.", (-5, -1), (9, 3)),
        ("", (0, 0), (0, 1)),
        ("   ", (0, 1), (1, 2)),
        ("Abc1 (with Xyz2 [or Def3.", (0, 4), (11, 15)),
        (") Abc1 ]( Xyz2 ,,, ((", (2, 6), (10, 14)),
        ("Abc1, no verb, Xyz2", (0, 4), (15, 19)),
        (" ".join(["Abc1 binds Xyz2 , which is a"] * 100), (0, 4), (11, 15)),  # 700 words
        ("Abc1 " * 500 + "Xyz2", (0, 4), (2500, 2504)),
        ("Abc1 and " * 250 + "Xyz2", (0, 4), (2250, 2254)),
        ("(" * 300 + "Abc1 Xyz2" + ")" * 300, (300, 304), (305, 309)),
    ],
)
def test_odd_input(text: str, e1: tuple[int, int], e2: tuple[int, int]) -> None:
    """Overlapping or missing entities, long sentences, no verb, odd brackets: never an error."""
    candidate = Candidate("g", "1", text, e1, e2)
    assert open_ranker().score([candidate]).shape == (1,)


@given(
    st.lists(
        st.sampled_from(
            [*"()[],;:.%'", "Abc1", "Xyz2", "and", "which", "binds", "bound", "by", "of", "to"]
        ),
        max_size=40,
    ),
    st.tuples(st.integers(-5, 150), st.integers(-5, 150)),
    st.tuples(st.integers(-5, 150), st.integers(-5, 150)),
)
@settings(derandomize=True, deadline=None, max_examples=150)
def test_any_words(words: list[str], e1: tuple[int, int], e2: tuple[int, int]) -> None:
    """Any row of words gets a finite score, and the order of the entities does not matter."""
    ranker = open_ranker()
    candidate = Candidate("g", "1", " ".join(words), e1, e2)
    score = ranker.score([candidate])[0]
    assert abs(score) < 10_000
    assert score == ranker.score([replace(candidate, e1=e2, e2=e1)])[0]


@given(st.text(max_size=80), st.integers(0, 80), st.integers(0, 80))
@settings(derandomize=True, deadline=None, max_examples=150)
def test_any_text(text: str, a: int, b: int) -> None:
    """Nor does any text raise."""
    open_ranker().score([Candidate("g", "1", text, (a, a + 4), (b, b + 4))])
