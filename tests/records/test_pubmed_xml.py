"""PubMed XML as a stream: its roots, its entities, and what is refused."""

import gzip

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from relsent_ir.errors import InputError
from relsent_ir.records import Deletion, Record, Section, pubmed_xml, read_entries, read_records

DOCTYPE = (
    '<!DOCTYPE PubmedArticleSet PUBLIC "-//NLM//DTD PubMedArticle, 1st January 2019//EN" '
    '"https://dtd.nlm.nih.gov/ncbi/pubmed/out/pubmed_190101.dtd">'
)


def citation(pmid, text="Ants."):
    """Write a MedlineCitation."""
    return (
        f"<MedlineCitation><PMID>{pmid}</PMID><Article><Abstract><AbstractText>{text}"
        "</AbstractText></Abstract></Article></MedlineCitation>"
    )


def article(pmid, text="Ants."):
    """Write a PubmedArticle."""
    return f"<PubmedArticle>{citation(pmid, text)}</PubmedArticle>\n"


def pubmed_set(*entries, prolog=""):
    """Write a PubmedArticleSet."""
    return f"{prolog}<PubmedArticleSet>\n{''.join(entries)}</PubmedArticleSet>\n"


def read(tmp_path, text, format=None):  # noqa: A002  (a fixed name)
    """Give the entries of a text, what was skipped, and the error at its end."""
    path = tmp_path / "set.xml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    entries, skipped, failure = [], [], None
    try:
        entries.extend(read_entries(path, format, on_skip=skipped.append))
    except InputError as error:
        failure = str(error).removeprefix(f"{tmp_path}/")
    return entries, [str(error).removeprefix(f"{tmp_path}/") for error in skipped], failure


def ids(entries):
    """Give their ids, those of deletions with a minus."""
    return [f"-{entry.id}" if isinstance(entry, Deletion) else entry.id for entry in entries]


BOOK = "<PubmedBookArticle><BookDocument><PMID>9</PMID></BookDocument></PubmedBookArticle>"
DELETE = "<DeleteCitation><PMID Version='1'>7</PMID><PMID Version='2'>8</PMID></DeleteCitation>"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (pubmed_set(article(1), BOOK, article(2), DELETE), ["1", "9", "2", "-7", "-8"]),
        (pubmed_set(DELETE, article(1)), ["-7", "-8", "1"]),
        (pubmed_set(DELETE), ["-7", "-8"]),
        (f"<PubmedBookArticleSet>{BOOK}</PubmedBookArticleSet>", ["9"]),
        (
            f"<MedlineCitationSet>{citation(1)}{citation(2)}{DELETE}</MedlineCitationSet>",
            ["1", "2", "-7", "-8"],
        ),
        (article(1), ["1"]),
        (citation(1), ["1"]),
        (BOOK, ["9"]),
        (DELETE, ["-7", "-8"]),
    ],
)
def test_roots(tmp_path, text, expected):
    """Sets of every kind, and single records; deletions in file order."""
    entries, skipped, failure = read(tmp_path, text)
    assert (ids(entries), skipped, failure) == (expected, [], None)


def test_what_is_left_out(tmp_path):
    """Deletions are no records; text, comments and instructions between records do not matter."""
    path = tmp_path / "set.xml"
    path.write_text(pubmed_set(article(1), DELETE))
    assert [record.id for record in read_records(path)] == ["1"]
    text = pubmed_set(
        "rubbish <!-- c --> <?pi?>", article(1), "more", "<Other/>", article(2), "end"
    )
    assert ids(read(tmp_path, "<!-- c -->" + text + "<!-- c -->")[0]) == ["1", "2"]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "iso-8859-1", "utf-16", "windows-1252"])
def test_declared_encodings(tmp_path, encoding):
    """The encoding that the prolog declares is used, for detection too."""
    name = encoding.removesuffix("-sig")
    text = pubmed_set(
        article(1, "Caffè è buono."), prolog=f'<?xml version="1.0" encoding="{name}"?>'
    )
    entries, _, failure = read(tmp_path, text.encode(encoding))
    assert entries == [Record("1", sections=(Section("Caffè è buono."),), pmid="1")]
    assert failure is None


