"""Formats by content, and what an unknown file is told to be."""

import gzip
import json

import pytest

from relsent_ir.errors import InputError
from relsent_ir.records import detect_format, read_records

XML = "<PubmedArticleSet><PubmedArticle/></PubmedArticleSet>"
DOCTYPE = '<!DOCTYPE PubmedArticleSet PUBLIC "-//NLM//DTD" "https://dtd.nlm.nih.gov/x.dtd">'


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (XML, "pubmed-xml"),
        (f'\n<?xml version="1.0"?>\n<!-- a comment -->\n{DOCTYPE}\n{XML}', "pubmed-xml"),
        ("\ufeff" + XML, "pubmed-xml"),
        ("<MedlineCitationSet><MedlineCitation/></MedlineCitationSet>", "pubmed-xml"),
        ("<PubmedArticleSet><PubmedArticle></Wrong>", "pubmed-xml"),
        ("<html><body>PubmedArticleSet</body></html>", None),
        ("<DOC><DOCNO>1</DOCNO></DOC>", None),
        ("<PubmedArticleSetting/>", None),
        ("PMID- 1\nTI  - Ants\n", "medline"),
        ("\n\r\n\ufeffPMID- 1\r\n", None),
        ("\ufeff\r\nPMID- 1\r\n", "medline"),
        ("OWN - NLM\nPMID- 1\n", "medline"),
        ("TY  - JOUR\nTI  - A citation manager's record\nER  - \n", None),
        (".I 1\n.U\n87000001\n.T\nAnts\n", "ohsumed"),
        ("\r\n.I 1\r\n.U\r\n87000001\r\n", "ohsumed"),
        (".I 1\n.B\n60 year old ant\n.W\nwhat to do\n", None),
        ("<top>\n<num> Number: OHSU1\n<title> 60 year old ant\n</top>\n", None),
        ("PN 74001\nRN 00001 \nAN 75000001\nTI Ants\n", "cystic-fibrosis"),
        ("RN 00001\r\nTI Ants\r\n", "cystic-fibrosis"),
        ("QN 00001\nQU What do ants do?\nNR 00001\nRD  139 1222\n", None),
        ('{"id": "1", "contents": "Ants"}\n', "jsonl"),
        ('\n{"pmid": 1, "title": "Ants"}', "jsonl"),
        ('{"no": "id"}\nnot json\n{"id": "1", "text": "Ants"}\n', "jsonl"),
        ('{"qid": "1", "query": "Ants"}\n', None),
        ('{\n  "id": "1",\n  "contents": "Ants"\n}\n', None),
        ('[{"id": "1", "contents": "Ants"}]\n', None),
        ("1\tants at work\n2\tnests\n", None),
        ("1 0 12345 1\n", None),
        ("# Read me\n\nThese records have PMID- tags.\n", None),
        ("d41d8cd98f00b204e9800998ecf8427e  set.xml.gz\n", None),
        ("", None),
        (" \n", None),
    ],
)
@pytest.mark.parametrize("packed", [False, True])
def test_detect_format(tmp_path, content, expected, packed):
    """Plain or packed, whatever the name."""
    path = tmp_path / "file.dat"
    path.write_bytes(gzip.compress(content.encode()) if packed else content.encode())
    assert detect_format(path) == expected


def test_first_line_longer_than_the_head(tmp_path):
    """A record with a very long abstract is still a record."""
    path = tmp_path / "long.jsonl"
    path.write_text(json.dumps({"id": "1", "text": "ants " * 50_000}) + "\n")
    assert detect_format(path) == "jsonl"
    path.write_text(json.dumps({"qid": "1", "text": "ants " * 50_000}) + "\n")
    assert detect_format(path) is None


def test_utf16(tmp_path):
    """XML says its encoding itself."""
    path = tmp_path / "wide.xml"
    path.write_bytes(f'<?xml version="1.0" encoding="UTF-16"?>{XML}'.encode("utf-16"))
    assert detect_format(path) == "pubmed-xml"


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", "is empty (fetch or write it again)"),
        (gzip.compress(b""), "is empty"),
        (b'[{"id": "1", "contents": "Ants"}]', "is one JSON array, not JSON lines"),
        (b'{\n "id": "1"\n}', "is no JSON lines with records"),
        (b"QN 00001\nQU Ants?\n", "holds topics, no records"),
        (b".I 1\n.B\nAnts\n", "holds topics, no records"),
        (b"<top>\n", "holds topics, no records"),
        (b"PK\x03\x04...", "is an archive or packed"),
        (b"BZh91AY", "is an archive or packed"),
        (b"cf74".ljust(257, b"\0") + b"ustar", "is an archive or packed"),
        (b"hello", "holds no records of a known format (docs/formats.md lists the formats)"),
        (bytes(range(256)), "holds no records of a known format"),
    ],
)
def test_unknown_files_are_told_apart(tmp_path, content, problem):
    """A named file without records is an error that says what it seems to be."""
    path = tmp_path / "file.dat"
    path.write_bytes(content)
    with pytest.raises(InputError) as caught:
        next(read_records(path))
    assert str(caught.value).startswith(f"{path}: {problem}")
