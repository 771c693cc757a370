"""Records of tagged lines: where they start and end."""

import pytest

from relsent_ir.errors import InputError
from relsent_ir.records import tagged
from relsent_ir.records.tagged import read_tagged


def split(line):
    """Take lines such as "A=text"."""
    tag, equals, rest = line.partition("=")
    return (tag, rest) if equals else None


def read(tmp_path, text, **options):
    """Give the records of a text."""
    path = tmp_path / "records"
    path.write_text(text)
    return list(read_tagged(path, split, first="I", **options))


def test_where_records_end(tmp_path):
    """At empty lines, if these end records, and at the first tag; text before any tag is apart."""
    records = read(tmp_path, "\n\nI=1\nA=x\n y\n\n \nI=2\nA=z", blank_ends=True)
    assert [record.start for record in records] == [3, 8]
    assert records[0].texts("I", "A") == ["1", "x  y"]
    assert records[1].text("A") == "z"
    assert records[1].text("B") == ""
    records = read(tmp_path, "I=1\nA=x\n\ny\nI=2\n", blank_ends=False)
    assert [record.fields for record in records] == [
        [("I", ["1"]), ("A", ["x", "y"])],
        [("I", ["2"])],
    ]
    records = read(tmp_path, "A=0\nI=1\nA=x\nI=2\n", blank_ends=True)
    assert [record.text("I") for record in records] == ["1", "2"]
    records = read(tmp_path, "hello\nworld\n\nI=1\n", blank_ends=True)
    assert [record.text("I") for record in records] == ["", "1"]
    assert records[0].text("") == "hello world"


def test_endless_record_is_refused(tmp_path, monkeypatch):
    """A record that never ends is not taken into memory whole."""
    monkeypatch.setattr(tagged, "MAX_RECORD", 1000)
    assert len(read(tmp_path, "\nI=1\n\nI=2\n" * 300, blank_ends=True)) == 600
    with pytest.raises(InputError, match=r"records:2: a record is longer"):
        read(tmp_path, "\nI=1\n" + "A=xyz\n" * 300, blank_ends=True)
