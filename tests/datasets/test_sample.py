"""The bundled sample: what its records, topics and judgements promise to the rest."""

import csv
import re
from collections import Counter
from pathlib import Path

import pytest
from lxml import etree

import relsent_ir

ROOT = Path(__file__).parents[2]
SAMPLE = Path(relsent_ir.__file__).parent / "datasets" / "sample"
UPDATED, DELETED = "90000045", "90000040"


def parse(name):
    """Parse a file of the sample without touching its DTD."""
    parser = etree.XMLParser(load_dtd=False, no_network=True, resolve_entities=False)
    return etree.parse(SAMPLE / name, parser).getroot()


def own_id(record):
    """Give a record's PMID: the first in the record, before those that it cites."""
    return next(record.iter("PMID")).text


def abstract(record):
    """Give the texts of a record's abstract, section by section."""
    return ["".join(text.itertext()) for text in record.iterfind(".//Abstract/AbstractText")]


def references(record):
    """Give the PMIDs that a record cites, in either of the two places."""
    cites = record.iterfind(".//CommentsCorrections[@RefType='Cites']/PMID")
    listed = record.iterfind(".//ReferenceList/Reference/ArticleIdList/ArticleId[@IdType='pubmed']")
    return [element.text for element in [*cites, *listed]]


@pytest.fixture(scope="module")
def records():
    """Read the sample's records, by PMID."""
    found = [
        record
        for record in parse("sample.xml")
        if record.tag in ("PubmedArticle", "PubmedBookArticle")
    ]
    by_id = {own_id(record): record for record in found}
    assert len(by_id) == len(found)
    return by_id


@pytest.fixture(scope="module")
def qrels():
    """Read the judgements: qid to PMID to grade."""
    judged = {}
    for line in (ROOT / "qrels" / "sample.txt").read_text(encoding="utf-8").splitlines():
        qid, iteration, pmid, grade = line.split()
        assert iteration == "0"
        assert pmid not in judged.setdefault(qid, {})
        judged[qid][pmid] = int(grade)
    return judged


def test_counts_and_ids(records):
    """57 articles and a chapter, 55 with an abstract; no id is one that NLM has given out."""
    assert Counter(record.tag for record in records.values()) == {
        "PubmedArticle": 57,
        "PubmedBookArticle": 1,
    }
    assert sum(bool(abstract(record)) for record in records.values()) == 55
    assert list(records) == sorted(records)
    assert all(re.fullmatch(r"900000\d\d", pmid) for pmid in records)


def test_abstracts_are_structured_and_not(records):
    """Many abstracts name all four moves, under varied labels; many are one paragraph."""
    labels, structured = set(), 0
    for record in records.values():
        sections = record.findall(".//Abstract/AbstractText")
        labels |= {section.get("Label", "").upper() for section in sections}
        found = {section.get("NlmCategory") for section in sections}
        purpose = not found.isdisjoint({"BACKGROUND", "OBJECTIVE"})
        structured += purpose and found >= {"METHODS", "RESULTS", "CONCLUSIONS"}
    plain = [record for record in records.values() if len(abstract(record)) == 1]
    assert structured >= 15
    assert len(labels) >= 25
    assert len(plain) >= 20


@pytest.mark.parametrize(
    ("what", "path"),
    [
        ("a section that belongs to no move", ".//AbstractText[@NlmCategory='UNASSIGNED']"),
        ("labels without NLM's category", ".//AbstractText[@Label][not(@NlmCategory)]"),
        ("a vernacular title", ".//VernacularTitle"),
        ("an abstract in another language", ".//OtherAbstract"),
        ("a copyright line beside the abstract", ".//Abstract/CopyrightInformation"),
        ("a group as author", ".//CollectiveName"),
        ("a date that is no date", ".//MedlineDate"),
        ("keywords", ".//Keyword"),
        ("a chemical", ".//Chemical/NameOfSubstance"),
        ("a main heading", ".//DescriptorName[@MajorTopicYN='Y']"),
        (
            "a main qualifier of a minor heading",
            ".//DescriptorName[@MajorTopicYN='N']/../QualifierName[@MajorTopicYN='Y']",
        ),
        ("several publication types", ".//PublicationTypeList/PublicationType[2]"),
        ("a comment, which is no reference", ".//CommentsCorrections[@RefType='CommentOn']/PMID"),
        ("a reference without PMID", ".//Reference[not(ArticleIdList)]"),
        ("italics", ".//AbstractText/i"),
        ("a subscript", ".//AbstractText/sub"),
        ("a superscript", ".//AbstractText/sup"),
        ("markup in a title", ".//ArticleTitle/*"),
    ],
)
def test_variety(records, what, path):
    """Each peculiarity of PubMed XML that a reader must cope with occurs."""
    assert any(record.xpath(path) for record in records.values()), what


def test_references_resolve(records):
    """References point to older records of the sample, from both places where PubMed has them."""
    for pmid, record in records.items():
        cited = references(record)
        assert len(set(cited)) == len(cited)
        assert all(other in records and other < pmid for other in cited)
    assert sum("Cites" in etree.tostring(record, encoding=str) for record in records.values()) >= 10
    lists = [record for record in records.values() if record.find(".//ReferenceList") is not None]
    assert len(lists) >= 10
    assert DELETED not in {other for record in records.values() for other in references(record)}


def test_update_revises_one_record_and_deletes_another(records):
    """The update file holds one changed record of the sample and deletes one other."""
    update = parse("update.xml")
    (revised,) = update.findall("PubmedArticle")
    assert own_id(revised) == UPDATED
    assert abstract(revised) != abstract(records[UPDATED])
    assert "Azithromycin" in " ".join(abstract(revised))
    assert not any("zithromycin" in text for r in records.values() for text in abstract(r))
    assert [pmid.text for pmid in update.iterfind("DeleteCitation/PMID")] == [DELETED]
    assert DELETED in records


def test_topics_and_judgements_belong_together(records, qrels):
    """Eight topics, leading zeros kept, each with relevant and judged non-relevant records."""
    with (ROOT / "topics" / "sample.tsv").open(encoding="utf-8", newline="") as file:
        topics = dict(csv.reader(file, delimiter="\t"))
    assert list(topics) == [f"{n:03}" for n in range(1, 9)] == list(qrels)
    for judged in qrels.values():
        assert judged.keys() <= records.keys() - {DELETED}
        grades = Counter(judged.values())
        assert grades.keys() == {0, 1, 2}
        assert grades[1] + grades[2] >= 5
