"""Exports of reference managers and databases as they write them, of invented records."""

from pathlib import Path

import pytest

from relsent_ir.errors import InputError
from relsent_ir.records import Record, read_entries
from relsent_ir.records.fields import RETRACTED

EXPORTS = Path(__file__).parent / "exports"


def read(name: str | Path) -> list[Record]:
    """Read a file of exports; no record may be skipped."""
    skipped: list[InputError] = []
    entries = list(read_entries(EXPORTS / name, on_skip=skipped.append))
    assert not skipped
    return [entry for entry in entries if isinstance(entry, Record)]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("ovid-numbered.ris", ["Hearing in toddlers", "Ear wax"]),
        ("tags-before-ty.ris", ["First", "Otter diets in a cold river"]),
        ("utf16.ris", ["Höhe über α-Werte"]),
        ("cr-lines.ris", ["Zinc in colds"]),
        ("wos-cr.ris", ["Zinc in colds"]),
        ("wos-plain.txt", ["Toll receptors in fever"]),
        ("zotero.csv", ["Zinc in colds", "Copper in coughs"]),
    ],
)
def test_recognised(name: str, expected: list[str]) -> None:
    """Numbers before records, UTF-16, CR alone, tags before TY: all are read without --format."""
    assert [record.title for record in read(name)] == expected


@pytest.mark.parametrize(
    ("name", "ids"),
    [
        ("proquest-an.ris", ["10.1000/z"]),
        ("wos-cr.ris", ["10.1000/z"]),
        ("wos-plain.txt", ["90020002"]),
        ("zotero.csv", ["90020006", "EFGH5678"]),
        ("rayyan.csv", ["rayyan-101", "90020003"]),
        ("covidence.csv", ["10.1000/z", "13"]),
        ("same-doi.ris", ["10.1000/suppl.1", "10.1000/suppl.1~2"]),
    ],
)
def test_ids(name: str, ids: list[str]) -> None:
    """A PMID, a DOI, a program's own key; an accession number that no run can hold gives way."""
    assert [record.id for record in read(name)] == ids


def test_ids_of_several_works(caplog: pytest.LogCaptureFixture, tmp_path: Path) -> None:
    """Two editorials of a year are two records, and it is said."""
    first, second = read("same-title.ris")
    assert (first.journal, second.journal) == ("Heart J", "Lung J")
    assert second.id == f"{first.id}~2"
    assert f"other works have the ids of 1 records: {second.id}" in caplog.text
    path = tmp_path / "a.ris"
    work = "TY  - JOUR\nTI  - {}\nDO  - 10.1000/a\nER  - \n"
    path.write_text("".join(map(work.format, ("A", "A.", "B", "C", "B"))))
    suffixes = [record.id.removeprefix("10.1000/a") for record in read(path)]
    assert suffixes == ["", "", "~2", "~3", "~2"]


def test_columns() -> None:
    """Abstract, journal, year, keywords and the PMID of Extra, under the programs' names."""
    first, second = read("zotero.csv")
    assert first.abstract == "Zinc shortened colds by two days."
    assert (first.journal, first.year, first.pmid) == ("Cold Journal", "2020", "90020006")
    assert first.keywords == ("zinc", "cold")
    assert (second.pmid, second.keywords) == ("", ())
    assert [record.year for record in read("covidence.csv")] == ["2020", "2021"]
    assert [record.pmid for record in read("rayyan.csv")] == ["", "90020003"]


def test_ends_of_records(tmp_path: Path) -> None:
    """ER ends a record, so that tags before the next TY are the next one's."""
    first, second = read("tags-before-ty.ris")
    assert first.abstract == ""
    assert second.abstract == "Otters ate crabs in winter."
    assert second.authors == ("Otter B",)
    path = tmp_path / "a.ris"
    path.write_text("1. exp Mice/\n2. run*\n\n1.\nTY  - JOUR\nTI  - Mice\nER  - \n\n2 of 2\n")
    (record,) = read(path)
    assert (record.title, record.own) == ("Mice", ())


@pytest.mark.parametrize(("tag", "pmid"), [("C5", "90020001"), ("PM", "90020001"), ("C5", "x1")])
def test_pmids_of_databases(tmp_path: Path, tag: str, pmid: str) -> None:
    """Embase's C5 and Web of Science's PM, if they are a number."""
    path = tmp_path / "a.ris"
    path.write_text(f"TY  - JOUR\nTI  - Mice\n{tag}  - {pmid}\nER  - \n")
    assert read(path)[0].pmid == (pmid if pmid.isdigit() else "")


