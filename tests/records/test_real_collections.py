"""Every file of the real collections, against the counts that came with them."""

import csv
import gzip
from pathlib import Path

import pytest
from lxml import etree

from relsent_ir.records import list_inputs, read_entries
from relsent_ir.records.reading import detect_format
from relsent_ir.records.source import read_head


def read(path):
    """Give all records of a file; none may be skipped."""
    skipped = []
    records = list(read_entries(path, on_skip=skipped.append))
    assert skipped == []
    assert len({record.id for record in records}) == len(records)
    return records


def table(data):
    """Give the rows of the table of counts."""
    lines = (data / "pubmed-xml/counts.tsv").read_text().splitlines()
    return list(csv.DictReader(lines, delimiter="\t"))


def test_pubmed_xml(data):
    """Records, abstracts, structured abstracts and references equal the table, file by file."""
    rows = table(data)
    assert len(rows) == 10
    for row in rows:
        records = read(data / "pubmed-xml" / row["file"])
        structured = [[s for s in record.sections if s.category] for record in records]
        assert {
            "records": len(records),
            "records_with_abstract": sum(bool(record.sections) for record in records),
            "records_ge2_NlmCategory_sections": sum(len(found) >= 2 for found in structured),
            "records_with_reference_pmids": sum(bool(record.references) for record in records),
        } == {name: int(row[name]) for name in list(row)[2:6]}, row["file"]


WAYS = {
    "records_with_ReferenceList_pmids": "PubmedData/ReferenceList//ArticleId[@IdType='pubmed']",
    "records_with_CommentsCorrections_Cites_pmids": "MedlineCitation/CommentsCorrectionsList"
    "/CommentsCorrections[@RefType='Cites']/PMID",
}


def test_both_ways_of_references(data):
    """By XPath each way alone equals the table, and both together are what we read."""
    for row in table(data):
        path = data / "pubmed-xml" / row["file"]
        articles = etree.fromstring(gzip.decompress(path.read_bytes())).findall("PubmedArticle")
        for name, way in WAYS.items():
            assert sum(bool(article.xpath(way)) for article in articles) == int(row[name])
        expected = {
            article.findtext("MedlineCitation/PMID"): {
                found.text for way in WAYS.values() for found in article.xpath(way)
            }
            for article in articles
        }
        references = {record.id: set(record.references) for record in read(path)}
        assert {pmid: references[pmid] for pmid in expected} == expected


@pytest.mark.parametrize(
    ("name", "records", "abstracts"), [("bat", 543, 532), ("mapsci", 252, 249)]
)
def test_medline_text(data, name, records, abstracts):
    """Records, and records with an abstract."""
    found = read(data / f"medline-text/{name}.txt.gz")
    assert (len(found), sum(bool(record.sections) for record in found)) == (records, abstracts)


@pytest.mark.parametrize(
    ("name", "records", "structured"),
    [("train", 3439, 2771), ("validation", 426, 329), ("test-unlabelled", 441, 0)],
)
def test_rct(data, name, records, structured):
    """Records, and those with two or more labelled sections; two of train have them in bold."""
    found = read(data / f"rct/rct-{name}.xml.gz")
    labelled = [sum(bool(section.label) for section in record.sections) for record in found]
    assert (len(found), sum(count >= 2 for count in labelled)) == (records, structured)


@pytest.mark.slow
def test_abstracts(data):
    """Every line is a record with an abstract; those with a PMID have it as their id."""
    found = read(data / "abstracts/abstracts.jsonl.gz")
    assert len(found) == 52_336
    assert all(record.sections for record in found)
    assert sum(record.id.isdigit() for record in found) == 31_947


def test_cystic_fibrosis(data):
    """Six files, records 1 to 1239, abstracts or else extracts, and every RF line."""
    folder = data / "cystic-fibrosis"
    files, skipped = list_inputs([folder])
    assert [path.name for path, _ in files] == [f"cf7{n}" for n in range(4, 10)]
    assert {name for _, name in files} == {"cystic-fibrosis"}
    queries = folder / "cfquery"
    assert detect_format(read_head(queries), read_head(queries, text=True)) is None
    assert queries in skipped
    records = [record for path, _ in files for record in read(path)]
    assert [record.id for record in records] == [str(n) for n in range(1, 1240)]
    labels = [section.label for record in records for section in record.sections]
    assert labels.count("") == 784
    assert set(labels) == {"", "EXTRACT"}
    assert sum(len(record.references) for record in records) == 27_188
    assert {record.year for record in records} == {str(year) for year in range(1974, 1980)}
    assert records[123].abstract.isascii()


def test_all_at_once(data):
    """Every file of records is found in the whole folder, and nothing else is taken for one."""
    folders = ("abstracts", "cystic-fibrosis", "medline-text", "pubmed-xml", "rct")
    files, skipped = list_inputs(data / folder for folder in folders)
    assert len(files) == 1 + 6 + 2 + 10 + 3
    assert all(Path(path).name not in ("README.md", "cfquery", "counts.tsv") for path, _ in files)
    assert len(skipped) == 11
