"""Reading the fields of one record of PubMed XML.

The tables at the end of this file mirror the XML: each element that is read has a handler, looked
up by tag in one pass over the children of its parent (XPath is several times slower).
The meaning of the elements: https://www.nlm.nih.gov/bsd/licensee/elements_descriptions.html
"""

import re
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, TypeAlias

from lxml.etree import _Element

from relsent_ir.records.fields import JOURNAL, NOTICES, PMCID, REGISTRY, clean, record_id, year
from relsent_ir.records.headings import inline_sections
from relsent_ir.records.record import Mesh, Record, Section

_POWER = re.compile(r"[-−–+]?[0-9]")
_YEARS = ("PubDate", "ArticleDate", "ContributionDate", "DateCompleted", "DateCreated")
_NO_TITLE = "[Not Available]."
_JOURNALS = ("MedlineTA", "ISOAbbreviation", "Title")
"""Elements from which a field is read, the best first."""


@dataclass(slots=True)
class _Draft:
    """Collect the parts of a record: texts and lists, by the names of the fields."""

    texts: dict[str, str] = field(default_factory=dict)
    lists: defaultdict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    sections: list[Section] = field(default_factory=list)
    mesh: list[Mesh] = field(default_factory=list)
    years: dict[str, str] = field(default_factory=dict)
    journals: dict[str, str] = field(default_factory=dict)

    def record(self) -> Record:
        """Build the record; raise InputError if it has no usable id."""
        texts, lists = self.texts, self.lists
        pmid, title, book, pmcid = (
            texts.pop(name, "") for name in ("id", "title", "book_title", "pmcid")
        )
        of_book = lists.pop("book_authors", [])
        journal, full = _best(self.journals, _JOURNALS), self.journals.get("Title", "")
        own = [(PMCID, pmcid), (JOURNAL, full if full != journal else "")]
        own += [(REGISTRY, number) for number in lists.pop(REGISTRY, ())]
        lists["authors"] = lists["authors"] or of_book
        for name in ("references", "affiliations", "publication_types"):
            lists[name] = list(dict.fromkeys(lists[name]))
        rest: dict[str, Any] = {name: tuple(filter(None, of)) for name, of in lists.items()}
        if title == _NO_TITLE and texts.get("vernacular_title"):
            title = ""
        return Record(
            id=record_id(pmid),
            title=title or book,
            sections=tuple(self.sections),
            mesh=tuple(self.mesh),
            year=_best(self.years, _YEARS),
            journal=journal or (book if title else ""),
            pmid=pmid,
            own=tuple(pair for pair in own if pair[1]),
            **(rest | texts),
        )


def _best(values: dict[str, str], names: tuple[str, ...]) -> str:
    return next((values[name] for name in names if values.get(name)), "")


_Handler: TypeAlias = Callable[[_Element, _Draft], None]

# Headings, journals and initials are often repeated.
_clean_name = lru_cache(maxsize=1 << 16)(clean)
_mesh = lru_cache(maxsize=1 << 16)(Mesh)


def text_of(element: _Element) -> str:
    """Return an element's text with that of its inline markup; entities stay as written.

    A superscript number after a number is marked, ``10^3``; TeX beside a formula is dropped.
    """
    return clean(_whole(element) if len(element) else element.text)


def _whole(element: _Element) -> str:
    text = element.text or ""
    for child in element:
        inner = "" if str(child.tag).endswith(("annotation", "tex-math")) else _whole(child)
        if child.tag == "sup" or child.get("face") == "superscript":
            inner = "^" * bool(text[-1:].isdigit() and _POWER.match(inner)) + inner
        text += inner + (child.tail or "")
    return text


def _name_of(element: _Element) -> str:
    return text_of(element) if len(element) else _clean_name(element.text)


def _children(**handlers: _Handler) -> _Handler:
    """Return a handler that handles the named children of an element."""

    def handle(element: _Element, draft: _Draft) -> None:
        for child in element:
            handler = handlers.get(child.tag)
            if handler is not None:
                handler(child, draft)

    return handle


def _first(name: str) -> _Handler:
    """Return a handler that stores the text of the first such element."""

    def handle(element: _Element, draft: _Draft) -> None:
        if not draft.texts.get(name):
            draft.texts[name] = text_of(element)

    return handle


def _each(name: str) -> _Handler:
    """Return a handler that stores the text of every such element."""

    def handle(element: _Element, draft: _Draft) -> None:
        draft.lists[name].append(_name_of(element))

    return handle


def _journal(element: _Element, draft: _Draft) -> None:
    draft.journals[element.tag] = _name_of(element)


def _date(element: _Element, draft: _Draft) -> None:
    for child in element:
        if child.tag in ("Year", "MedlineDate"):
            draft.years.setdefault(element.tag, year(child.text))


def _section(element: _Element, draft: _Draft) -> None:
    text = text_of(element)
    if text:
        label, category = element.get("Label"), element.get("NlmCategory")
        if not label and element.find("b") is not None:
            draft.sections.extend(inline_sections(text))
        else:
            draft.sections.append(Section(text, _clean_name(label), _clean_name(category)))


