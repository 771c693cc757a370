"""JSON from other services: one array or object, such as answers of Europe PMC and OpenAlex."""

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from relsent_ir.errors import InputError
from relsent_ir.records.fields import PMCID, attempt
from relsent_ir.records.named import (
    OWN,
    doi_of,
    holds_records,
    named_record,
    split_words,
    usual_field,
)
from relsent_ir.records.record import Record
from relsent_ir.records.source import read_whole

_MOST: Final = 1 << 28
"""Largest size in bytes of a file that is one JSON value."""

_LISTS: Final = ("message", "resultList", "result", "results", "records", "items", "data", "docs")
"""The keys under which answers list their records."""

WRAPPED: Final = re.compile(rb'\{\s*"(?:version|hitCount|meta|resultList|results|status)"\s*:')
"""How an answer of Europe PMC, OpenAlex or Crossref begins."""

Values = list[tuple[str, list[str]]]


def read_json(path: Path, fields: Mapping[str, str] | None = None) -> Iterator[Record | InputError]:
    """Yield the records of one JSON value, and an InputError for each unreadable record.

    Raises
    ------
    InputError
        If the file is not JSON, has no list of objects, or is too large for memory.
    """
    problem = f"one JSON value of more than {_MOST >> 20} MB"
    data = read_whole(path, _MOST, problem, "write one object a line: jq -c '.[]'")
    try:
        value = json.loads(data, parse_int=str, parse_float=str)
    except (ValueError, RecursionError) as error:
        raise InputError(f"no JSON ({error})", where=path, fix="fetch it again") from error
    for number, item in enumerate(_items(value), 1):
        yield attempt(f"{path}, record {number}", object_record, item, fields)


def looks_like_json(head: bytes, fields: Mapping[str, str] | None = None) -> bool:
    """Return whether a file, from its beginning, is one JSON value that contains records."""
    names = [
        name.decode("utf-8", "replace") for name in re.findall(rb'"([^"\\\n]{1,60})"\s*:', head)
    ]
    return bool(WRAPPED.match(head)) or holds_records(names, fields or {})


def _items(value: Any) -> list[Any]:
    """Find the list of records in an answer."""
    while isinstance(value, dict):
        name = next((name for name in _LISTS if isinstance(value.get(name), (list, dict))), None)
        if name is None:
            return [value]
        value = value[name]
    return value if isinstance(value, list) else []


def object_record(item: Any, fields: Mapping[str, str] | None = None) -> Record:
    """Make a record from a JSON object.

    Raises
    ------
    InputError
        If the item is not an object, or has no id.
    """
    if not isinstance(item, dict):
        raise InputError("JSON, but no object", fix="a list of objects")
    service = None
    if "abstract_inverted_index" in item or "authorships" in item:
        service = "OpenAlex", _openalex
    elif "authorString" in item or "journalInfo" in item or "pubYear" in item:
        service = "Europe PMC", _europe_pmc
    if service:
        name, read = service
        try:
            values = read(item)
        except (AttributeError, TypeError, ValueError) as error:
            problem = f"a record that is not as {name} writes them"
            raise InputError(problem, fix="fetch it again, or mend it there") from error
    else:
        if isinstance(ids := item.get("externalIds"), dict):  # of Semantic Scholar
            item = {**ids, **item}
        values = [(name, texts_of(value)) for name, value in item.items()]
        words = [name for name, value in item.items() if isinstance(value, str)]
        for name, texts in values:
            if name in words and usual_field(name) == "keywords":
                texts[:] = split_words(texts[0])
    return named_record(values, fields, parted=any(isinstance(v, list) for v in item.values()))


def texts_of(value: Any) -> list[str]:
    """Return a JSON value as strings: the members of a list, and an object as JSON text."""
    if isinstance(value, list):
        return [text for member in value for text in texts_of(member)]
    if value is None or value == {}:
        return []
    if isinstance(value, bool):
        return [str(value).lower()]
    if isinstance(value, dict) and {"family", "literal"} & {*value}:  # a name in CSL's form
        return [", ".join(str(value[n]) for n in ("family", "given", "literal") if value.get(n))]
    if isinstance(value, dict) and "authorId" in value:
        return texts_of(value.get("name"))
    if isinstance(value, dict) and "date-parts" in value:
        return ["-".join(texts_of(value["date-parts"]))]
    return [value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)]


def _at(value: Any, *names: str) -> list[Any]:
    """Follow keys into objects, and into each member of a list; missing keys are skipped."""
    values = [value]
    for name in names:
        members = [m for one in values for m in (one if isinstance(one, list) else [one])]
        values = [one[name] for one in members if isinstance(one, dict) and one.get(name)]
    return [m for one in values for m in (one if isinstance(one, list) else [one])]


