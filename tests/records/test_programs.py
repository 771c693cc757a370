"""Exports of three invented works, with each program's real headers: nothing of them is lost."""

from pathlib import Path
from typing import Any

import pytest

from relsent_ir.errors import InputError
from relsent_ir.records import Record, read_entries
from relsent_ir.records.fields import JOURNAL

PROGRAMS = Path(__file__).parent / "exports" / "programs"
WORKS: tuple[dict[str, Any], ...] = (
    {
        "title": "Zinc, TNF-α and colds: a trial",
        "authors": ("Okafor BC", "Ode A"),
        "journal": "Cold Journal",
        "year": "2020",
        "volume": "12",
        "issue": "3",
        "pages": "100-110",
        "doi": "10.1000/cold.1",
        "pmid": "90000101",
        "abstract": "Zinc shortened colds; 5 < 7 days. Nobody was ill.",
        "keywords": ("zinc", "common cold"),
    },
    {"title": "Editorial", "authors": ("Ek AB",), "journal": "Cold Journal", "year": "2021",
     "volume": "13", "pages": "e7", "pmid": "90000102"},
    {"title": "Editorial", "authors": ("Dal J",), "journal": "Lung Letters", "year": "2021",
     "volume": "4", "pages": "1-2", "pmid": ""},
)  # fmt: skip
"""The second has no DOI and no abstract, the third no PMID either; both have one title."""
UNTOLD = {
    "cinahl.csv": {"pages", "pmid"},  # the number of pages stands for the last
    "covidence.csv": {"keywords", "pmid"},
    "pubmed.csv": {"abstract", "issue", "keywords", "pages", "volume", "pmid"},
    "pubmed.nbib": {"pmid"},  # the third has one there
    "pubmed.xml": {"pmid"},
    "wos.bib": {"pmid", "title"},  # Greek letters are spelled out
}
"""What a program does not print."""


@pytest.mark.parametrize("path", sorted(PROGRAMS.iterdir()), ids=lambda path: path.name)
def test_three_works(path: Path) -> None:
    """Every field is read that a program prints, and no record is skipped or taken for another."""
    skipped: list[InputError] = []
    records = [r for r in read_entries(path, on_skip=skipped.append) if isinstance(r, Record)]
    assert not skipped
    assert len({record.id for record in records}) == len(WORKS)
    for record, work in zip(records, WORKS, strict=True):
        for field in work.keys() - UNTOLD.get(path.name, set()):
            values = {getattr(record, field)}
            if field == "journal":  # the short name, with the full one beside it
                values |= {value for name, value in record.own if name == JOURNAL}
            assert work[field] in values, field
        assert record.abstract == work.get("abstract", "") or "abstract" in UNTOLD[path.name]


RIS = "TY  - JOUR\nTI  - {}\n{}\nER  - \n"
XML = (
    "<PubmedArticleSet><PubmedArticle><MedlineCitation><PMID>1</PMID><Article><ArticleTitle>{}"
    "</ArticleTitle></Article></MedlineCitation></PubmedArticle></PubmedArticleSet>"
)
BIB = "@article{{a, title = {{{}}}, {}}}\n"


