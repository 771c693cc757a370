"""Records from named values: table rows, JSON objects, entries of reference managers.

A usual name of a record's field is read as that field, whatever its case and punctuation ("Source
title" is the journal); a value with any other name is kept as an own field of the source.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields as dataclass_fields
from functools import lru_cache
from hashlib import blake2b
from typing import Any, Final

from relsent_ir.errors import UsageError
from relsent_ir.records.fields import (
    LONGEST_ID,
    RETRACTED,
    clean,
    clean_all,
    headings,
    record_id,
    unmarked,
    year,
)
from relsent_ir.records.headings import inline_sections, printed
from relsent_ir.records.record import Mesh, Record

_FIRST: Final = (
    *("id", "pmid", "doi", "title", "vernacular_title", "abstract", "journal", "year", "authors"),
    *("affiliations", "languages", "publication_types", "keywords"),
)
_DEFAULTS: Final = {"abstract": "", **{of.name: of.default for of in dataclass_fields(Record)}}
_NAMES: Final = [
    name for name in dict.fromkeys((*_FIRST, *_DEFAULTS)) if name not in ("sections", "own")
]

SINGLE: Final = tuple(name for name in _NAMES if _DEFAULTS[name] != ())
"""The fields that a record has once."""

SEVERAL: Final = tuple(name for name in _NAMES if _DEFAULTS[name] == ())
"""The fields that may have several values."""
PLAIN: Final = tuple(name for name in SINGLE if name not in ("id", "abstract", "year"))
"""The fields whose value is one text, unchanged."""
LISTS: Final = tuple(name for name in SEVERAL if name != "mesh")
"""The fields whose value is a list of texts."""

NOTE: Final = "record."
"""The prefix of a field's name in the notes of RIS that we write."""

OWN: Final = "own."
"""The prefix of an own field's name in the tables that we write."""

_USUAL: Final = {
    "id": "docid docno recordid nctnumber",
    "pmid": "pubmedid medlineid medlinepmid pubmed",
    "doi": "articledoi",
    "title": "articletitle primarytitle ti displayname studytitle",
    "abstract": "abstracttext abstractnote text body contents ab summary briefsummary",
    "journal": "journalbook journaltitle sourcetitle publicationname so jo journalname "
    "secondarytitle fulljournalname publicationtitle containertitle",
    "year": "publicationyear pubyear py date publicationdate pubdate yearpublished "
    "publishedyear dateofpublication issued dp",
    "volume": "vol vl vi",
    "issue": "number no ip journalissue",
    "pages": "page pageinfo pagination pagerange pg",
    "authors": "author authornames authorlist authorstring au authorsfullnames fullauthornames",
    "affiliations": "affiliation authoraffiliations authoraddress authoraddresses address c1",
    "languages": "language lang la languageoforiginaldocument articlelanguage languageofarticle",
    "publication_types": "publicationtype documenttype pubtype pubtypes doctype dt type",
    "keywords": "keyword authorkeywords kw de freekeywords manualtags automatictags",
    "mesh": "meshterms meshheadings meshheading mh indexterms",
    "chemicals": "substances",
    "references": "citedreferences",
    "labels": "label decision included",
    "vernacular_title": "originaltitle",
    "accession": "accession accessionnumber an ut eid pui embaseaccessionid uniqueid",
    "key": "key itemkey covidence",
    "first": "startpage pagestart firstpage sp",
    "last": "endpage pageend lastpage ep",
    "source": "source",
    "article": "artno artnumber articleno articlenumber ar",
}
"""Other usual names of each field, those of what stands in for one, of a program's own key."""
_IDS: Final = ("pmid", "doi", "accession", "key")
"""The fields that are an id where there is none, best first."""
_FIELDS: Final = {
    **{name.replace("_", ""): name for name in (*SINGLE, *SEVERAL)},
    **{name: field for field, names in _USUAL.items() for name in names.split()},
}
_WORD: Final = r"[^\W\d_]['\w’-]*"
_INITIALS: Final = re.compile(
    rf"([^\W\d_]+['’-]?(?:-{_WORD})?(?: {_WORD})*) ([A-Z](?:[. -]{{0,2}}[A-Z]){{0,3}}\.?)"
)
_ADDRESS: Final = re.compile(r"(?:https?://)?(?:dx\.)?doi\.org/|^doi:\s*", re.IGNORECASE)
_NOTED: Final = re.compile(r"\b(?:PMID:? ?(?:NLM)?|PUBMED )([0-9]{1,9})\b(?!\.[0-9])")
"""A PMID in a note: in Zotero's Extra, CINAHL's notes, Cochrane's C3."""
LEADING_PMID: Final = re.compile(r"(?:PMID:? ?|PUBMED |MEDLINE:)?([0-9]{1,9})(?:\.0)?(?:$| )", re.I)
_NOTHING: Final = re.compile(
    r"\W{0,2}(?:no (?:abstract|title)(?: is)? available|(?:abstract )?not available|n/?a|nan|null"
    r"|none)\W{0,2}|[-–—.?]{1,3}",
    re.IGNORECASE,
)
"""Texts that mean that there is no value."""
_PUBMED: Final = re.compile(r"pubmed(?:\.ncbi\.nlm\.nih\.gov|/)[^0-9]*([0-9]{1,9})\b")


