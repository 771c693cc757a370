"""The cystic fibrosis collection's format, on invented records."""

import pytest

from relsent_ir.records import Mesh, Record, Section, read_entries, read_records

TEXT = """\
PN 74001
RN 00001\x20
AN 75000001
AU Rossi-A-B.  Weber-C.
TI A title that goes on.  And
   on.
SO J-Ants. 1974 Nov. 63(6). P 843-8.
MJ ANTS: co.  FORMIC-ACID: im,
   me.
MN CHILD.  SUGARS:  ra.METHODS.
AB The first line of an abstract
(CP);
   and the last.
RF 001   ROSSI A               J ANTS                        173     5 963
   002$  WEBER C               IN: NEST PROC                        12 970
   003A  ROSSI A               J ANTS                        173     5 963.
CT   1   MEIER M               ANT LETT                       56    38 975

PN 76002
RN 01203
AN 75000002
TI No authors, no abstract.
SO In: Nest JA, Hill RC, ed. Ants: new
   views. New York, Hive, 1976. WI 820 1999. (REVIEW).
MN HUMAN.
EX An extract.
PN 77003
RN 01204
TI Neither.
SO Anthill
"""

RECORDS = [
    Record(
        id="1",
        title="A title that goes on. And on.",
        sections=(Section("The first line of an abstract (CP); and the last."),),
        mesh=(
            Mesh("ANTS", ("co",), major=True),
            Mesh("FORMIC-ACID", ("im", "me"), major=True),
            Mesh("CHILD"),
            Mesh("SUGARS", ("ra",)),
            Mesh("METHODS"),
        ),
        references=(
            "ROSSI A J ANTS 173 5 963",
            "WEBER C IN: NEST PROC 12 970",
            "ROSSI A J ANTS 173 5 963",
        ),
        citations=("MEIER M ANT LETT 56 38 975",),
        printed_in="J-Ants. 1974 Nov. 63(6). P 843-8.",
        year="1974",
        journal="J-Ants",
        authors=("Rossi-A-B", "Weber-C"),
    ),
    Record(
        id="1203",
        title="No authors, no abstract.",
        sections=(Section("An extract.", label="EXTRACT"),),
        mesh=(Mesh("HUMAN"),),
        printed_in=(
            "In: Nest JA, Hill RC, ed. Ants: new views. New York, Hive, 1976. WI 820 1999. "
            "(REVIEW)."
        ),
        year="1976",
        journal="In: Nest JA, Hill RC, ed. Ants: new views. New York, Hive",
        publication_types=("REVIEW",),
    ),
    Record(id="1204", title="Neither.", printed_in="Anthill", year="1977", journal="Anthill"),
]


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_every_field(tmp_path, ends):
    """Records end at empty lines, or where the next PN is."""
    path = tmp_path / "cf74"
    path.write_bytes(TEXT.replace("\n", ends).encode())
    assert list(read_records(path)) == RECORDS


def test_odd_records(tmp_path):
    """The eighth bit is cleared, a record without RN is skipped."""
    masked = bytes(
        byte | 0x80 if n % 7 == 3 and byte != 10 else byte for n, byte in enumerate(TEXT.encode())
    )
    path = tmp_path / "cf74"
    path.write_bytes(masked)
    assert list(read_records(path)) == RECORDS
    path = tmp_path / "cf74"
    path.write_text(TEXT + "\nPN 74009\nAN 75000009\nTI None.\n\nPN 74010\nRN 00000\nTI Zero.\n")
    skipped = []
    assert list(read_entries(path, on_skip=skipped.append)) == RECORDS
    assert [str(error).split(": ")[0] for error in skipped] == [f"{path}:32", f"{path}:36"]
    path = tmp_path / "cf74"
    path.write_text("PN 74001\nRN 00001\nTI Both.\nAB The abstract.\nEX The extract.\n")
    (record,) = read_records(path)
    assert record.sections == (Section("The abstract."),)
