"""Records in the layout of the SMART system."""

from pathlib import Path

import pytest

from relsent_ir.errors import InputError
from relsent_ir.records import read_entries, read_records
from relsent_ir.records.reading import detect_format
from relsent_ir.records.source import read_head

TEXT = """.I 1
.T
On the weight of
slow ants
.A
Ant, A. N.
Bee, B.
.B
J. Insects, June, 1961
.W
Ants were weighed. They were light.
.K
ants, weight
.X
1\t5\t1
.I 02
.T
Bees
.N
none
"""


def test_records(tmp_path: Path) -> None:
    """Title and text over several lines, an author a line; ids as they are written."""
    path = tmp_path / "ants.all"
    path.write_text(TEXT)
    assert detect_format(read_head(path), read_head(path, text=True)) == "smart"
    first, second = read_records(path)
    assert (first.id, first.title, first.abstract) == (
        "1", "On the weight of slow ants", "Ants were weighed. They were light.",
    )  # fmt: skip
    assert (first.authors, first.labels) == (("Ant, A. N.", "Bee, B."), ("ants, weight",))
    assert (first.year, first.printed_in) == ("1961", "J. Insects, June, 1961")
    assert (second.id, second.title, second.sections) == ("02", "Bees", ())


def test_records_that_are_not_told_by_content(tmp_path: Path) -> None:
    """Records without titles look like queries, and OHSUMED's are numbered otherwise."""
    path = tmp_path / "bare.all"
    path.write_text(".I 1\n.W\nAnts.\n.I 2\n.W\nBees.\n")
    with pytest.raises(InputError, match="holds topics, no records") as caught:
        list(read_records(path))
    assert "--format smart" in str(caught.value)
    assert [record.abstract for record in read_records(path, "smart")] == ["Ants.", "Bees."]
    path = tmp_path / "ohsumed"
    path.write_text(".I 1\n.U\n8701\n.T\nAnts.\n")
    skipped: list[InputError] = []
    with pytest.raises(InputError, match="holds no smart records"):
        list(read_entries(path, "smart", on_skip=skipped.append))
    assert "which is OHSUMED's (--format ohsumed)" in str(skipped[0])