_RETRACTED: Final = re.compile(r"\W{0,2}retracted(?: article)?\s?[:\]–—-]", re.IGNORECASE)
"""How publishers mark a retraction at the start of a title."""


def parse_map(text: str) -> dict[str, str]:
    """Read ``pmid=PMID,abstract=Abstract``: fields of a record and the source's names for them.

    Returns
    -------
    dict of str to str
        The fields, keyed by the source's names.

    Raises
    ------
    UsageError
        If the text cannot be read, or a field is unknown.
    """
    fields = {}
    for part in filter(None, text.split(",")):
        field, sign, name = (piece.strip() for piece in part.partition("="))
        if not sign or not name or field not in (*SINGLE, *SEVERAL):
            fix = f"FIELD=NAME,...; a field is one of {', '.join((*SINGLE, *SEVERAL))}"
            raise UsageError(f"cannot read --map {part}", fix=fix)
        fields[name] = field
    return fields


@lru_cache(maxsize=1 << 12)
def usual_field(name: str) -> str:
    """Return the field that usually has this name; "first" or "last" for a page; else ""."""
    plain = re.sub(r"[\W_]+", "", name).casefold()
    return _FIELDS.get(plain, "")


def holds_records(names: Iterable[str], mapped: Mapping[str, str]) -> bool:
    """Return whether values with these names are records: a title, and an id or a description."""
    fields = {mapped.get(name) or usual_field(name) for name in names}
    if fields & {"id", *_IDS}:
        return bool(fields & {"title", "abstract"})
    return "title" in fields and bool(fields & {"abstract", "authors", "journal"})


def split_values(text: str) -> list[str]:
    """Split a cell with several values at line feeds, or else at semicolons, or else at bars."""
    mark = next((mark for mark in ("\n", ";", "|") if mark in text), "\n")
    return text.split(mark)


def split_names(text: str) -> list[str]:
    """Split the authors of a cell; a comma separates authors if it follows initials.

    ``Okafor B, Ode AC`` are two authors, ``Okafor, B`` is one; ``Okafor, B and Ode, A`` are two.
    """
    if not re.search(r"[\n;|]", text):
        if " and " in text:
            return text.split(" and ")
        parts = [part.strip() for part in text.rstrip(". ").split(",")]
        if all(map(_INITIALS.fullmatch, parts)):
            return parts
    return split_values(text)


def split_words(text: str) -> list[str]:
    """Split the keywords of a cell like other values, or else at commas."""
    return split_values(text if re.search(r"[\n;|]", text) else text.replace(",", ";"))


_SPLITS: Final = {"authors": split_names, "keywords": split_words}
_MARKED: Final = ("title", "vernacular_title", "abstract")
_DASHES: Final = re.compile(r"(?<!\s)\s*+[-‐‑–—]++\s*+")


def join_values(values: Sequence[str], field: str = "") -> str:
    """Write several values of a field in one cell, so that `named_record` can split them."""
    text = "; ".join(values)
    parts = [part.strip() for part in _SPLITS.get(field, split_values)(text)]
    if values and parts != list(values):
        return "\n".join(values) + "\n"
    return text


def person(name: str) -> str:
    """Write a name in MEDLINE's form: ``Okafor, Bola C.`` becomes ``Okafor BC``."""
    family, comma, forenames = (part.strip() for part in clean(name).partition(","))
    if not comma or not forenames:
        match = _INITIALS.fullmatch(family)
        return f"{match[1]} {re.sub('[. -]', '', match[2])}" if match else family
    if forenames.isupper() and "." not in forenames and " " not in forenames:
        return f"{family} {forenames}"
    words = [word for word in re.split(r"[\s.-]+", forenames) if word]
    return f"{family} {''.join(word[0].upper() for word in words)}"


def pmid_of(address: str) -> str:
    """Return the PMID in a PubMed URL, or ""."""
    match = _PUBMED.search(address)
    return match[1] if match else ""


def noted_pmid(text: str) -> str:
    """Return the PMID in a note or a URL, or ""."""
    match = _NOTED.search(text)
    return match[1] if match else pmid_of(text) if text.startswith("http") else ""


def doi_of(text: str) -> str:
    """Return a DOI without the URL before it."""
    return _ADDRESS.sub("", clean(text)).rstrip(".,;")


