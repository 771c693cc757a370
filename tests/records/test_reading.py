"""The entry points, over all formats."""

import gzip
import logging

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from relsent_ir.errors import InputError, UsageError
from relsent_ir.records import FORMATS, Record, read_entries, read_records

SAMPLES = {
    "pubmed-xml": "<PubmedArticleSet><PubmedArticle><MedlineCitation><PMID>{}</PMID>"
    "</MedlineCitation></PubmedArticle></PubmedArticleSet>",
    "medline": "PMID- {}\nTI  - Ants\n",
    "ohsumed": ".I 1\n.U\n{}\n.T\nAnts\n",
    "cystic-fibrosis": "PN 74001\nRN {}\nTI Ants\n",
    "smart": ".I {}\n.T\nAnts\n",
    "jsonl": '{{"id": "{}", "title": "Ants"}}\n',
}


def test_every_format_has_a_name():
    """The names are part of the interface."""
    assert set(FORMATS) == set(SAMPLES)


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("forced", [False, True])
@pytest.mark.parametrize("packed", [False, True])
def test_formats(tmp_path, name, forced, packed):
    """Plain or packed, found out or forced."""
    content = SAMPLES[name].format(17).encode()
    path = tmp_path / "file"
    path.write_bytes(gzip.compress(content) if packed else content)
    (record,) = read_records(str(path), name if forced else None)
    assert record.id == "17"


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("other", [*FORMATS, "text", "empty"])
def test_forced_format_that_does_not_fit(tmp_path, name, other):
    """One error, never an empty list."""
    samples = {**SAMPLES, "text": "Ants\n\nat work.\n", "empty": ""}
    if name == other:
        return
    path = tmp_path / "file"
    path.write_text(samples[other].format(17))
    with pytest.raises(InputError, match=r"(no PubMed XML|holds no .* records)"):
        list(read_entries(path, name, on_skip=lambda error: None))


def test_unknown_format_name(tmp_path):
    """A wrong flag, not a wrong file."""
    with pytest.raises(UsageError, match=r"no format 'xml' \(there are pubmed-xml, medline,"):
        list(read_records(tmp_path / "file", "xml"))


@pytest.mark.parametrize("name", FORMATS)
def test_missing_and_folder(tmp_path, name):
    """With and without a forced format."""
    for forced in (name, None):
        with pytest.raises(InputError, match="there is no such file"):
            list(read_records(tmp_path / "missing", forced))
        with pytest.raises(InputError, match="is a folder"):
            list(read_records(tmp_path, forced))


def test_skipped_records_are_logged(tmp_path, caplog):
    """One warning each, by the logger of the package."""
    path = tmp_path / "file"
    path.write_text('{"id": "1", "title": "a"}\nrubbish\n{"id": "3", "title": "c"}\n')
    with caplog.at_level(logging.WARNING, logger="relsent_ir"):
        assert [record.id for record in read_records(path)] == ["1", "3"]
    (message,) = caplog.messages
    assert message.startswith(f"skipped a record: {path}:2: no JSON")


def test_file_of_bad_records_only(tmp_path):
    """It is no file of this format, or it is of no use."""
    path = tmp_path / "file"
    path.write_text("PMID-  \nTI  - Ants\n")
    skipped = []
    with pytest.raises(InputError, match=r"holds no medline records .*: a record without an id"):
        list(read_entries(path, on_skip=skipped.append))
    assert len(skipped) == 1


def test_reading_is_lazy(tmp_path):
    """The first record comes before the file has been read to its end."""
    path = tmp_path / "file"
    good = b"".join(b'{"id": "%d", "title": "a"}\n' % n for n in range(10_000))
    path.write_bytes(good + b"\xff\n")
    records = read_records(path)
    assert next(records) == Record("0", "a")
    with pytest.raises(InputError, match=r"file:10001: .*, after record 9999"):
        list(records)


PIECES = st.sampled_from(
    [
        b"<PubmedArticleSet>", b"<PubmedArticle>", b"<MedlineCitation>", b"<PMID>1</PMID>",
        b"</PMID>", b"<Article><Abstract><AbstractText>", b"</MedlineCitation></PubmedArticle>",
        b"</PubmedArticleSet>", b"<DeleteCitation><PMID>1</PMID></DeleteCitation>",
        b"<!DOCTYPE a [<!ENTITY x 'y'>]>", b"&x;", b"&#1;", b"<!--", b"<![CDATA[", b"<?xml ",
        b"PMID- 1\n", b"PMID- \n", b"AB  - x\n", b"      y\n", b"MH  - */a/*\n", b"RN  - 0 ()\n",
        b".I 1\n", b".U\n", b".M\n/*; ;.\n", b".S\n8799;\n", b"PN 1\n", b"RN 0001\n", b"RF x\n",
        b"MJ : a. .\n", b'{"id": 1, "title": "a"}\n', b'{"id": ', b'"mesh": [{}],', b"}", b"[",
        b"\n", b"\r\n", b"\x00", b"\xff", b"\xef\xbb\xbf", b"\x1f\x8b\x08\x00", b"\xff\xfe",
    ]
)  # fmt: skip
CONTENT = st.one_of(st.binary(max_size=200), st.lists(PIECES, max_size=12).map(b"".join))


@settings(derandomize=True, deadline=None, max_examples=150)
@given(CONTENT, st.booleans())
def test_nothing_but_input_errors(tmp_path_factory, content, packed):
    """Whatever the bytes, a record that comes out is sound, and every error is the user's."""
    path = tmp_path_factory.mktemp("any") / "file"
    path.write_bytes(gzip.compress(content) if packed else content)
    for name in (None, *FORMATS):
        entries, failure = [], None
        try:
            entries.extend(read_entries(path, name, on_skip=lambda error: str(error).encode()))
        except InputError as error:
            failure = error
        for entry in entries:
            assert entry.id
            if isinstance(entry, Record):
                assert Record.from_json(entry.to_json().encode()) == entry
        assert failure is None or (failure.where.startswith(str(path)) and failure.fix)
