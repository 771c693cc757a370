"""Queries as people write them."""

from collections.abc import Callable, Iterator
from math import log
from pathlib import Path

import pytest

from relsent_ir.feedback import wording
from relsent_ir.feedback.wording import (
    Alternative,
    meant,
    other_spellings,
    read_alternatives,
    record_of,
    without_question_words,
)
from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.lucene.read.index import Index
from relsent_ir.records import Record, Section

TITLES = (
    *["Tumour growth."] * 3,
    *["Tumor growth."] * 5,
    *["A colour of quarks.", "TNF-alpha in ants.", "TNFα in bees.", "Metfromin in bees."],
    *["Metformin in ants."] * 25,
    *["Quick xylo fever (QXF) of ants."] * 3,
    *["Quiet xenon flash (QXF)."] * 2,
    *["Zonal omega gut (ZOG).", "ZOG again.", "Diagnosis and diagnoses."],
    *["Wasps."] * 10,
    *["The HAND2 gene.", "HAND-2 and CDX2.", "The 10 cdx-2 genes."],
    *["Left hand."] * 11,
    *["Asthma."] * 20,
)


@pytest.fixture(scope="module")
def index(build: Callable[..., Path]) -> Iterator[Index]:
    """Records of a title each, in the folder of an index."""
    records = [
        Record(str(n), title, pmid=str(7000 + n), doi=f"10.1000/x.{n}" if n < 9 else "")
        for n, title in enumerate(TITLES)
    ]
    records.append(Record("last", "Wasps.", sections=(Section("Many wasps."),), pmid="2000"))
    records.append(Record("wasps-7", "Wasps."))
    with Index(build(records)) as opened:
        yield opened


def idf(count: int) -> float:
    """BM25's of a term of the index."""
    return log(1 + (len(TITLES) + 2 - count + 0.5) / (count + 0.5))


def test_spelling(index: Index) -> None:
    """A word and its other spelling weigh what one term would that all of their documents have."""
    found = read_alternatives("tumour growth", index)
    assert found.found == (Alternative("tumour", "tumor", "spelling"),)
    expected = {"tumour": idf(8) / idf(3), "tumor": idf(8) / idf(5), "growth": 1.0}
    assert found.terms == pytest.approx(expected)
    assert found.widened == "tumour growth tumor"
    back = read_alternatives("Tumor tumor", index)
    assert back.terms == pytest.approx(
        {"tumor": 2 * idf(8) / idf(5), "tumour": 2 * idf(8) / idf(3)}
    )


@pytest.mark.parametrize(
    "text", ['"tumour" growth', "“tumour growth", "colour", "diagnosis", "wasps", "", "the of"]
)
def test_none(index: Index, text: str) -> None:
    """What is quoted, in no document, another number, or has no other spelling, stays alone."""
    found = read_alternatives(text, index)
    assert (found.found, found.terms, found.widened) == ((), {}, text)


