"""Reading thesauri and finding concepts, on invented descriptors."""

import gzip

import numpy as np
import pytest

from relsent_ir.errors import InputError
from relsent_ir.feedback import TermMatrix
from relsent_ir.records import Mesh, Record, Section
from reproduce.tbahriti_2004.thesaurus import ConceptAnalysis, Thesaurus, with_concepts

XML = """<?xml version="1.0"?>
<!DOCTYPE DescriptorRecordSet SYSTEM "https://www.nlm.nih.gov/databases/dtd/none.dtd">
<DescriptorRecordSet LanguageCode = "eng">
<DescriptorRecord DescriptorClass = "1"><DescriptorUI>D900001</DescriptorUI>
 <DescriptorName><String>Ant Fever</String></DescriptorName>
 <ConceptList><Concept PreferredConceptYN="Y"><TermList>
  <Term><TermUI>T1</TermUI><String>Ant Fever</String></Term>
  <Term><TermUI>T2</TermUI><String>Fever, Formic</String></Term>
 </TermList></Concept></ConceptList>
</DescriptorRecord>
<DescriptorRecord DescriptorClass = "1"><DescriptorUI>D900002</DescriptorUI>
 <DescriptorName><String>Ants</String></DescriptorName>
 <ConceptList><Concept><TermList><Term><String>Ant</String></Term></TermList></Concept></ConceptList>
</DescriptorRecord>
</DescriptorRecordSet>
"""
ASCII = """*NEWRECORD
RECTYPE = D
MH = Ant Fever
PRINT ENTRY = Formic Fever|T047|NON|EQV|NLM (1999)|990101|abcdef
ENTRY = Fever, Formic|T047|NON|EQV|NLM (1999)|990101|abcdef
UI = D900001

*NEWRECORD
RECTYPE = D
MH = Ants
ENTRY = Ant
UI = D900002
"""


@pytest.fixture(params=["xml", "ascii", "gzip"])
def thesaurus(request, tmp_path):
    """The same two descriptors in each form."""
    path = tmp_path / "mesh"
    text = (ASCII if request.param == "ascii" else XML).encode()
    path.write_bytes(gzip.compress(text) if request.param == "gzip" else text)
    return Thesaurus.read(path)


def test_concepts(thesaurus):
    """The longest phrase at each place, whatever its case; turned round too."""
    assert thesaurus.concepts("ANT FEVER of an ant; formic-fever, Fever, formic. Bees") == {
        "Ant Fever": 3,
        "Ants": 1,
    }
    assert not thesaurus.concepts("")


def test_features_of_a_record(thesaurus):
    """Title, each section, headings; no phrase crosses a section's border."""
    record = Record(
        "1",
        title="Ants and ant.",
        sections=(Section("The ant"), Section("fever of bees.")),
        mesh=(Mesh("ANT-FEVER", ("co",)), Mesh("Bees")),
    )
    assert thesaurus.features(record) == {"Ants": 3, "Ant Fever": 1}


def test_headings_as_thesaurus():
    """Without a file: the headings that records have."""
    made = Thesaurus.of_headings([Record("1", mesh=(Mesh("FORMIC-ACID"),))])
    assert made.concepts("formic acid") == {"FORMIC-ACID": 1}


def test_with_concepts():
    """Concepts become columns after the terms, with a prefix that no term has."""
    from scipy.sparse import csr_array

    matrix = TermMatrix(["1", "2"], ["ant"], csr_array(np.array([[2], [0]], np.int32)))
    from collections import Counter

    made = with_concepts(matrix, [Counter({"B": 1}), Counter({"A": 3, "B": 1})])
    assert made.terms == ["ant", "mesh:A", "mesh:B"]
    assert made.counts.toarray().tolist() == [[2, 0, 1], [0, 3, 1]]
    assert made.df.tolist() == [1, 1, 2]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("<a><b></a>", "no well-formed XML"),
        ("<a/>", "no MeSH descriptors"),
        ("ENTRY = Ant\n", "no MeSH descriptors"),
        (b"MH = \xff\n", "not UTF-8"),
        ("", "empty"),
    ],
)
def test_bad_files(tmp_path, content, message):
    """The error names the file."""
    path = tmp_path / "mesh"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(InputError, match=message) as caught:
        Thesaurus.read(path)
    assert str(path) in str(caught.value)


def test_entities_are_not_resolved(tmp_path):
    """Another file is never read through an entity."""
    secret = tmp_path / "secret"
    secret.write_text("Secret")
    path = tmp_path / "mesh.xml"
    path.write_text(
        f'<!DOCTYPE x [<!ENTITY e SYSTEM "{secret.as_uri()}">]><x><DescriptorRecord>'
        "<DescriptorName><String>Ants</String></DescriptorName><ConceptList><Concept><TermList>"
        "<Term><String>&e;</String></Term></TermList></Concept></ConceptList></DescriptorRecord></x>"
    )
    assert set(Thesaurus.read(path).phrases) == {("ants",)}


def test_concepts_among_terms():
    """The concepts of a text follow its terms."""
    analysis = ConceptAnalysis("none", (), Thesaurus([("Ant", "ants"), ("Rest", "sleep")]))
    assert analysis.terms("Ants sleep.") == ["ants", "sleep", "mesh:Ant", "mesh:Rest"]
