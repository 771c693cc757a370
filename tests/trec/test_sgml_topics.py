"""TREC's topics, with and without closing tags."""

import pytest

from relsent_ir.errors import InputError
from relsent_ir.trec.sgml_topics import read

OLD = """
<top>
<head> Tipster Topic Description
<num> Number: 051
<dom> Domain: Medicine
<title> Topic:  Cooling of

inhaled air
<desc> Description:
Does it help <5 minutes, p < 0.05, A&T?
<smry> Summary: not wanted
<narr> Narrative:
Only trials.
<con> Concept(s): 1. air
</top>
"""


def test_old_topic():
    """Labels go, other fields are left out, a lesser-than sign is no tag, the id stays whole."""
    (topic,) = read(OLD)
    assert (topic.id, topic.line) == ("051", 2)
    assert {name: " ".join(text.split()) for name, text in topic.fields.items()} == {
        "title": "Cooling of inhaled air",
        "desc": "Does it help <5 minutes, p < 0.05, A&T?",
        "narr": "Only trials.",
    }


def test_closing_tags_and_capitals():
    """Every tag may be closed, and be in capitals."""
    (topic,) = read("<TOP><NUM>Number: MED-7</NUM>\n<TITLE>air</TITLE> outside </TOP>")
    assert (topic.id, topic.fields) == ("MED-7", {"title": "air"})


def test_no_closing_top():
    """A topic ends where the next begins."""
    first, second = read("<top><num>1<title>a\n<top><num>2<title>b")
    assert [topic.fields["title"].strip() for topic in (first, second)] == ["a", "b"]
    assert second.line == 2


def test_topic_without_number():
    """The line of its <top> is named."""
    with pytest.raises(InputError, match="2: this topic has no <num>"):
        list(read("<top><num>1<title>a</top>\n<top><title>b</top>"))