def test_rare_spellings(index: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    """A spelling of too few documents beside the other is left out, a stop word too."""
    monkeypatch.setattr(wording, "SHARE", 1)
    assert not read_alternatives("tumor", index).found
    assert read_alternatives("tumour", index).found
    assert not read_alternatives("tumour", index, ["tumor"]).found


def test_greek_and_other_spellings(index: Index) -> None:
    """Letters and their names, joined or not, also at the end; spellings that the index has."""
    found = read_alternatives("TNF-alpha", index)
    assert found.found == (Alternative("TNF-alpha", "tnfα", "spelling"),)
    assert found.terms == {"tnf": 1.0, "alpha": 1.0, "tnfα": 1.0}
    found = read_alternatives("TNFα", index)
    assert found.found == (Alternative("TNFα", "tnf-alpha", "spelling"),)
    assert found.terms == {"tnfα": 1.0, "tnf": 0.5, "alpha": 0.5}
    assert other_spellings("tnfalpha", index) == ["tnf-alpha", "tnfα"]
    assert other_spellings("Does a tumor grow in colour?", index) == ["tumour"]


@pytest.mark.parametrize("word", ["splenomegaly", "betagut", "xylogammaflash", "gutalphas"])
def test_inner_greek(index: Index, word: str) -> None:
    """A word in small letters is not cut at letters that happen to spell a Greek one's name."""
    assert other_spellings(word, index) == []


def test_phrases(index: Index) -> None:
    """A spelling of several words is in the index, and often where its words are."""
    assert other_spellings("HAND2", index) == []  # one of thirteen hands is hand-2
    assert other_spellings("CDX2", index) == ["cdx-2"]
    assert other_spellings("XWASP", index) == []  # no x-wasp
    assert other_spellings("1-0", index) == []  # "10" is another number
    assert other_spellings("tumor-growth", index) == ["tumour-growth"]


def test_abbreviations(index: Index) -> None:
    """What most of three definitions say, and three at least."""
    found = read_alternatives("QXF in wasps", index)
    assert found.found == (Alternative("QXF", "Quick xylo fever", "long form"),)
    assert found.terms["wasp"] == 1.0
    assert [found.terms[t] for t in ("quick", "xylo", "fever")] == pytest.approx([1 / 6] * 3)
    found = read_alternatives("wasps, quick xylo fever", index)
    assert found.found == (Alternative("quick xylo fever", "QXF", "abbreviation"),)
    assert found.terms["qxf"] == 0.5
    assert found.widened == "wasps, quick xylo fever"
    assert not read_alternatives('"QXF" wasps', index).found
    assert not read_alternatives("ZOG", index).found
    assert not read_alternatives("quiet xenon flash", index).found


def test_mesh(index: Index) -> None:
    """Entry terms, of the longest name; of words that the index has alone."""
    path = index.folder / "synonyms" / "mesh.tsv"
    path.parent.mkdir()
    path.write_text("Xylo Fever\tWasps\nXylo Fever\tUnheard Ague\nFever\tBees\n")
    try:
        found = read_alternatives("ants of xylo fever?", index)
        assert found.found == (Alternative("xylo fever", "Wasps", "MeSH"),)
        assert found.terms == {"ant": 1.0, "xylo": 1.0, "fever": 1.0, "wasp": 0.5}
        assert not read_alternatives('ants of "xylo fever"', index).found
    finally:
        path.unlink()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Metfromin and wasps", {"Metfromin": "metformin"}),
        ("Metfromin* and metfromi$", {}),
        ("metformim", {"metformim": "metformin"}),
        ("athsma", {"athsma": "asthma"}),  # two letters are wrong
        ("xetformin", {}),  # the first letter is right
        ("metfo", {}),
        ("metfromni", {"metfromni": "metformin"}),
        ('"metfromin"', {}),
        ("metformin", {}),
        ("colour", {}),
    ],
)
def test_meant(index: Index, text: str, expected: dict[str, str]) -> None:
    """A rare word near one that twenty times more documents have."""
    assert meant(text, index) == expected


def distance(one: str, other: str) -> int:
    """Count changes by the definition."""
    if not one or not other:
        return len(one) + len(other)
    ways = [
        distance(one[1:], other) + 1,
        distance(one, other[1:]) + 1,
        distance(one[1:], other[1:]) + (one[0] != other[0]),
    ]
    if one[:2] == other[1::-1] and len(one) > 1 and len(other) > 1:
        ways.append(distance(one[2:], other[2:]) + 1)
    return min(ways)


@pytest.mark.parametrize("one", ["", "ab", "abca", "bacb"])
@pytest.mark.parametrize("other", ["", "ba", "acba", "cabb", "abca"])
def test_changes(one: str, other: str) -> None:
    """As the definition counts them."""
    assert wording._changes(one, other) == distance(one, other)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (" 2000 ", "last"),
        ("7003", "3"),
        ("PMID: 7003", "3"),
        ("https://pubmed.ncbi.nlm.nih.gov/7003/", "3"),
        ("3", "3"),
        ("9999", None),
        ("doi:10.1000/X.4", "4"),
        ("https://doi.org/10.1000/x.4", "4"),
        ("10.1000/none", None),
        ("7003 ants", None),
        ("last", None),
        ("wasps-7", "wasps-7"),
    ],
)
def test_record_of(index: Index, text: str, expected: str | None) -> None:
    """A PMID, a DOI, a link of these, or an id with a digit, and nothing besides."""
    assert record_of(text, Indexes.of(index)) == expected


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Does aspirin damage the stomach?", "aspirin damag stomach"),
        ("What is the role of zinc in wounds?", "zinc wound"),
        ("What is pain?", "what pain"),  # one word alone would be left
        ("Effect of exercise on mood", "exercis mood"),
        ("aspirin stomach", "aspirin stomach"),
        ("How many ants have wings? How often?", "ant wing"),
        ("What does WHO advise on ants?", "who advis ant"),
        ("WHO ADVISES ON ANTS?", "advis ant"),
    ],
)
def test_question_words(index: Index, text: str, left: str) -> None:
    """They are dropped where two other words are left."""
    analysis = index.facts.analysis
    assert analysis.terms(without_question_words(text, analysis)) == left.split()
