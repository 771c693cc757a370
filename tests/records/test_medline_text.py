"""The MEDLINE text format, on invented records."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from relsent_ir.errors import InputError
from relsent_ir.records import Mesh, Record, Section, read_entries, read_records

FULL = """\

PMID- 00123
OWN - NLM
DP  - 2011 Jul-Aug
TI  - A title that goes on
      over two lines.
TT  - Ein Titel auf zwei
      Zeilen.
AB  - BACKGROUND: Ants are many (n = 5).
      METHODS: We counted - and
      counted again.
OAB - Ein anderer Text.
CI  - Copyright (c) 2011 Nobody.
FAU - Rossi, Ada B
AU  - Rossi AB
CN  - The Ant Study Group
FAU - Weber, Carl
AU  - Weber C
PT  - Journal Article
PT  - Review
TA  - J Ants
JT  - Journal of invented ants
RN  - 0 (Insulin)
RN  - EC 2.7.1.- (Kinases (type (2)), human)
RN  - 8R1V1STN48 (Catechin)
RN  - Ant-2 variants
NM  - formic acid
MH  - Animals
MH  - *Ants/genetics/*physiology
MH  - Sugars/*metabolism
OT  - *six legs
VI  - 3
IP  - 2
PG  - 12-9
LID - S1 [pii]
LID - 10.1000/ants.3 [doi]
PMC - PMC0123
LA  - eng
AD  - Nest, Town.
"""

RECORD = Record(
    id="00123",
    title="A title that goes on over two lines.",
    vernacular_title="Ein Titel auf zwei Zeilen.",
    sections=(
        Section("Ants are many (n = 5).", "BACKGROUND"),
        Section("We counted - and counted again.", "METHODS"),
    ),
    mesh=(
        Mesh("Animals"),
        Mesh("Ants", ("genetics", "*physiology"), major=True),
        Mesh("Sugars", ("*metabolism",), major=True),
    ),
    chemicals=("Insulin", "Kinases (type (2)), human", "Catechin", "Ant-2 variants", "formic acid"),
    year="2011",
    journal="J Ants",
    authors=("Rossi AB", "The Ant Study Group", "Weber C"),
    publication_types=("Journal Article", "Review"),
    pmid="00123",
    doi="10.1000/ants.3",
    volume="3",
    issue="2",
    pages="12-9",
    keywords=("six legs",),
    affiliations=("Nest, Town.",),
    languages=("eng",),
    own=(("pmcid", "PMC0123"), ("journal_title", "Journal of invented ants")),
)


def read(tmp_path, text):
    """Give the records of a text and what was skipped."""
    path = tmp_path / "records.txt"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    skipped = []
    return list(read_entries(path, "medline", on_skip=skipped.append)), skipped


def test_every_field(tmp_path):
    """Each field goes where it belongs; after an invalid byte the error names line and record."""
    assert read(tmp_path, FULL) == ([RECORD], [])
    path = tmp_path / "latin.txt"
    path.write_bytes(b"PMID- 1\nTI  - One.\n\n" + b"AD  - x\n" * 20_000 + b"TI  - na\xefve\n")
    entries = read_entries(path, "medline")
    assert next(entries).id == "1"
    with pytest.raises(InputError, match=r"latin\.txt:20004: .* after record 1 \(convert"):
        list(entries)


@pytest.mark.parametrize("change", ["crlf", "bom", "blank lines at the top", "no final newline"])
def test_what_is_met_in_practice(tmp_path, change):
    """Line ends, marks and empty lines of other systems change nothing."""
    text = {
        "crlf": FULL.replace("\n", "\r\n"),
        "bom": "\ufeff" + FULL.lstrip(),
        "blank lines at the top": "\n\n" + FULL,
        "no final newline": FULL.rstrip(),
    }[change]
    path = tmp_path / "records.txt"
    path.write_bytes(text.encode())
    assert list(read_records(path)) == [RECORD]


def test_substitutes(tmp_path):
    """Full names, the journal's title and the book's title serve where nothing better is there."""
    text = (
        "PMID- 1\nBTI - A book.\nFAU - Rossi, Ada B\nCN  - A Group\nJT  - Journal of ants\nTI  -\n"
    )
    assert read(tmp_path, text)[0] == [
        Record(
            *("1", "A book."),
            journal="Journal of ants",
            authors=("Rossi, Ada B", "A Group"),
            pmid="1",
        )
    ]


def test_pmids_that_are_none(tmp_path):
    """A record without a PMID, or with one that no run can hold, is reported."""
    text = "PMID- 1\nTI  - One.\n\nOWN - NLM\nTI  - None.\n\nPMID- 3\nTI  - Three.\n"
    records, skipped = read(tmp_path, text)
    assert [record.id for record in records] == ["1", "3"]
    assert [str(error) for error in skipped] == [
        f"{tmp_path}/records.txt:4: a record without an id (give it one)"
    ]
    records, skipped = read(tmp_path, "PMID- 1 2\nTI  - One.\n\nPMID- 3\n")
    assert [record.id for record in records] == ["3"]
    assert "'1 2' has white space" in str(skipped[0])


WORD = st.text(st.sampled_from("abcAB12-()/;.*é "), min_size=1, max_size=30).map(
    lambda text: " ".join(text.split()).strip("-*/ ") or "x"
)


@settings(derandomize=True, deadline=None)
@given(st.lists(st.tuples(WORD, WORD, st.lists(WORD, max_size=3)), min_size=1, max_size=4))
def test_round_trip(tmp_path_factory, fields):
    """What is printed in the format is read back."""
    records = [
        Record(*(str(n), title), sections=(Section(abstract),), authors=tuple(authors), pmid=str(n))
        for n, (title, abstract, authors) in enumerate(fields)
    ]
    text = ""
    for record in records:
        text += f"PMID- {record.id}\nTI  - {record.title}\n"
        text += "AB  - " + record.abstract.replace(" ", "\n      ") + "\n"
        text += "".join(f"AU  - {author}\n" for author in record.authors) + "\n"
    assert read(tmp_path_factory.mktemp("round"), text) == (records, [])