def named_record(
    values: Iterable[tuple[str, Sequence[str]]],
    given: Mapping[str, str] | None = None,
    *,
    parted: bool = False,
    key: str = "",
) -> Record:
    """Make a record from named values.

    Parameters
    ----------
    values : iterable of (str, sequence of str)
        Values in the source's order. A second value for a single-valued field becomes an own field.
    given : mapping of str to str, optional
        Fields by the source's names; they take precedence over usual names.
    parted : bool
        Whether several values come as several strings; else one string may hold all, as in a table.
    key : str
        The id if there is no id, PMID or DOI; if "", an id is computed from the words.

    Raises
    ------
    InputError
        If it has neither words nor an id that a TREC run can contain.
    """
    single: dict[str, str] = {}
    several: dict[str, list[str]] = {}
    own: list[tuple[str, str]] = []
    spare = {"first": "", "last": "", "article": "", "source": ""}
    for name, texts in values:
        filled = [text for text in texts if text and not text.isspace()]
        field = "" if name.startswith(OWN) else (given or {}).get(name) or usual_field(name)
        if field not in ("", "id", "key", "accession"):
            filled = [text for text in filled if not _NOTHING.fullmatch(text.strip())]
        if not filled:
            continue
        if field in spare and not spare[field]:
            spare[field] = clean(filled[0])
        elif field in SEVERAL and (field not in several or parted):
            split = _SPLITS.get(field, split_values)
            parts = filled if parted else [part for text in filled for part in split(text)]
            several.setdefault(field, []).extend(parts)
        elif field in (*SINGLE, *_IDS) and field not in single:
            single[field] = (unmarked if field in _MARKED else clean)(filled[0])
            own += [(name, clean(text)) for text in filled[1:]]
        else:
            own += [(clean(name).removeprefix(OWN), clean(text)) for text in filled]
    pages = _DASHES.sub("-", single.get("pages") or spare["first"] or spare["article"])
    if "-" not in pages and not single.get("pages"):
        pages = "-".join(dict.fromkeys(filter(None, (pages, spare["last"]))))
    single["pages"] = pages
    source = spare["source"]  # the journal, or the database
    if source and single.setdefault("journal", source) != source:
        own.append(("source", source))
    doi = single["doi"] = doi_of(single.get("doi", ""))
    mesh = several.pop("mesh", [])
    fields: dict[str, Any] = {name: clean_all(parts) for name, parts in several.items()}
    fields.setdefault("publication_types", ())
    fields["authors"] = tuple(filter(None, map(person, fields.get("authors", ()))))
    fields |= {name: single.get(name, "") for name in PLAIN}
    named = single.get("id", "")
    pmid = fields["pmid"] or next(filter(None, (noted_pmid(text) for _, text in own)), "")
    if match := LEADING_PMID.match(pmid):
        pmid = match[1]
    fields["pmid"] = pmid
    title, date = fields["title"] or fields["vernacular_title"], single.get("year", "")
    accession = single.get("accession", "")
    others = (pmid, doi.replace(" ", ""), accession, single.get("key", "").strip("# "), key)
    contents = content_id(title, date), content_id(single.get("abstract", ""), date)
    names = filter(None, (named, *others, *contents))
    identity = next((name for name in names if " " not in name and len(name) < LONGEST_ID // 4), "")
    for name in {named, accession} - {"", identity}:  # not the id itself
        own.append(("accession", name))
    if _RETRACTED.match(title) or "retracted" in map(str.casefold, fields["publication_types"]):
        fields["publication_types"] = (*fields["publication_types"], RETRACTED)
    return Record(
        id=record_id(identity or named),
        sections=inline_sections(single.get("abstract", "")),
        mesh=headings(mesh),
        year=year(single.get("year")),
        own=tuple(pair for pair in own if pair[1]),
        **fields,
    )


def content_id(title: str, date: str) -> str:
    """Make an id for a reference without one; equal titles and years give equal ids."""
    words = " ".join(re.findall(r"\w+", f"{title} {year(date)}".casefold()))
    return f"x{blake2b(words.encode(), digest_size=6).hexdigest()}" if title else ""


def written_mesh(mesh: Mesh) -> str:
    """Write a heading as MEDLINE prints it; `relsent_ir.records.fields.heading` reads this form."""
    starred = any(qualifier.startswith("*") for qualifier in mesh.qualifiers)
    star = "*" if mesh.major and not starred else ""
    return "/".join((star + mesh.heading, *mesh.qualifiers))


def named_values(record: Record) -> list[tuple[str, tuple[str, ...]]]:
    """Return the values of a record, keyed by the names of its fields, with own fields last."""
    single: list[tuple[str, tuple[str, ...]]] = [
        (name, (printed(record.sections) if name == "abstract" else getattr(record, name),))
        for name in SINGLE
    ]
    several = [
        (name, tuple(map(written_mesh, record.mesh)) if name == "mesh" else getattr(record, name))
        for name in SEVERAL
    ]
    return [*single, *several, *((OWN + name, (value,)) for name, value in record.own)]
