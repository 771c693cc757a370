"""The OHSUMED format, on invented records."""

import pytest

from relsent_ir.records import Mesh, Record, Section, read_entries, read_records

TEXT = """\
.I 1
.U
87000001
.S
J Ants 8703; 4(6):491-5
.M
Ants/*; Formic Acid/*AE/TU; Human; Sugars/ME; Support, U.S. Gov't, P.H.S..
.T
Ants at work: a study.
.P
JOURNAL ARTICLE; REVIEW.
.W
We watched ants.  They worked.
.A
Rossi AB; Weber C Jr.
.I 2
.U
87000002
.S
Am J Ants (Suppl) 9112; 4(6):491-5
.M
Ants.
.T
Without an abstract.
.P
LETTER.
.A
Weber C.
"""

RECORDS = [
    Record(
        id="87000001",
        title="Ants at work: a study.",
        sections=(Section("We watched ants. They worked."),),
        mesh=(
            Mesh("Ants", (), major=True),
            Mesh("Formic Acid", ("*AE", "TU"), major=True),
            Mesh("Human"),
            Mesh("Sugars", ("ME",)),
            Mesh("Support, U.S. Gov't, P.H.S."),
        ),
        year="1987",
        journal="J Ants",
        authors=("Rossi AB", "Weber C Jr"),
        publication_types=("JOURNAL ARTICLE", "REVIEW"),
    ),
    Record(
        id="87000002",
        title="Without an abstract.",
        mesh=(Mesh("Ants"),),
        year="1991",
        journal="Am J Ants (Suppl)",
        authors=("Weber C",),
        publication_types=("LETTER",),
    ),
]


@pytest.mark.parametrize("ends", ["\n", "\r\n", "\n\n"])
def test_every_field(tmp_path, ends):
    """The id is .U, never .I; empty lines mean nothing."""
    path = tmp_path / "ohsumed.87"
    path.write_bytes(TEXT.replace("\n", ends).encode())
    assert list(read_records(path)) == RECORDS


@pytest.mark.parametrize(
    ("source", "journal", "year"),
    [
        ("J Ants 1990; 4:1", "J Ants", "1990"),
        ("J Ants 9012;4:1", "J Ants", "1990"),
        ("J Ants, without a date", "J Ants, without a date", ""),
    ],
)
def test_other_sources(tmp_path, source, journal, year):
    """Four digits are year and month, if they are not a year."""
    path = tmp_path / "ohsumed.87"
    path.write_text(f".I 1\n.U\n1\n.S\n{source}\n")
    (record,) = read_records(path)
    assert (record.journal, record.year) == (journal, year)


def test_record_without_identifier_is_skipped(tmp_path):
    """The sequence number does not take its place."""
    path = tmp_path / "ohsumed.87"
    path.write_text(".I 7\n.T\nNone.\n" + TEXT)
    skipped = []
    assert list(read_entries(path, on_skip=skipped.append)) == RECORDS
    assert [str(error) for error in skipped] == [f"{path}:1: a record without an id (give it one)"]