@pytest.mark.parametrize(
    ("name", "content", "field", "values"),
    [
        ("lower.ris", RIS.format("A", "").lower(), "title", ["a"]),
        ("no-er.ris", "TY  - JOUR\nTI  - A\nTY  - JOUR\nTI  - B\n", "title", ["A", "B"]),
        ("wide.ris", RIS.format("Höhe", "").encode("utf-16-le"), "title", ["Höhe"]),
        ("wide.csv", "id,title\n1,Höhe\n".encode("utf-16"), "title", ["Höhe"]),
        ("joined.ris", ("\ufeff" + RIS.format("A", "")) * 2, "title", ["A", "A"]),
        ("joined.csv", "id,title\n1,A\n\ufeffid,title\n2,B\n", "title", ["A", "B"]),
        ("excel.csv", "sep=;\nID;Title\n1;A\n", "title", ["A"]),
        ("no-ids.csv", "Title,Abstract,Year\nA,x,2001\n", "abstract", ["x"]),
        ("two.csv", "id,title,abstract,abstract\n1,A,x,y\n", "own", [(("abstract", "y"),)]),
        ("lines.csv", 'id,title\n1,"He ""x"", and\nleft"\n', "title", ['He "x", and left']),
        ("paragraphs.ris", RIS.format("A", "AB  - One.\nAB  - Two.\nmore"), "abstract",
         ["One. Two. more"]),
        ("two-names.ris", RIS.format("A", "JF  - Cold Journal\nJO  - Cold J"), "own",
         [((JOURNAL, "Cold Journal"),)]),
        ("raised.ris", RIS.format("10<sup>3</sup> &lt; <i>n</i>", ""), "title", ["10^3 < n"]),
        ("raised.xml", XML.format("10<sup>-3</sup> CO<sub>2</sub>, <b>5</b><sup>2</sup>"), "title",
         ["10^-3 CO2, 5^2"]),
        ("tex.xml", XML.format("<m>x<annotation>\\alpha</annotation></m> B"), "title", ["x B"]),
        ("blocks.csv", "id,title,abstract\n1,A,<p>B.</p><p>C.</p>\n", "abstract", ["B. C."]),
        ("math.bib", BIB.format(r"CO$_2$ and 10$^{3}$ \$5, $6", ""), "title",
         ["CO2 and 10^3 $5, $6"]),
        ("accents.bib", BIB.format(r"\'{e}t\'e na{\"\i}ve {\O} $<$ 5\%", ""), "title",
         ["été naïve Ø < 5%"]),
        ("names.bib", BIB.format("A", "Author = {Ek, Ada and\n  {Ants and Bees}}"), "authors",
         [("Ek A", "Ants and Bees")]),
        ("nothing.csv", "id,title,abstract\n1,A,N/A\n2,B,[Abstract not available]\n3,C,-\n",
         "abstract", ["", "", ""]),
        ("years.csv", "id,title,year\n1,A,20200115\n2,B,2001.0\n3,C,c2003\n4,D,5/3/1999\n",
         "year", ["2020", "2001", "2003", "1999"]),
        ("dois.csv", "title,doi\nA,https://doi.org/10.1/a\nB,doi:10.1/b\nC,DOI: 10.1/c.\n", "doi",
         ["10.1/a", "10.1/b", "10.1/c"]),
        ("pmids.csv", "PMID,Title\n1.0,A\nPMID: 2,B\n3 (https://a.org/3),C\n", "pmid",
         ["1", "2", "3"]),
        ("notes.csv", 'key,title,notes\n1,A,"PMID: 5"\n2,B,PMID 6.\n3,C,Searched PubMed 2020\n',
         "pmid", ["5", "6", ""]),
        ("pages.ris", RIS.format("A", "SP  - 10-12\nEP  - 12"), "pages", ["10-12"]),
        ("names.csv", "id,title,authors\n1,A,\"Ek A.B., Dal J.-P.\"\n2,B,Ek Ada\n", "authors",
         [("Ek AB", "Dal JP"), ("Ek Ada",)]),
    ],
)  # fmt: skip
def test_strange_forms(tmp_path, name, content, field, values):
    """What people's files have beside the usual."""
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    assert [getattr(record, field) for record in read_entries(path)] == values


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (
            "dimensions.csv",
            "\"About the data: Exported on May 01, 2022. Criteria: 'zinc'\"\n"
            "Rank,Publication ID,DOI,PMID,Title,Abstract,Source title,PubYear,Authors\n"
            '1,pub.1,10.1000/a,7,Zinc helps,Zinc did.,Cold Journal,2020,"Okafor, B; Ode, A"\n',
        ),
        (
            "crossref.json",
            '{"status": "ok", "message": {"items": [{"DOI": "10.1000/a", "PMID": "7", '
            '"title": ["Zinc helps"], "abstract": "<jats:p>Zinc did.</jats:p>", '
            '"container-title": ["Cold Journal"],'
            ' "issued": {"date-parts": [[2020, 2]]}, '
            '"author": [{"family": "Okafor", "given": "B"}, {"family": "Ode", "given": "A"}]}]}}',
        ),
        (
            "semantic-scholar.jsonl",
            '{"paperId": "x1", "externalIds": {"DOI": "10.1000/a", "PubMed": "7"}, "year": 2020, '
            '"title": "Zinc helps", "abstract": "Zinc did.", "journal": "Cold Journal", '
            '"authors": [{"authorId": "1", "name": "Okafor B"}, '
            '{"authorId": "2", "name": "Ode A"}]}',
        ),
    ],
)
def test_services(tmp_path: Path, name: str, text: str) -> None:
    """What services of the web give is read by their names, under a line that says whose it is."""
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    (record,) = read_entries(path)
    assert isinstance(record, Record)
    assert (record.pmid, record.doi, record.title) == ("7", "10.1000/a", "Zinc helps")
    assert (record.abstract, record.journal, record.year) == ("Zinc did.", "Cold Journal", "2020")
    assert record.authors == ("Okafor B", "Ode A")
