"""Topics in each of the formats, read by its own reader."""

from pathlib import Path

import pytest

from relsent_ir.errors import InputError
from relsent_ir.trec import read_topics
from relsent_ir.trec.topic_formats import read_jsonl, read_ohsumed, read_trec, read_tsv


def test_tsv():
    """Later tabs and other separators are text; lines are numbered, and one without a tab named."""
    (first, second) = read_tsv("1\ta\tb\n\n 2 \tc\n")
    assert (first.id, first.line, first.fields) == ("1", 1, {"title": "a\tb"})
    assert (second.id, second.line, second.fields) == ("2", 3, {"title": "c"})
    (topic,) = read_tsv("1\ta\u2028b\x85c\n")
    assert topic.fields == {"title": "a\u2028b\x85c"}
    with pytest.raises(InputError, match="2: no tab between id and text"):
        list(read_tsv("1\ta\n2 b\n"))


@pytest.mark.parametrize("id_", ["id", "qid", "query_id", "_id"])
@pytest.mark.parametrize("text", ["text", "title", "query", "contents"])
def test_names_of_id_and_text(id_: str, text: str):
    """All usual names are known, beside fields that do not matter."""
    (topic,) = read_jsonl(f'{{"{id_}": "007", "{text}": "question", "metadata": {{"n": 1}}}}\n')
    assert (topic.id, topic.fields) == ("007", {"title": "question"})


def test_whole_number_as_id():
    """A number becomes the string of its digits."""
    assert next(read_jsonl('{"id": 12, "text": "q"}')).id == "12"


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ('{"id": "1", ', "no JSON"),
        ('["1", "q"]', "no JSON object"),
        ('{"text": "q"}', "none of id, qid, query_id, _id"),
        ('{"id": "1"}', "none of text, title, query, contents"),
        ('{"id": "1", "text": ["q"]}', "are strings"),
        ('{"id": true, "text": "q"}', "are strings"),
        ('{"id": 1.5, "text": "q"}', "are strings"),
        ('{"id": "1", "text": "\\ud800"}', "no JSON"),
    ],
)
def test_lines_that_are_no_topics(line: str, problem: str):
    """Each is refused with its line."""
    with pytest.raises(InputError, match=f"^2: .*{problem}"):
        list(read_jsonl(f'{{"id": "0", "text": "q"}}\n{line}\n'))


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


def test_trec_topics():
    """Labels go, a lesser-than sign is no tag; tags may be closed, capitals."""
    (topic,) = read_trec(OLD)
    assert (topic.id, topic.line) == ("051", 2)
    assert {name: " ".join(text.split()) for name, text in topic.fields.items()} == {
        "title": "Cooling of inhaled air",
        "desc": "Does it help <5 minutes, p < 0.05, A&T?",
        "narr": "Only trials.",
    }
    (topic,) = read_trec("<TOP><NUM>Number: MED-7</NUM>\n<TITLE>air</TITLE> outside </TOP>")
    assert (topic.id, topic.fields) == ("MED-7", {"title": "air"})
    first, second = read_trec("<top><num>1<title>a\n<top><num>2<title>b")
    assert [topic.fields["title"].strip() for topic in (first, second)] == ["a", "b"]
    assert second.line == 2


def test_topic_without_number():
    """The line of its <top> is named."""
    with pytest.raises(InputError, match="2: this topic has no <num>"):
        list(read_trec("<top><num>1<title>a</top>\n<top><title>b</top>"))


QUERIES = """.I 1
.W
 Which ants
are slow?
.N
asked in May
.I 2
.T
Bees
.A
Bee, B.
.W
that dance
"""


def test_queries(tmp_path: Path) -> None:
    """SMART's queries; text before the first is an error."""
    path = tmp_path / "query.text"
    path.write_text(QUERIES)
    assert read_topics(path) == {"1": "Which ants are slow?", "2": "Bees that dance"}
    assert read_topics(path, "smart") == read_topics(path)
    path = tmp_path / "odd.text"
    path.write_text("ants\n.I 1\n.W\nbees\n")
    with pytest.raises(InputError, match=r"odd\.text:1: text before the first \.I"):
        read_topics(path, "smart")


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


def test_ohsumed(tmp_path: Path):
    """The patient is the title and the request the description, on one line or several."""
    first, second = read_ohsumed(ORIGINAL)
    assert (first.id, first.line, second.id, second.line) == ("1", 1, "2", 8)
    assert {name: " ".join(text.split()) for name, text in first.fields.items()} == {
        "title": "70 year old with cold feet",
        "desc": "socks or slippers, which are warmer",
    }
    assert second.fields["desc"].strip() == "tea"
    path = tmp_path / "query.ohsu"
    path.write_text(".I 1\n.B\nold ant\n.W\nslowness\n")
    assert read_topics(path) == {"1": "old ant"}
    assert read_topics(path, field="desc") == {"1": "slowness"}


def test_forms_that_are_refused():
    """TREC-9's form is read; documents, and text outside of fields, are refused."""
    (topic,) = read_ohsumed(TREC_9)
    assert topic.id == "OHSU1"
    assert topic.fields["title"].strip() == "70 year old with cold feet"
    assert topic.fields["desc"].strip() == "socks or slippers, which are warmer"
    with pytest.raises(InputError, match=r"2: a field \.U in a file of queries"):
        list(read_ohsumed(".I 1\n.U\n123\n"))
    with pytest.raises(InputError, match=r"2: text outside of \.B and \.W"):
        list(read_ohsumed(".I 1\nlost\n"))
    with pytest.raises(InputError, match=r"1: text outside"):
        list(read_ohsumed("lost\n.I 1\n"))
