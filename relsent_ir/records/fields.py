"""Fields of a record, as every reader cleans them: text, ids, headings, years."""

import html
import re
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from relsent_ir.errors import InputError
from relsent_ir.records.record import Mesh

T = TypeVar("T")

LONGEST_ID = 32_000
"""Bytes of a record's id: a term of Lucene's has at most 32,766, and sentences add their number."""

RETRACTED = "Retracted Publication"
"""PubMed's type of a publication that was retracted."""

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
"""The publication type that a later notice gives a record, by the notice's name in XML and text."""

PMCID = "pmcid"
"""The name of the own field that has an article's id in PubMed Central, as Europe PMC calls it."""

JOURNAL = "journal_title"
"""The name of the own field that has a journal's full title, where `journal` is its short one."""

REGISTRY = "registry"
"""The name of the own field that has the number of a trial in a register, or of other data."""

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


def _titled(match: re.Match[str]) -> str:
    return f" {match[2].strip().rstrip(': ')}: "


def clean(text: str | None) -> str:
    """Collapse white space, drop control characters, replace lone surrogates by U+FFFD."""
    if not text:
        return ""
    text = " ".join(text.split())
    if not text.isprintable():  # nearly all text is, and translating takes much longer
        text = " ".join(text.translate(_MEND).split())
    return text


def clean_all(texts: Iterable[str | None]) -> tuple[str, ...]:
    """Clean every text, and leave out those that are empty then."""
    return tuple(filter(None, map(clean, texts)))


def unmarked(text: str) -> str:
    """Take HTML and JATS markup out of a text; a heading gets the colon of an inline one.

    An exponent keeps a mark: ``10<sup>3</sup>`` is ``10^3``.
    """
    if "<" in text:
        text = _BLOCK.sub(" ", _RAISED.sub("^", _TITLE.sub(_titled, text)))
        text = _MARKUP.sub("", text)
    return clean(html.unescape(text) if "&" in text else text)


def record_id(text: str) -> str:
    """Return the id if a TREC run, UTF-8 with columns between white space, can hold it.

    Raises
    ------
    InputError
        It is empty or too long, or has white space, control characters or surrogates in it; the
        place is for the caller to add (`placed`).
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
    """Return the same error with the place of the record."""
    return InputError(error.problem, where=where, fix=error.fix)


def attempt(where: str, make: Callable[..., T], *arguments: Any) -> T | InputError:
    """Return the result of `make`, or the InputError that it raises with the record's place."""
    try:
        return make(*arguments)
    except InputError as error:
        return placed(error, where)


def heading(text: str) -> Mesh:
    """Read a MeSH heading as MEDLINE prints it: ``*Heading/qualifier/*qualifier``.

    ``Heading/*``, as OHSUMED marks a major heading without qualifiers, is understood too.
    """
    name, *rest = (part.strip() for part in clean(text).split("/"))
    qualifiers = tuple(part for part in rest if part.strip("* "))
    major = any(part.startswith("*") for part in (name, *rest))
    return Mesh(name.lstrip("* "), qualifiers, major)


def headings(texts: Iterable[str]) -> tuple[Mesh, ...]:
    """Read several MeSH headings, and leave out those that are empty."""
    return tuple(mesh for mesh in map(heading, texts) if mesh.heading)


def year(text: str | None) -> str:
    """Return the first four digits that stand alone ("1998 Dec-1999 Jan" is 1998), or "".

    Of a date without marks, ``20200115``, those of its year.
    """
    match = _YEAR.search(text or "") or _DATE.search(text or "")
    return match[0][:4] if match else ""