def test_oddities() -> None:
    """Signs that a decoder would drop; a repeated field; versions; a title that is elsewhere."""
    (record,) = read("zotero-textless.bib")
    assert record.title == "Zinc lowers TGF-β and TNF-α if p < 0.05"
    for text in ("p < 0.05", "n > 40", "γ-ray", "≤ 3", "≤ 4", "3 × daily", "5 ± 2", "37 °C", "$5"):
        assert text in record.abstract
    (record,) = read("scopus-repeated-field.bib")
    assert record.own == (("funding_details", "A"), ("funding_details2", "B"))
    (record,) = read("pmid-versions.xml")
    assert record.title == "Second version, corrected dose of 5 mg."
    (record,) = read("not-available.xml")
    assert (record.title, record.vernacular_title) == ("", "Sur la goutte.")


@pytest.mark.parametrize(
    ("written", "keywords"),
    [("zinc, colds", ("zinc", "colds")), ("zinc, oral; colds", ("zinc, oral", "colds"))],
)
def test_keywords_of_bibtex(tmp_path: Path, written: str, keywords: tuple[str, ...]) -> None:
    """Commas part them where no semicolon does."""
    path = tmp_path / "a.bib"
    path.write_text(f"@article{{a, title = {{Mice}}, keywords = {{{written}}}}}\n")
    assert read(path)[0].keywords == keywords


def test_retractions(tmp_path: Path) -> None:
    """A notice of a retraction makes the type, in PubMed's text too."""
    first, second = read("retraction-in.xml")
    assert first.publication_types == ("Journal Article", RETRACTED, "Corrected Publication")
    assert second.publication_types == (RETRACTED,)
    path = tmp_path / "a.nbib"
    path.write_text(
        "PMID- 90010050\nTI  - Mice\nPT  - Journal Article\nRIN - J X. 2016;1:1\n\n"
        "PMID- 90010051\nTI  - Ants\nECI - J X. 2016;1:2\nEIN - J X. 2016;1:3\n"
    )
    first, second = read(path)
    assert first.publication_types == ("Journal Article", RETRACTED)
    assert second.publication_types == ("Publication of Concern", "Corrected Publication")


@pytest.mark.parametrize(
    ("title", "kind", "yes"),
    [
        ("RETRACTED: Zinc in colds", "Article", True),
        ("[Retracted] Zinc in colds", "Article", True),
        ("RETRACTED ARTICLE: Zinc in colds", "", True),
        ("Zinc in colds", "Retracted", True),
        ("Retracted nipples in mice", "Article", False),
    ],
)
def test_retractions_of_publishers(tmp_path: Path, title: str, kind: str, yes: bool) -> None:
    """The beginning of a title, and Scopus' type."""
    path = tmp_path / "a.csv"
    path.write_text(f"EID,Title,Document Type\n2-s2.0-1,{title},{kind}\n")
    assert (RETRACTED in read(path)[0].publication_types) is yes


def test_latin_1(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Lines that are not UTF-8 are read as Windows writes them, with a warning of the first."""
    path = tmp_path / "a.ris"
    ris = "TY  - JOUR\nAN  - {}\nTI  - Höhe über “Null”\nER  - \n"
    path.write_bytes(ris.format(1).encode() + ris.format(2).encode("cp1252"))
    assert [record.title for record in read(path)] == ["Höhe über “Null”"] * 2
    assert "a.ris:7: not UTF-8" in caplog.text
    path = tmp_path / "a.bib"
    path.write_bytes("@article{a, title = {Höhe}}\n".encode("latin-1"))
    assert read(path)[0].title == "Höhe"
    path = tmp_path / "a.csv"
    path.write_bytes("ID;Title\n1;Höhe\n".encode("latin-1"))
    assert read(path)[0].title == "Höhe"


def test_ids_drop_no_record(tmp_path: Path) -> None:
    """Where none can be one of a run, the words are: title, else abstract."""
    path = tmp_path / "a.csv"
    path.write_text("Accession Number,Title,Abstract\nA 1,Ants,\nA 2,,Bees fly.\n,Bugs,\n")
    records = read(path)
    assert len({record.id for record in records}) == 3
    assert all(record.id.startswith("x") for record in records)
    assert records[0].own == (("accession", "A 1"),)


def test_headings_and_authors() -> None:
    """Bold headings begin sections; Web of Science has authors a line each."""
    (record,) = read("inline-headings.xml")
    labels = [section.label for section in record.sections]
    assert labels == ["BACKGROUND", "METHODS", "RESULTS", "CONCLUSIONS"]
    (record,) = read("wos-plain.txt")
    assert record.authors == ("Dal J", "Ek A")
    assert (record.journal, record.year, record.pmid) == ("FEVER J", "2022", "90020002")


def test_damaged_utf16(tmp_path: Path) -> None:
    """Half a character at the end is an error with the place."""
    path = tmp_path / "a.ris"
    path.write_bytes((EXPORTS / "utf16.ris").read_bytes()[:-1])
    with pytest.raises(InputError, match="damaged UTF-16"):
        list(read_entries(path))
