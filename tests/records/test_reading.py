"""The entry points, over all formats."""

import gzip
import json
import logging

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from relsent_ir.errors import InputError, UsageError
from relsent_ir.records import Record, list_inputs, read_entries, read_records
from relsent_ir.records.reading import FORMATS, detect_format
from relsent_ir.records.source import read_head

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
        ("TY  - JOUR\nTI  - A citation manager's record\nER  - \n", "ris"),
        ("%aa " * 26, None),
        ("% me@x.org, 50%\n@string{a = {50% b}}\n\n%%\n@article{key,\n", "bibtex"),
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
        ('{\n  "id": "1",\n  "contents": "Ants"\n}\n', "json"),
        ('[{"id": "1", "contents": "Ants"}]\n', "json"),
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
    assert detect_format(read_head(path), read_head(path, text=True)) == expected


def test_formats(tmp_path):
    """A record with a very long abstract is one; an unknown name is a wrong flag."""
    path = tmp_path / "long.jsonl"
    path.write_text(json.dumps({"id": "1", "text": "ants " * 50_000}) + "\n")
    assert detect_format(read_head(path), read_head(path, text=True)) == "jsonl"
    path.write_text(json.dumps({"qid": "1", "text": "ants " * 50_000}) + "\n")
    assert detect_format(read_head(path), read_head(path, text=True)) is None
    with pytest.raises(UsageError, match=r"no format 'xml' \(there are pubmed-xml, medline,"):
        list(read_records(tmp_path / "file", "xml"))


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", "is empty (fetch or write it again)"),
        (gzip.compress(b""), "is empty"),
        (b'[{"id": "1", "query": "Ants"}]', "is JSON without records"),
        (b'{\n "id": "1"\n}', "is JSON without records"),
        (b"QN 00001\nQU Ants?\n", "holds topics, no records"),
        (b".I 1\n.B\nAnts\n", "holds topics, no records"),
        (b"<top>\n", "holds topics, no records"),
        (b"PK\x03\x04...", "is an archive or packed"),
        (b"BZh91AY", "is an archive or packed"),
        (b"cf74".ljust(257, b"\0") + b"ustar", "is an archive or packed"),
        (b"hello", "holds no records of a known format (docs/formats.md lists the formats)"),
        (bytes(range(256)), "holds no records of a known format"),
        (b"90000001\n90000002\n", "holds numbers, no records (if they are PMIDs, relsent-ir fetch"),
        (b"1: Ode A. Ants. J Odd. 2019.\nPMID: 90000001.\n\n2: ", "is printed by PubMed for"),
        (b"1. J Odd. 2019.\n\nAnts.\n\nOde A.\n\nPMID: 90000001\n\n\n2. ", "is printed by PubMed"),
        (b"d1\tAnts work.\n", "holds no records of a known format (if it is a table without"),
    ],
)
def test_unknown_files_are_told_apart(tmp_path, content, problem):
    """A named file without records is an error that says what it seems to be."""
    path = tmp_path / "file.dat"
    path.write_bytes(content)
    with pytest.raises(InputError) as caught:
        next(read_records(path))
    assert str(caught.value).startswith(f"{path}: {problem}")


SAMPLES = {
    "pubmed-xml": "<PubmedArticleSet><PubmedArticle><MedlineCitation><PMID>{}</PMID>"
    "</MedlineCitation></PubmedArticle></PubmedArticleSet>",
    "medline": "PMID- {}\nTI  - Ants\n",
    "ohsumed": ".I 1\n.U\n{}\n.T\nAnts\n",
    "cystic-fibrosis": "PN 74001\nRN {}\nTI Ants\n",
    "smart": ".I {}\n.T\nAnts\n",
    "jsonl": '{{"id": "{}", "title": "Ants"}}\n',
    "json": '[\n{{"id": "{}", "title": "Ants"}}]\n',
    "csv": "id,title\n{},Ants\n",
    "ris": "TY  - JOUR\nAN  - {}\nTI  - Ants\nER  - \n",
    "web-of-science": "FN Clarivate Analytics Web of Science\nPT J\nTI Ants\nUT {}\nER\n\nEF\n",
    "endnote": "<xml><records><record><accession-num>{}</accession-num></record></records></xml>",
    "bibtex": "@article{{k{0}, recordid = {{{0}}}, title = {{Ants}}}}\n",
}


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("forced", [False, True])
@pytest.mark.parametrize("packed", [False, True])
def test_names_of_formats(tmp_path, name, forced, packed):
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
    if name == other or (name, other) == ("json", "jsonl"):  # one line is one value
        return
    path = tmp_path / "file"
    path.write_text(samples[other].format(17))
    with pytest.raises(
        InputError, match=r"(no PubMed XML|holds no .* records|no JSON|no header|XML)"
    ):
        list(read_entries(path, name, on_skip=lambda error: None))


@pytest.mark.parametrize("name", FORMATS)
def test_missing_and_folder(tmp_path, name):
    """With and without a forced format."""
    for forced in (name, None):
        with pytest.raises(InputError, match="there is no such file"):
            list(read_records(tmp_path / "missing", forced))
        with pytest.raises(InputError, match="is a folder"):
            list(read_records(tmp_path, forced))


def test_skipped_records(tmp_path, caplog):
    """One warning each, by the package's logger; a file of nothing else is an error."""
    path = tmp_path / "file"
    path.write_text('{"id": "1", "title": "a"}\nrubbish\n{"id": "3", "title": "c"}\n')
    with caplog.at_level(logging.WARNING, logger="relsent_ir"):
        assert [record.id for record in read_records(path)] == ["1", "3"]
    (message,) = caplog.messages
    assert message.startswith(f"skipped a record: {path}:2: no JSON")
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