def _europe_pmc(item: dict[str, Any]) -> Values:
    headings = []
    for mesh in _at(item, "meshHeadingList", "meshHeading"):
        qualifiers = [
            "*" * (q.get("majorTopic_YN") == "Y") + str(q.get("qualifierName", ""))
            for q in _at(mesh, "meshQualifierList", "meshQualifier")
        ]
        star = "*" if mesh.get("majorTopic_YN") == "Y" else ""
        headings.append("/".join((star + str(mesh.get("descriptorName", "")), *qualifiers)))
    authors = texts_of(_at(item, "authorList", "author", "fullName"))
    if not authors:
        authors = [
            name.strip() for name in str(item.get("authorString", "")).rstrip(".").split(",")
        ]
    journal = _at(item, "journalInfo", "journal", "medlineAbbreviation")
    journal = journal or _at(item, "journalInfo", "journal", "title")
    addresses = _at(item, "authorList", "author", "authorAffiliationDetailsList")
    places = texts_of(_at(addresses, "authorAffiliation", "affiliation"))
    return [
        ("id", texts_of(item.get("pmid") or item.get("id"))),
        ("pmid", texts_of(item.get("pmid"))),
        ("doi", texts_of(item.get("doi"))),
        ("title", texts_of(item.get("title"))),
        ("abstract", texts_of(item.get("abstractText"))),
        ("journal", texts_of(journal or item.get("journalTitle"))),
        ("year", texts_of(item.get("pubYear") or _at(item, "journalInfo", "yearOfPublication"))),
        ("volume", texts_of(_at(item, "journalInfo", "volume") or item.get("journalVolume"))),
        ("issue", texts_of(_at(item, "journalInfo", "issue") or item.get("issue"))),
        ("pages", texts_of(item.get("pageInfo"))),
        ("authors", authors),
        ("affiliations", list(dict.fromkeys(places)) or texts_of(item.get("affiliation"))),
        ("languages", texts_of(item.get("language"))),
        ("publication_types", texts_of(_at(item, "pubTypeList", "pubType"))),
        ("keywords", texts_of(_at(item, "keywordList", "keyword"))),
        ("mesh", headings),
        ("chemicals", texts_of(_at(item, "chemicalList", "chemical", "name"))),
        (OWN + PMCID, texts_of(item.get("pmcid"))),
        ("own.cited", texts_of(item.get("citedByCount"))),
    ]


def _openalex(item: dict[str, Any]) -> Values:
    index = item.get("abstract_inverted_index") or {}
    words = sorted((int(place), word) for word, places in index.items() for place in places)
    headings = []
    for mesh in _at(item, "mesh"):
        star = "*" if mesh.get("is_major_topic") is True else ""
        qualifier = mesh.get("qualifier_name") or ""
        name = str(mesh.get("descriptor_name", ""))
        headings.append(f"{name}/{star}{qualifier}" if qualifier else star + name)
    pages = [
        str(n) for n in (*_at(item, "biblio", "first_page"), *_at(item, "biblio", "last_page"))
    ]
    places = texts_of(_at(item, "authorships", "raw_affiliation_strings"))
    return [
        ("id", [_last(item.get("id"))]),
        ("pmid", [_last(name) for name in _at(item, "ids", "pmid")]),
        ("doi", [doi_of(str(item.get("doi") or ""))]),
        ("title", texts_of(item.get("title") or item.get("display_name"))),
        ("abstract", [" ".join(word for _, word in words)]),
        ("journal", texts_of(_at(item, "primary_location", "source", "display_name"))),
        ("year", texts_of(item.get("publication_year"))),
        ("volume", texts_of(_at(item, "biblio", "volume"))),
        ("issue", texts_of(_at(item, "biblio", "issue"))),
        ("pages", ["-".join(dict.fromkeys(pages))]),
        ("authors", texts_of(_at(item, "authorships", "author", "display_name"))),
        ("affiliations", list(dict.fromkeys(places))),
        ("languages", texts_of(item.get("language"))),
        ("publication_types", texts_of(item.get("type"))),
        ("keywords", texts_of(_at(item, "keywords", "display_name"))),
        ("mesh", headings),
        ("references", [_last(name) for name in _at(item, "referenced_works")]),
    ]


def _last(address: Any) -> str:
    """Return the part of a URL after its last slash."""
    return str(address or "").rstrip("/").rpartition("/")[2]
