"""OHSUMED's queries in both forms."""

import pytest

from relsent_ir.errors import InputError
from relsent_ir.trec.ohsumed_topics import read

ORIGINAL = """.I  1
.B
70 year old with cold feet
.W
socks or slippers,
which are warmer

.I 2
.B
healthy adult
.W
tea
"""

TREC_9 = """<top>
<num> Number: OHSU1
<title> 70 year old with cold feet
<desc> Description:
socks or slippers, which are warmer
</top>
"""


def test_original_form():
    """The patient is the title and the request the description, on one line or several."""
    first, second = read(ORIGINAL)
    assert (first.id, first.line, second.id, second.line) == ("1", 1, "2", 8)
    assert {name: " ".join(text.split()) for name, text in first.fields.items()} == {
        "title": "70 year old with cold feet",
        "desc": "socks or slippers, which are warmer",
    }
    assert second.fields["desc"].strip() == "tea"


def test_form_of_trec_9():
    """The same fields under the id that the judgements use."""
    (topic,) = read(TREC_9)
    assert topic.id == "OHSU1"
    assert topic.fields["title"].strip() == "70 year old with cold feet"
    assert topic.fields["desc"].strip() == "socks or slippers, which are warmer"


def test_a_file_of_documents_is_refused():
    """OHSUMED's records begin like its queries, but have other fields."""
    with pytest.raises(InputError, match=r"2: a field \.U in a file of queries"):
        list(read(".I 1\n.U\n123\n"))


def test_text_outside_of_fields():
    """Text before the first field belongs to nothing."""
    with pytest.raises(InputError, match=r"2: text outside of \.B and \.W"):
        list(read(".I 1\nlost\n"))
    with pytest.raises(InputError, match=r"1: text outside"):
        list(read("lost\n.I 1\n"))
