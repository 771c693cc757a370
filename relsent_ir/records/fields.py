"""Cleaning the fields of a record, for all readers: text, ids, headings, years."""

import html
import re
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from relsent_ir.errors import InputError
from relsent_ir.records.record import Mesh

T = TypeVar("T")

LONGEST_ID = 32_000
"""Largest id in bytes: Lucene's terms have at most 32,766, and sentences append their number."""

RETRACTED = "Retracted Publication"
"""PubMed's publication type of retracted publications."""

NOTICES = {
    "RetractionIn": RETRACTED,
    "RIN": RETRACTED,
    "PartialRetractionIn": "Partly Retracted Publication",
    "PRIN": "Partly Retracted Publication",
    "ExpressionOfConcernIn": "Publication of Concern",
    "ECI": "Publication of Concern",
    "ErratumIn": "Corrected Publication",
    "EIN": "Corrected Publication",
    "CorrectedandRepublishedIn": "Corrected Publication",
    "CRI": "Corrected Publication",
}
"""Publication types that later notices give a record, by the notice's name in XML and text."""

PMCID = "pmcid"
"""The own field with an article's id in PubMed Central; the name is Europe PMC's."""

JOURNAL = "journal_title"
"""The own field with the full title of a journal whose short title is in `journal`."""

REGISTRY = "registry"
"""The own field with the number of a trial in a register, or of other data."""

_CONTROLS = dict.fromkeys((*range(0x20), *range(0x7F, 0xA0)))
_SURROGATES = dict.fromkeys(range(0xD800, 0xE000), "\N{REPLACEMENT CHARACTER}")
_MEND = {**_CONTROLS, **_SURROGATES}
_YEAR = re.compile(r"(?<![0-9])[0-9]{4}(?![0-9])")
_DATE = re.compile(r"(?<![0-9])((?:1[89]|20)[0-9]{2})(?:0[1-9]|1[0-2])(?:[0-3][0-9])?(?![0-9])")
_TAGS = "b|i|u|em|strong|italic|bold|sub|inf|sup|sc|scp|small|span|p|br|div|sec|title|ul|ol|li"
_MARKUP = re.compile(rf"</?(?:jats:)?(?:{_TAGS})(?:\s[^<>]{{0,200}})?/?>", re.IGNORECASE)
_RAISED = re.compile(r"(?<=[0-9])<(?:jats:)?sup>(?=[-−+]?[0-9])", re.IGNORECASE)
_BLOCK = re.compile(r"<(?:jats:)?(?:p|br|div|sec|li|ul|ol)\b[^<>]{0,200}>", re.IGNORECASE)
_TITLE = re.compile(r"<(jats:title|h[1-6])>([^<>]*+)</\1>", re.IGNORECASE)


def clean(text: str | None) -> str:
    """Collapse white space, drop control characters, replace lone surrogates by U+FFFD."""
    if not text:
        return ""
    text = " ".join(text.split())
    if not text.isprintable():  # nearly all texts are printable, and translating is much slower
        text = " ".join(text.translate(_MEND).split())
    return text


def clean_all(texts: Iterable[str | None]) -> tuple[str, ...]:
    """Clean every text, and drop the texts that become empty."""
    return tuple(filter(None, map(clean, texts)))


def unmarked(text: str) -> str:
    """Remove HTML and JATS markup from a text; a heading gets a colon, like an inline heading.

    Exponents are marked: ``10<sup>3</sup>`` becomes ``10^3``.
    """
    if "<" in text:
        text = _TITLE.sub(lambda match: f" {match[2].strip().rstrip(': ')}: ", text)
        text = _BLOCK.sub(" ", _RAISED.sub("^", text))
        text = _MARKUP.sub("", text)
    return clean(html.unescape(text) if "&" in text else text)


def record_id(text: str) -> str:
    """Return the id if a TREC run (UTF-8, columns separated by white space) can contain it.

    Raises
    ------
    InputError
        If the id is empty or too long, or has white space, control characters or surrogates; the
        caller adds the place (`placed`).
    """
    if not text:
        raise InputError("a record without an id", fix="give it one")
    if " " in text or text != clean(text):
        raise InputError(
            f"the id {text[:80]!r} has white space or control characters in it",
            fix="no TREC run can hold it: replace them",
        )
    if len(text.encode()) > LONGEST_ID:
        raise InputError(
            f"the id {text[:40]!r}... has more than {LONGEST_ID:,} bytes", fix="shorten it"
        )
    return text


def placed(error: InputError, where: str) -> InputError:
    """Return the error with the place of the record added."""
    return InputError(error.problem, where=where, fix=error.fix)


def attempt(where: str, make: Callable[..., T], *arguments: Any) -> T | InputError:
    """Return the result of `make`; if it raises an InputError, return that with the place."""
    try:
        return make(*arguments)
    except InputError as error:
        return placed(error, where)


def heading(text: str) -> Mesh:
    """Read a MeSH heading as MEDLINE prints it: ``*Heading/qualifier/*qualifier``.

    ``Heading/*``, by which OHSUMED marks a major heading without qualifiers, is read too.
    """
    name, *rest = (part.strip() for part in clean(text).split("/"))
    qualifiers = tuple(part for part in rest if part.strip("* "))
    major = any(part.startswith("*") for part in (name, *rest))
    return Mesh(name.lstrip("* "), qualifiers, major)


def headings(texts: Iterable[str]) -> tuple[Mesh, ...]:
    """Read several MeSH headings; empty texts are dropped."""
    return tuple(mesh for mesh in map(heading, texts) if mesh.heading)


def year(text: str | None) -> str:
    """Return the first separate four digits ("1998 Dec-1999 Jan" gives 1998), or "".

    From a date without separators, ``20200115``, the year is returned.
    """
    match = _YEAR.search(text or "") or _DATE.search(text or "")
    return match[0][:4] if match else ""