JSONL = '{"id": "1", "text": "Ants"}\n'
MEDLINE = "PMID- 1\nTI  - Ants\n"


@pytest.fixture
def folder(tmp_path):
    """Give a folder with files of several kinds."""
    files = {
        "data/b.jsonl": JSONL,
        "data/a/z.txt": MEDLINE,
        "data/a.txt": MEDLINE,
        "data/README": "About ants.",
        "data/a/queries": "QN 00001\nQU Ants?\n",
        "data/.hidden.jsonl": JSONL,
        "data/.git/x.jsonl": JSONL,
        "other/c.jsonl": JSONL,
        "none/README": "Nothing.",
    }
    for name, content in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
    return tmp_path


def names(folder, paths):
    """Give paths relative to the folder."""
    return [path.relative_to(folder).as_posix() for path in paths]


def test_folders_are_walked_in_order(folder, caplog):
    """Sorted by path, hidden files left out, files without records named in one warning."""
    with caplog.at_level(logging.WARNING, logger="relsent_ir"):
        files, skipped = list_inputs([folder / "other", str(folder / "data")])
    assert names(folder, [path for path, _ in files]) == [
        "other/c.jsonl",
        "data/a/z.txt",
        "data/a.txt",
        "data/b.jsonl",
    ]
    assert [name for _, name in files] == ["jsonl", "medline", "medline", "jsonl"]
    assert names(folder, skipped) == ["data/README", "data/a/queries"]
    assert caplog.messages == [
        f"skipped 2 files that hold no records: "
        f"{folder}/data/README holds no records of a known format; "
        f"{folder}/data/a/queries holds topics, no records"
    ]


def test_the_warning_names_the_first_few(folder, caplog):
    """However many there are."""
    for n in range(12):
        (folder / "other" / f"{n}.md5").write_text("d41d8cd98f00b204e9800998ecf8427e")
    with caplog.at_level(logging.WARNING, logger="relsent_ir"):
        list_inputs([folder / "other"])
    (message,) = caplog.messages
    assert message.startswith("skipped 12 files")
    assert message.endswith("; …")


def test_the_same_file_counts_once(folder, monkeypatch):
    """However often, and by whatever path, it is reached."""
    (folder / "link.jsonl").symlink_to(folder / "other/c.jsonl")
    monkeypatch.chdir(folder)
    paths = ["other/c.jsonl", folder / "other", "./other/../other/c.jsonl", "link.jsonl"]
    files, _ = list_inputs(paths)
    assert [str(path) for path, _ in files] == ["other/c.jsonl"]


def test_linked_folders_are_walked_once(folder):
    """A link to the folder above does not make it endless."""
    (folder / "other" / "data").symlink_to(folder / "data", target_is_directory=True)
    (folder / "data" / "up").symlink_to(folder / "data", target_is_directory=True)
    files, _ = list_inputs([folder / "other"])
    assert names(folder, [path for path, _ in files]) == [
        "other/c.jsonl",
        "other/data/a/z.txt",
        "other/data/a.txt",
        "other/data/b.jsonl",
    ]


def test_files_that_are_none(folder):
    """A file without records, or that is not there, is an error; in a folder it is a warning."""
    with pytest.raises(InputError, match="README: holds no records of a known format"):
        list_inputs([folder / "data/b.jsonl", folder / "data/README"])
    with pytest.raises(InputError, match="missing: there is no such file"):
        list_inputs([folder / "missing"])
    (folder / "other" / "dead.xml").symlink_to(folder / "missing")
    files, skipped = list_inputs([folder])
    assert files
    assert folder / "other" / "dead.xml" in skipped


def test_folder_without_records(folder, caplog):
    """A folder with nothing in it is an error; a file that is damaged is left out, and named."""
    with pytest.raises(InputError, match="none: no file in this folder holds records"):
        list_inputs([folder / "none"])
    (folder / "table").mkdir()
    (folder / "table" / "a.tsv").write_text("d1\tAnts work.\nd2\tBees hum.\n")
    with pytest.raises(InputError, match=r"in this folder holds records .*--map id=1,abstract=2"):
        list_inputs([folder / "table"])
    assert list_inputs([folder / "table"], ":id=1,abstract=2")[0]
    (folder / "other" / "cut.gz").write_bytes(gzip.compress(b"x" * 1000)[:8])
    with caplog.at_level("WARNING"):
        _, skipped = list_inputs([folder])
    assert folder / "other" / "cut.gz" in skipped
    assert "cut.gz the gzip data end too early" in caplog.text


def test_unreadable_folder(folder, monkeypatch):
    """The system's reason is passed on."""

    def refuse(self):
        raise PermissionError(13, "Permission denied", str(self))

    monkeypatch.setattr("pathlib.Path.iterdir", refuse)
    with pytest.raises(InputError, match=r"other: cannot be read \(Permission denied\)"):
        list_inputs([folder / "other"])


def test_forced_format(folder):
    """It holds for every file."""
    files, skipped = list_inputs([folder / "data/README", folder / "other"], "jsonl")
    assert [name for _, name in files] == ["jsonl", "jsonl"]
    assert skipped == []
    with pytest.raises(UsageError, match="no format 'xml'"):
        list_inputs([folder / "other"], "xml")


def test_long_author(tmp_path):
    """A name of many hyphens is read as quickly as another."""
    name = "A B" + "-a" * 30
    file = tmp_path / "authors.csv"
    file.write_text(f'id,title,abstract,authors\n1,Mice,Ran.,"{name}; C D"\n')
    (record,) = read_records(file)
    assert record.authors == (name, "C D")