def test_bad_records_are_skipped_and_the_rest_goes_on(tmp_path):
    """Without PMID, with an empty one, or with one that no run can hold."""
    bad = "<PubmedArticle><MedlineCitation/></PubmedArticle>"
    text = pubmed_set(
        article(1), bad, article(" "), article("2 3"), article(4), DELETE.replace("7", "7 7")
    )
    entries, skipped, failure = read(tmp_path, text)
    assert ids(entries) == ["1", "4", "-8"]
    assert [error.split(": ")[0] for error in skipped] == [
        "set.xml, record 2",
        "set.xml, record 3",
        "set.xml, record 4",
        "set.xml, DeleteCitation",
    ]
    assert failure is None


def test_malformed(tmp_path):
    """The records before come out; the error names file, line, record and fix."""
    text = pubmed_set(article(1), article(2), "<PubmedArticle></Wrong>", article(4))
    entries, _, failure = read(tmp_path, text)
    assert ids(entries) == ["1", "2"]
    assert failure.startswith("set.xml:4: malformed XML: Opening and ending tag mismatch")
    assert failure.endswith(", after record 2 (fetch the file again, or mend it there)")
    _, _, failure = read(tmp_path, "\n" + pubmed_set(article(1), prolog='<?xml version="1.0"?>'))
    assert failure.startswith("set.xml:2: malformed XML: XML declaration allowed only at the start")
    text = pubmed_set(article(1), article(2, "na\xefve")).encode("latin-1")
    entries, _, failure = read(tmp_path, text)
    assert ids(entries) == ["1"]
    assert failure.startswith("set.xml:3: malformed XML")
    text = pubmed_set(article(1), article(2, "<i>" * 300 + "x" + "</i>" * 300))
    entries, _, failure = read(tmp_path, text)
    assert ids(entries) == ["1"]
    assert "Excessive depth" in failure
    _, _, failure = read(tmp_path, pubmed_set(article(1), article(2, "x" * 11_000_000)))
    assert failure.startswith("set.xml:3: malformed XML")
    assert "after record 1" in failure


def test_truncated(tmp_path):
    """Cut in a record or after one, plain or packed: an error at the end, never silence."""
    text = pubmed_set(article(1), article(2)).encode()
    for cut in (text[:-3], text[: -len("</PubmedArticleSet>\n")], text[:-60]):
        entries, _, failure = read(tmp_path, cut)
        assert ids(entries) in (["1"], ["1", "2"])
        assert "malformed XML" in failure
    entries, _, failure = read(tmp_path, gzip.compress(text)[:-12])
    assert ids(entries) == ["1", "2"]
    assert failure.startswith("set.xml: the gzip data end too early, after record 2 (")


@pytest.mark.parametrize("second", ["", '<?xml version="1.0"?>'])
def test_several_documents_in_one_file(tmp_path, second):
    """The first is read, the second refused with the reason."""
    text = pubmed_set(article(1)) + pubmed_set(article(2), prolog=second)
    entries, _, failure = read(tmp_path, text)
    assert ids(entries) == ["1"]
    assert failure.startswith("set.xml:4: malformed XML")
    assert "one XML document a file" in failure


def test_undeclared_prefix(tmp_path):
    """NLM's DTD declares mml; without the DTD the text is still read, and errors still found."""
    text = article(1, "a <mml:math><mml:mi>x</mml:mi></mml:math> b")
    entries, _, failure = read(tmp_path, pubmed_set(text, article(2)))
    assert [entry.abstract for entry in entries] == ["a x b", "Ants."]
    assert failure is None
    assert "mismatch" in read(tmp_path, pubmed_set(text, "<PubmedArticle></Wrong>"))[2]
    assert "malformed" in read(tmp_path, pubmed_set(text, article(2))[:-5])[2]


