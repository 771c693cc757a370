"""Which format a file has, by the beginning of its unpacked content, never by its name."""

import re
from pathlib import Path

from relsent_ir.errors import InputError
from relsent_ir.records.jsonl import looks_like_jsonl
from relsent_ir.records.pubmed_xml import looks_like_pubmed_xml
from relsent_ir.records.source import BOM, MASK, read_head

_MEDLINE = re.compile(rb"(?:[A-Z][A-Z0-9]{1,3} {0,2}- .*^)?PMID- ", re.DOTALL | re.MULTILINE)
_OHSUMED = re.compile(rb"\.I[ \t]+[0-9]+[ \t]*\r?\n.*?^\.U[ \t]*\r?$", re.DOTALL | re.MULTILINE)
_SMART = re.compile(rb"\.I[ \t]+\S+[ \t]*\r?\n\.T[ \t]*\r?\n")
_CYSTIC_FIBROSIS = re.compile(rb"(?:PN +[0-9]+ *\r?\n)?RN +[0-9]+ *\r?\n(?:AN|AU|TI|SO) ")

_TOPICS = re.compile(rb"QN +[0-9]|\.I[ \t]+[0-9]|<top>")
_PACKED = re.compile(rb"PK\x03\x04|BZh|\xfd7zXZ|\x28\xb5\x2f\xfd|7z\xbc\xaf|.{257}ustar", re.DOTALL)


def detect_format(path: str | Path) -> str | None:
    """Name the format of a file's records, or None if it holds no records that we can read.

    Raises
    ------
    InputError
        The file cannot be read.
    """
    return _format(read_head(Path(path)))


def require_format(path: str | Path) -> str:
    """Name the format of a file's records.

    Raises
    ------
    InputError
        The file cannot be read, or holds no records; the message says what it seems to hold.
    """
    head = read_head(Path(path))
    name = _format(head)
    if name is None:
        raise _unknown(head, Path(path))
    return name


def _format(head: bytes) -> str | None:
    text = head.removeprefix(BOM).lstrip()
    if text.startswith(b"{"):
        return "jsonl" if looks_like_jsonl(text) else None
    if _MEDLINE.match(text):
        return "medline"
    if _OHSUMED.match(text):
        return "ohsumed"
    if _SMART.match(text):
        return "smart"
    if _CYSTIC_FIBROSIS.match(text.translate(MASK)):
        return "cystic-fibrosis"
    return "pubmed-xml" if b"<" in head and looks_like_pubmed_xml(head) else None


def _unknown(head: bytes, path: Path) -> InputError:
    text = head.removeprefix(BOM).lstrip()
    problem, fix = "holds no records of a known format", "docs/formats.md lists the formats"
    if not text:
        problem, fix = "is empty", "fetch or write it again"
    elif text.startswith(b"["):
        problem, fix = "is one JSON array, not JSON lines", "write one object a line: jq -c '.[]'"
    elif text.startswith(b"{"):
        problem = "is no JSON lines with records"
        fix = "each line is an object with an id, and a title or an abstract"
    elif _PACKED.match(head):
        problem, fix = "is an archive or packed", "unpack it; of packed files only gzip is read"
    elif _TOPICS.match(text):
        problem, fix = "holds topics, no records", "name the files of the collection's records"
        if text.startswith(b".I"):
            fix += "; if these are records without titles, --format smart"
    return InputError(problem, where=path, fix=fix)
