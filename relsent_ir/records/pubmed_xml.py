"""PubMed XML, as NLM distributes it and PubMed exports it, read record by record.

The parser holds one record in memory, does not expand entities, opens no other file, and refuses
elements that are too deeply nested or too long.
"""

import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from lxml import etree

from relsent_ir.errors import InputError
from relsent_ir.records.fields import attempt, record_id
from relsent_ir.records.pubmed_fields import read_record, text_of
from relsent_ir.records.record import Deletion, Record
from relsent_ir.records.source import read_chunks, read_head

MAX_XML = 1 << 24
"""Largest size of a record in bytes; its element tree takes thirty times as much."""

_ENTRIES = {
    "PubmedArticleSet": ("PubmedArticle", "PubmedBookArticle", "DeleteCitation"),
    "PubmedBookArticleSet": ("PubmedBookArticle", "DeleteCitation"),
    "MedlineCitationSet": ("MedlineCitation", "DeleteCitation"),
    "PubmedArticle": ("PubmedArticle",),
    "PubmedBookArticle": ("PubmedBookArticle",),
    "MedlineCitation": ("MedlineCitation",),
    "DeleteCitation": ("DeleteCitation",),
}
"""The root elements of PubMed XML, with the elements in each that are read one by one."""


def looks_like_pubmed_xml(head: bytes) -> bool:
    """Return whether a file's root element, read from its beginning, is one of PubMed's."""
    root = _root(head)
    return root is not None and root.tag in _ENTRIES


def read_pubmed_xml(path: Path) -> Iterator[Record | Deletion | InputError]:
    """Yield the records and deletions of a file, and an InputError for each bad record.

    Raises
    ------
    InputError
        If the file cannot be read, is not well-formed, is not PubMed XML, or declares entities.
        Entries before the error have been yielded by then.
    """
    root = _root(read_head(path))
    if root is None or root.tag not in _ENTRIES:
        reason = "no element in it" if root is None else f"its root is <{root.tag}>"
        raise InputError(f"no PubMed XML ({reason})", where=path, fix="fetch it from PubMed as XML")
    dtd: Any = root.getroottree().docinfo.internalDTD
    if dtd is not None and any(True for _ in dtd.iterentities()):
        raise InputError(
            "the XML declares entities, which are never expanded here",
            where=path,
            fix="PubMed's own files declare none: fetch it again",
        )
    records = 0
    newest: dict[str, int] = {}
    for element in elements(path, _ENTRIES[root.tag]):
        if element.tag == "DeleteCitation":
            for pmid in map(text_of, element.iterchildren("PMID")):
                yield attempt(
                    f"{path}, DeleteCitation", lambda text: Deletion(record_id(text)), pmid
                )
        elif _is_newest(element, newest):
            records += 1
            yield attempt(f"{path}, record {records}", read_record, element)


def _is_newest(element: etree._Element, newest: dict[str, int]) -> bool:
    """Return whether no later version of a record has been read; note a version after the first."""
    pmid = next(element.iter("PMID"), None)
    if pmid is None:
        return True
    text = pmid.get("Version", "1")
    version = int(text) if re.fullmatch("[0-9]{1,3}", text) else 1
    if version < newest.get(pmid.text or "", 1):
        return False
    if version > 1:
        newest[pmid.text or ""] = version
    return True


def elements(path: Path, tags: tuple[str, ...]) -> Iterator[etree._Element]:
    """Yield each element with one of these tags whole; it is freed when the next is requested."""
    parser = _parser("end", tags)
    pending = 0
    for chunk in read_chunks(path):
        failure = None
        try:
            parser.feed(chunk)
        except etree.XMLSyntaxError as error:
            failure = _malformed(path, parser, error)
        pending += len(chunk)
        for _, element in parser.read_events():
            yield element
            _free(element)
            pending = 0
        if failure:
            raise failure
        if pending > MAX_XML:
            raise InputError(
                f"a record is longer than {MAX_XML >> 20} MB", where=path, fix="fetch it again"
            )
    try:
        parser.close()
    except etree.XMLSyntaxError as error:
        # an undeclared prefix ("mml:math") makes it fail, although everything has been read
        if not len(parser.feed_error_log) or parser.feed_error_log.filter_from_fatals():
            raise _malformed(path, parser, error) from error


def _free(element: etree._Element) -> None:
    """Clear an element that has been read, and remove all that precedes it, including text."""
    element.clear()
    parent = element.getparent()
    if parent is not None:
        while parent[0] is not element:
            del parent[0]


def _root(head: bytes) -> etree._Element | None:
    parser = _parser("start", None)
    with suppress(etree.XMLSyntaxError):
        parser.feed(head.lstrip())
    return next((element for _, element in parser.read_events()), None)


def _parser(event: str, tags: tuple[str, ...] | None) -> Any:
    return etree.XMLPullParser(
        events=(event,),  # type: ignore[arg-type]
        tag=tags,
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=False,
        recover=False,
        remove_comments=True,
        remove_pis=True,
    )


def _malformed(path: Path, parser: Any, error: Any) -> InputError:
    """Report the place of the first fatal error; the exception may name a harmless one."""
    fatal = next(iter(parser.feed_error_log.filter_from_fatals()), None)
    message, line = (fatal.message, fatal.line) if fatal else (error.msg, error.lineno)
    fix = "fetch the file again, or mend it there"
    if fatal and fatal.type_name in ("ERR_DOCUMENT_END", "ERR_RESERVED_XML_NAME"):
        fix = "one XML document a file, from its first byte on: split or trim the file"
    return InputError(f"malformed XML: {message}", where=f"{path}:{line}", fix=fix)