def test_entities_and_dtds(tmp_path):
    """The DTD that would declare an entity is not read, not even if it is a file beside."""
    text = pubmed_set(article(1, "a &alpha; b"))
    assert read(tmp_path, DOCTYPE + text)[0][0].abstract == "a &alpha; b"
    assert "Entity 'alpha' not defined" in read(tmp_path, text)[2]
    (tmp_path / "declared.dtd").write_text('<!ENTITY y "the secret">')
    uri = (tmp_path / "declared.dtd").as_uri()
    text = pubmed_set(article(1, "&y;"), prolog=f'<!DOCTYPE PubmedArticleSet SYSTEM "{uri}">')
    assert read(tmp_path, text)[0][0].abstract == "&y;"


LAUGHS = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))


@pytest.mark.parametrize(
    ("subset", "text"),
    [
        ('<!ENTITY l0 "ha">' + LAUGHS, "&l9;"),
        ('<!ENTITY l0 "ha">' + LAUGHS, '<i a="&l9;"/>'),
        ('<!ENTITY l0 "ha">', "&l0;"),
        ('<!ENTITY x SYSTEM "SECRET">', "&x;"),
        ('<!ENTITY x SYSTEM "http://127.0.0.1:9/secret">', "&x;"),
        ('<!ENTITY % x SYSTEM "DECLARED"> %x;', "&y;"),
    ],
)
def test_declared_entities_are_refused(tmp_path, subset, text):
    """Nothing is expanded, no other file or address is read."""
    (tmp_path / "secret.txt").write_text("the secret")
    (tmp_path / "declared.dtd").write_text('<!ENTITY y "the secret">')
    subset = subset.replace("SECRET", (tmp_path / "secret.txt").as_uri())
    subset = subset.replace("DECLARED", (tmp_path / "declared.dtd").as_uri())
    document = f"<!DOCTYPE PubmedArticleSet [{subset}]>" + pubmed_set(article(1, text), article(2))
    entries, _, failure = read(tmp_path, document)
    assert entries == []
    assert failure.startswith("set.xml: the XML declares entities")


def test_endless_records_are_refused(tmp_path, monkeypatch):
    """A record that goes on and on is not taken into memory whole."""
    monkeypatch.setattr(pubmed_xml, "MAX_XML", 1 << 20)
    text = pubmed_set(*(article(n, "x" * 10_000) for n in range(200)), "<Other/>" * 200_000)
    entries, _, failure = read(tmp_path, text)
    assert len(entries) == 200
    assert failure.startswith("set.xml: a record is longer than 1 MB, after record 199")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("<html><body/></html>", "no PubMed XML (its root is <html>)"),
        ("just text", "no PubMed XML (no element in it)"),
        ("<", "no PubMed XML (no element in it)"),
        ("<PubmedArticleSet></PubmedArticleSet>", "holds no pubmed-xml records that can be read"),
    ],
)
def test_forced_on_what_it_does_not_fit(tmp_path, text, problem):
    """An error, not an empty list."""
    entries, _, failure = read(tmp_path, text, "pubmed-xml")
    assert entries == []
    assert failure.startswith(f"set.xml: {problem}")


def test_what_has_been_read_is_freed(tmp_path):
    """At most one empty element stands before a record, and little of the file after it."""
    path = tmp_path / "set.xml"
    path.write_text(pubmed_set(*(article(n, "Ants " * 200) for n in range(1000))))
    for element in pubmed_xml.elements(path, ("PubmedArticle",)):
        parent = element.getparent()
        assert parent.index(element) <= 1
        assert element is parent[0] or not len(parent[0])
        assert len(parent) < 100


@settings(derandomize=True, deadline=None, max_examples=50)
@given(st.lists(st.text(st.characters(exclude_categories=["Cs", "Cc"])), min_size=1, max_size=4))
def test_round_trip(tmp_path_factory, texts):
    """Any text that XML can hold comes back, but for its white space."""
    from xml.sax.saxutils import escape

    noncharacters = dict.fromkeys((0xFFFE, 0xFFFF))
    texts = [text.translate(noncharacters) for text in texts]
    document = pubmed_set(*(article(n, escape(text)) for n, text in enumerate(texts)))
    entries, _, failure = read(tmp_path_factory.mktemp("round"), document)
    assert failure is None
    assert [entry.abstract for entry in entries] == [" ".join(text.split()) for text in texts]
