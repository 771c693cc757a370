"""Keys of references, on invented ones."""

import pytest

from relsent_ir.citation.graph import Reference, own_reference, reference_key, unify
from relsent_ir.records import Record


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("ROSSI A J ANTS 173 5 963", ("ROSSI A J ANTS", "173", "5", "1963")),
        ("Rossi A  J Ants S262 A5 1999.", ("ROSSI A J ANTS", "S262", "A5", "1999")),
        ("WEBER C IN: NEST PROC 12 970", ("WEBER C IN: NEST PROC", "", "12", "1970")),
        ("WEBER C THESIS 970", ("WEBER C THESIS", "", "", "1970")),
    ],
)
def test_parts(text, parts):
    """Year last, page and volume before it, of a single number the page."""
    assert Reference.parse(text) == Reference(*parts)


@pytest.mark.parametrize("text", ["ANON ANTS", "", "12", "ANON MINI GUIDE 1-4"])
def test_no_year(text):
    """A string that does not end with a year has no parts."""
    assert Reference.parse(text) is None


def test_keys():
    """PMIDs are their own; journals and initials do not count beside volume and page."""
    assert reference_key("00123") == "00123"
    assert reference_key("ROSSI AB J ANTS 173 5 963") == "ROSS 173 5 1963"
    assert reference_key("DE ROSSI A J ANTS 1 5 963") == reference_key("DEROSSI JANTS 1 5 963")
    assert reference_key("ROSSI A THESIS 963") != reference_key("ROSSI A NEST 963")
    assert reference_key("anon. ants!") == "ANON ANTS"


def test_quoted_words_tell_apart():
    """Abstracts of one author on one page differ in their titles."""
    one, other = 'ROSSI A ANTS "NESTS" 1 A5 963', 'ROSSI A ANTS "EGGS" 1 A5 963'
    assert reference_key(one) != reference_key(other)


def test_misprints_are_joined():
    """A letter of the author, the year by one, the volume: the same work, with the least key."""
    texts = [
        "ROSSI A J ANTS 173 5 963",
        "RASSI A J ANTS 173 5 963",
        "ROSSI A J ANTS 173 5 964",
        "ROSSI A J ANTS 178 5 963",
    ]
    keys = unify(texts)
    assert set(keys.values()) == {min(map(reference_key, texts))}


def test_what_is_not_joined():
    """Another author or journal on the same page, another page, years apart: different works."""
    texts = [
        "ROSSI A J ANTS 173 5 963",
        "WEBER A J ANTS 173 5 963",
        "RASSI A J BEES 173 5 963",
        "ROSSI A J ANTS 173 6 963",
        "ROSSI A J ANTS 173 5 966",
        "ROSSI A NEST PROC 5 963",
        "17",
        "18",
    ]
    keys = unify(texts)
    assert len(set(keys.values())) == len(texts)
    assert unify([]) == {}


def test_own_reference():
    """A record is written as others refer to it."""
    record = Record(
        "7",
        journal="J-Ants",
        authors=("De-Rossi-A-B", "Weber-C"),
        printed_in="J-Ants. 1974 Nov. 63(6 Pt 2). P 843-8.",
    )
    assert own_reference(record) == "DE ROSSI AB J ANTS 63 843 1974"
    assert reference_key(own_reference(record)) == reference_key("DE ROSSI A J ANTS 63 843 974")
    assert own_reference(Record("8", journal="J-Ants", authors=("Rossi-A",))) == ""
    assert own_reference(Record("9", printed_in="J-Ants. 1974. 63. P 843.")) == ""


def test_supplement_pages():
    """Pages and volumes with letters are kept."""
    record = Record("7", authors=("Rossi-A",), printed_in="J-Ants. 1974 Nov. 130 Suppl(0). P S159.")
    assert own_reference(record) == "ROSSI A 130 S159 1974"
