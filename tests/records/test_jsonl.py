"""JSON lines, on invented records."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from relsent_ir.records import Mesh, Record, Section, read_entries
from relsent_ir.records.fields import clean


def read(tmp_path, *lines):
    """Give the records of some lines, strings or values, and what was skipped."""
    path = tmp_path / "records.jsonl"
    lines = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    path.write_text("\n".join(lines))
    skipped = []
    return list(read_entries(path, "jsonl", on_skip=skipped.append)), skipped


def one(tmp_path, values):
    """Give the record of one object."""
    (record,), skipped = read(tmp_path, values)
    assert not skipped
    return record


TEXT = st.text(st.characters(), max_size=20).map(clean)
NAME = TEXT.filter(bool)
QUALIFIER = NAME.filter(lambda name: name.strip("* "))
NAMES = st.lists(NAME, max_size=3).map(tuple)
RECORD = st.builds(
    Record,
    id=st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=9),
    title=TEXT,
    vernacular_title=TEXT,
    sections=st.lists(st.builds(Section, NAME, TEXT, TEXT), max_size=3).map(tuple),
    mesh=st.lists(
        st.builds(Mesh, NAME, st.lists(QUALIFIER, max_size=2).map(tuple), st.booleans()), max_size=2
    ).map(tuple),
    chemicals=NAMES,
    references=NAMES,
    citations=NAMES,
    printed_in=TEXT,
    year=st.sampled_from(["", "1974", "2024"]),
    journal=TEXT,
    authors=NAMES,
    publication_types=NAMES,
    labels=NAMES,
    pmid=st.sampled_from(["", "17", "00017"]),
)


@settings(derandomize=True, deadline=None)
@given(st.lists(RECORD, min_size=1, max_size=3))
def test_own_form_round_trip(tmp_path_factory, records):
    """What Record.to_json writes is read back, in every field."""
    lines = [record.to_json() for record in records]
    assert read(tmp_path_factory.mktemp("round"), *lines) == (records, [])


def test_forms(tmp_path):
    """Contents are the abstract, the first filled name wins; lone surrogates go."""
    record = one(tmp_path, {"id": "d1", "contents": "Ants work.\nAll day."})
    assert record == Record("d1", sections=(Section("Ants work. All day."),))
    values = {"pmid": "2", "id": "1", "contents": "Title Ants.", "abstract": "Ants."}
    assert one(tmp_path, values) == Record("1", sections=(Section("Ants."),), pmid="2")
    assert one(tmp_path, {"id": "12345678", "title": "Ants"}).pmid == ""
    record = one(tmp_path, r'{"id": "1", "title": "a \ud800 b \ud83d\udc1c"}')
    assert record.title == "a \ufffd b \U0001f41c"
    _, skipped = read(tmp_path, r'{"id": "\ud800", "title": "a"}', {"id": "2", "title": "b"})
    assert len(skipped) == 1
    str(skipped[0]).encode()


@pytest.mark.parametrize("name", ["id", "pmid", "_id", "docid", "docno"])
def test_names_of_the_id(tmp_path, name):
    """Collections call it by several names."""
    assert one(tmp_path, {name: "d1", "title": "Ants"}).id == "d1"


@pytest.mark.parametrize("name", ["abstract", "text", "contents", "body", "summary"])
def test_names_of_the_abstract(tmp_path, name):
    """Collections call it by several names; null and empty ones do not count."""
    record = one(tmp_path, {"id": "d1", "title": None, "abstract": "", "text": None, name: "Ants."})
    assert record == Record("d1", sections=(Section("Ants."),))


def test_loose_form(tmp_path):
    """Lists may be null or one string, and hold nulls and numbers; unknown ones are its own."""
    values = {
        "_id": "d1",
        "title": "Ants\tat work",
        "text": "They work.",
        "mesh": ["Ants", "*Sugars/metabolism", {"heading": "Nests", "major": True}],
        "labels": "C01",
        "year": 1999.0,
        "journal": "J Ants",
        "authors": ["Rossi AB", None, ""],
        "references": [12, "003"],
        "chemicals": None,
        "metadata": {"url": "x"},
    }
    assert one(tmp_path, values) == Record(
        "d1",
        "Ants at work",
        sections=(Section("They work."),),
        mesh=(
            Mesh("Ants"),
            Mesh("Sugars", ("metabolism",), major=True),
            Mesh("Nests", (), major=True),
        ),
        labels=("C01",),
        year="1999",
        journal="J Ants",
        authors=("Rossi AB",),
        references=("12", "003"),
        own=(("metadata", '{"url": "x"}'),),
    )


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ('"001"', "001"),
        ("12345678901234567890123", "12345678901234567890123"),
        ("-0", "-0"),
        ("1.50", "1.50"),
        ("9" * 5000, "9" * 5000),
    ],
)
def test_ids_keep_their_digits(tmp_path, written, expected):
    """A number is the digits that stand in the file."""
    assert one(tmp_path, f'{{"id": {written}, "title": "Ants"}}').id == expected


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("not json", "no JSON"),
        ('{"id": "1"', "no JSON"),
        ("[" * 100_000, "no JSON"),
        ('["1", "Ants"]', "JSON, but no object"),
        ('"1"', "JSON, but no object"),
        ('{"title": "no id"}', "without an id"),
        ('{"id": null, "title": "x"}', "without an id"),
        ('{"id": true, "title": "x"}', "the field id is not a string"),
        ('{"id": NaN, "title": "x"}', "the field id is not a string"),
        ('{"id": "1 2", "title": "x"}', "white space"),
        ('{"id": "1", "title": ["x"]}', "the field title is not a string"),
        ('{"id": "1", "abstract": {"x": 1}}', "the field abstract is not a string"),
        ('{"id": "1", "authors": {"x": 1}}', "the field authors is not a list"),
        ('{"id": "1", "authors": [{"x": 1}]}', "the field authors is not a list of strings"),
        ('{"id": "1", "sections": ["x"]}', "the field sections is not a list of objects"),
        ('{"id": "1", "mesh": [["x"]]}', "the field mesh is not a list of strings, or"),
        ('{"id": "1", "mesh": [{"heading": "x", "major": "Y"}]}', "the field mesh is not"),
    ],
)
def test_bad_lines_are_skipped(tmp_path, line, problem):
    """Each is reported with its line; empty lines are none."""
    records, skipped = read(tmp_path, {"id": "1", "title": "a"}, "", line, {"id": "3", "text": "c"})
    assert [record.id for record in records] == ["1", "3"]
    (error,) = skipped
    assert str(error).startswith(f"{tmp_path}/records.jsonl:3: ")
    assert problem in str(error)