def _mesh_headings(element: _Element, draft: _Draft) -> None:
    heading = ""
    qualifiers: list[str] = []
    major = False
    for child in element.iter("DescriptorName", "QualifierName"):
        name = _name_of(child)
        starred = child.get("MajorTopicYN") == "Y"
        if child.tag == "DescriptorName":
            if heading:
                draft.mesh.append(_mesh(heading, tuple(qualifiers), major))
            heading, qualifiers, major = name, [], starred
        elif name:
            qualifiers.append(f"*{name}" if starred else name)
            major = major or starred
    if heading:
        draft.mesh.append(_mesh(heading, tuple(qualifiers), major))


def _authors(name: str) -> _Handler:
    """Return a handler that stores authors as MEDLINE prints them: last name, initials, suffix."""

    def handle(element: _Element, draft: _Draft) -> None:
        if element.get("Type") == "editors":
            return
        parts: list[str] = []
        authors = [parts]
        for child in element.iter(
            *("Author", "LastName", "Initials", "Suffix", "CollectiveName", "Affiliation")
        ):
            if child.tag == "Affiliation":
                draft.lists["affiliations"].append(_name_of(child))
            elif child.tag != "Author":
                parts.append(_name_of(child))
            elif child.get("ValidYN") != "N":  # N marks a misprint; the right name follows
                parts = []
                authors.append(parts)
            else:
                parts = []
        draft.lists[name].extend(" ".join(filter(None, parts)) for parts in authors)

    return handle


def _article_id(element: _Element, draft: _Draft) -> None:
    kind = element.get("EIdType") or element.get("IdType")
    if kind == "doi" and not draft.texts.get("doi") and element.get("ValidYN") != "N":
        draft.texts["doi"] = text_of(element)
    if kind == "pmc":
        draft.texts["pmcid"] = text_of(element)


def _cited(element: _Element, draft: _Draft) -> None:
    kind = element.get("RefType")
    if kind == "Cites":
        draft.lists["references"].extend(text_of(child) for child in element.iterchildren("PMID"))
    elif kind in NOTICES:
        draft.lists["publication_types"].append(NOTICES[kind])


def _reference_list(element: _Element, draft: _Draft) -> None:
    for child in element.iter("ArticleId"):
        if child.get("IdType") == "pubmed":
            draft.lists["references"].append(text_of(child))


_citation = _children(
    PMID=_first("id"),
    DateCompleted=_date,
    DateCreated=_date,
    Article=_children(
        Journal=_children(
            JournalIssue=_children(PubDate=_date, Volume=_first("volume"), Issue=_first("issue")),
            Title=_journal,
            ISOAbbreviation=_journal,
        ),
        Pagination=_children(MedlinePgn=_first("pages")),
        ELocationID=_article_id,
        Language=_each("languages"),
        ArticleTitle=_first("title"),
        Abstract=_children(AbstractText=_section),
        AuthorList=_authors("authors"),
        DataBankList=_children(
            DataBank=_children(AccessionNumberList=_children(AccessionNumber=_each(REGISTRY)))
        ),
        PublicationTypeList=_children(PublicationType=_each("publication_types")),
        VernacularTitle=_first("vernacular_title"),
        ArticleDate=_date,
    ),
    MedlineJournalInfo=_children(MedlineTA=_journal),
    ChemicalList=_children(Chemical=_children(NameOfSubstance=_each("chemicals"))),
    CommentsCorrectionsList=_children(CommentsCorrections=_cited),
    MeshHeadingList=_mesh_headings,
    KeywordList=_children(Keyword=_each("keywords")),
)
_article = _children(
    MedlineCitation=_citation,
    PubmedData=_children(
        ReferenceList=_reference_list, ArticleIdList=_children(ArticleId=_article_id)
    ),
)
_book_article = _children(
    BookDocument=_children(
        PMID=_first("id"),
        Book=_children(
            BookTitle=_first("book_title"), PubDate=_date, AuthorList=_authors("book_authors")
        ),
        ArticleTitle=_first("title"),
        VernacularTitle=_first("vernacular_title"),
        AuthorList=_authors("authors"),
        PublicationType=_each("publication_types"),
        Abstract=_children(AbstractText=_section),
        ContributionDate=_date,
        Language=_each("languages"),
        Pagination=_children(MedlinePgn=_first("pages")),
        KeywordList=_children(Keyword=_each("keywords")),
        ArticleIdList=_children(ArticleId=_article_id),
        ReferenceList=_reference_list,
    )
)
_RECORDS = {
    "PubmedArticle": _article,
    "PubmedBookArticle": _book_article,
    "MedlineCitation": _citation,
}


def read_record(element: _Element) -> Record:
    """Read a PubmedArticle, PubmedBookArticle or MedlineCitation.

    Raises
    ------
    InputError
        If the element has no id, or none that a TREC run can contain.
    """
    draft = _Draft()
    _RECORDS[element.tag](element, draft)
    return draft.record()
