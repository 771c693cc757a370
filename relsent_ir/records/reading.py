"""Reading records: finding files with records, recognising formats, and reading record by record.

A format is recognised by the beginning of the unpacked content, never by the file name. The name of
a format may be followed by a map (``csv:id=No,title=Name``) of the source's field names.
"""

import logging
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import partial
from hashlib import blake2b
from pathlib import Path

from relsent_ir.errors import InputError, UsageError
from relsent_ir.files import input_errors, standard_input
from relsent_ir.records.cystic_fibrosis import read_cystic_fibrosis
from relsent_ir.records.fields import RETRACTED
from relsent_ir.records.jsonl import looks_like_jsonl, read_jsonl
from relsent_ir.records.medline_text import read_medline
from relsent_ir.records.named import parse_map
from relsent_ir.records.objects import looks_like_json, read_json
from relsent_ir.records.ohsumed import read_ohsumed
from relsent_ir.records.pubmed_xml import looks_like_pubmed_xml, read_pubmed_xml
from relsent_ir.records.record import Deletion, Record
from relsent_ir.records.references import LAYOUTS, read_bibtex, read_endnote, read_ris
from relsent_ir.records.smart import read_smart
from relsent_ir.records.source import BOM, MASK, read_head
from relsent_ir.records.tables import delimiter_of, is_upright, read_table
from relsent_ir.records.web_of_science import read_web_of_science

_LINES = re.DOTALL | re.MULTILINE
_HEADS = {
    "medline": re.compile(rb"\A(?:[A-Z][A-Z0-9]{1,3} {0,2}- .*^)?PMID- ", _LINES),
    "ohsumed": re.compile(rb"\A\.I[ \t]+[0-9]+[ \t]*\r?\n.*?^\.U[ \t]*\r?$", _LINES),
    "smart": re.compile(rb"\.I[ \t]+\S+[ \t]*\r?\n\.T[ \t]*\r?\n"),
    "web-of-science": re.compile(rb"FN (?:Clarivate|Thomson|ISI)|PT [A-Z]\r?\n[A-Z][A-Z0-9] "),
}
"""How files of each format begin, in the order in which formats are tried."""
_BIBTEX = re.compile(rb"^[ \t]*@[A-Za-z]+\s*\{[^,{}]*,", re.MULTILINE)
"""Such a beginning may also follow what a program writes about itself."""
_ENDNOTE = re.compile(rb"<xml>\s*<records>")
_CYSTIC_FIBROSIS = re.compile(rb"(?:PN +[0-9]+ *\r?\n)?RN +[0-9]+ *\r?\n(?:AN|AU|TI|SO) ")

_TOPICS = re.compile(rb"QN +[0-9]|\.I[ \t]+[0-9]|<top>")
_PACKED = re.compile(rb"PK\x03\x04|BZh|\xfd7zXZ|\x28\xb5\x2f\xfd|7z\xbc\xaf|.{257}ustar", re.DOTALL)


def detect_format(head: bytes, plain: bytes, given: Mapping[str, str] | None = None) -> str | None:
    """Return the format of a file's records; None if it has no records in a known format.

    Parameters
    ----------
    head, plain : bytes
        The beginning of the file unchanged, for XML, and as text in UTF-8.
    given : mapping of str to str, optional
        Fields of records by the names in the file.
    """
    text = plain.removeprefix(BOM).lstrip()
    if text.startswith(b"{") and looks_like_jsonl(text, given):
        return "jsonl"
    if text.startswith((b"{", b"[")):
        return "json" if looks_like_json(text, given) else None
    for name, beginning in _HEADS.items():
        if beginning.match(text):
            return name
    if _CYSTIC_FIBROSIS.match(text.translate(MASK)):
        return "cystic-fibrosis"
    if any(beginning.search(text) for beginning in LAYOUTS):
        return "ris"
    if _BIBTEX.search(text):
        return "bibtex"
    if b"<" in plain:
        if looks_like_pubmed_xml(head):
            return "pubmed-xml"
        if _ENDNOTE.search(head):
            return "endnote"
    line = (
        re.sub(rb'\A(?:sep=.\r?\n|"?About the data:[^\n]*\n)', b"", text)
        .partition(b"\n")[0]
        .decode("utf-8", "replace")
    )
    return "csv" if is_upright(line) or delimiter_of(line.rstrip("\r"), given) else None


def _unknown(head: bytes, path: Path) -> InputError:
    text = head.removeprefix(BOM).lstrip()
    problem, fix = "holds no records of a known format", "docs/formats.md lists the formats"
    if not text:
        problem, fix = "is empty", "fetch or write it again"
    elif text.startswith((b"[", b"{")):
        problem = "is JSON without records"
        fix = "objects with an id, and a title or an abstract; --map id=NAME,... names them"
    elif _PACKED.match(head):
        problem, fix = "is an archive or packed", "unpack it; of packed files only gzip is read"
    elif _TOPICS.match(text):
        problem, fix = "holds topics, no records", "name the files of the collection's records"
        if text.startswith(b".I"):
            fix += "; if these are records without titles, --format smart"
    elif re.match(rb"[0-9]{1,9}[ \t]*(?:[\r\n]|\Z)", text):
        problem = "holds numbers, no records"
        fix = f"if they are PMIDs, relsent-ir fetch pubmed --pmids {path} brings their records"
    elif re.match(rb"1[.:] .{1,5000}\bPMID: [0-9]", text, re.DOTALL):
        problem = "is printed by PubMed for reading"
        fix = "save the records there in the format PubMed, which names their fields"
    elif re.match(rb"[^\s\0]{1,99}\t[^\n\0]", text):
        fix = f"if it is a table without a header, --map id=1,abstract=2; {fix}"
    return InputError(problem, where=path, fix=fix)


_LOG = logging.getLogger("relsent_ir")

_READERS: dict[str, Callable[..., Iterator[Record | Deletion | InputError]]] = {
    "pubmed-xml": read_pubmed_xml,
    "medline": read_medline,
    "ohsumed": read_ohsumed,
    "cystic-fibrosis": read_cystic_fibrosis,
    "smart": read_smart,
    "jsonl": read_jsonl,
    "json": read_json,
    "csv": read_table,
    "ris": read_ris,
    "web-of-science": read_web_of_science,
    "endnote": read_endnote,
    "bibtex": read_bibtex,
}
EXPORTED = ("csv", "ris", "web-of-science", "endnote", "bibtex")
"""Formats of reference managers, where several works may share an id."""
_MAPPED = ("jsonl", "json", "csv")
"""Formats that accept a map of field names."""

FORMATS = tuple(_READERS)
"""The names of the formats."""


def check_format(name: str) -> str:
    """Return the name; raise UsageError if the format is unknown, or takes no such map."""
    form, _, text = name.partition(":")
    given = parse_map(text)
    if form and form not in _READERS:
        raise UsageError(f"no format {form!r}", fix=f"there are {', '.join(FORMATS)}")
    if given and form and form not in _MAPPED:
        raise UsageError(
            f"the format {form} has names of its own", fix=f"--map is for {', '.join(_MAPPED)}"
        )
    return name


def _found(path: Path, forced: str | None) -> str | InputError:
    """Return a file's format, with the given map; or an error if it has none."""
    form, colon, text = (forced or "").partition(":")
    if not form:
        head = read_head(path)
        found = detect_format(head, read_head(path, text=True), parse_map(text))
        if found is None:
            return _unknown(head, path)
        form = found
    return form + (colon + text if form in _MAPPED else "")


def _required(path: Path, forced: str | None) -> str:
    """Return the format of a file that a user named; raise an error if it has none."""
    found = _found(path, forced)
    if isinstance(found, InputError):
        raise found
    return found


def read_records(
    path: str | Path,
    format: str | None = None,  # noqa: A002  (a fixed name)
) -> Iterator[Record]:
    """Read the records of a file one by one, in constant memory.

    Parameters
    ----------
    path : str or Path
        A file, gzipped or plain.
    format : str, optional
        One of `FORMATS`; if None, the format is recognised by the content.

    Yields
    ------
    Record
        The records in file order, without the deletions of NLM's update files. A bad record is
        skipped and logged as a warning by the logger ``relsent_ir``.

    Raises
    ------
    UsageError
        If the format is unknown.
    InputError
        If the file cannot be read to its end, or has no records; the records before the error have
        been yielded by then.
    """
    return (entry for entry in read_entries(path, format) if isinstance(entry, Record))


def read_entries(
    path: str | Path,
    format: str | None = None,  # noqa: A002  (a fixed name)
    *,
    on_skip: Callable[[InputError], None] | None = None,
    works: "Works | None" = None,
) -> Iterator[Record | Deletion]:
    """Read the records and deletions of a file one by one, in constant memory.

    As `read_records`, but deletions are yielded too, in file order.

    Parameters
    ----------
    path : str or Path
    format : str, optional
    on_skip : callable, optional
        Called with an InputError for each bad record, with its place; if None, they are logged.
    works : dict, optional
        Records of other files by their ids; the records of this file are added.
    """
    path = Path(path)
    form, _, text = _required(path, check_format(format or "")).partition(":")
    skip = on_skip or partial(_LOG.warning, "skipped a record: %s")
    last = ""
    bad = None
    entries = _READERS[form](path, *([parse_map(text)] if text else []))
    try:
        own = {} if works is None else works
        for entry in _apart(entries, path, own, exported=form in EXPORTED):
            if isinstance(entry, InputError):
                bad = entry
                skip(entry)
            else:
                last = entry.id
                yield entry
    except InputError as error:
        if not last:
            raise
        problem = f"{error.problem}, after record {last}"
        raise InputError(problem, where=error.where, fix=error.fix) from error
    if not last and not isinstance(bad, _PoorerError):
        reason = f"; the last that was tried: {bad.problem}" if bad else ""
        raise InputError(
            f"holds no {form} records that can be read{reason}",
            where=path,
            fix="check that the file is whole and of this format",
        )


_NAMED = 10
Works = dict[str, dict[bytes, tuple[bool, bool]]]
"""Works under each id, by checksums of their words: whether each has an abstract, and MeSH."""


class _PoorerError(InputError):
    """A record lacks the abstract or MeSH headings that its work had before."""


def _apart(
    entries: Iterable[Record | Deletion | InputError], path: Path, works: Works, *, exported: bool
) -> Iterator[Record | Deletion | InputError]:
    """Yield entries; if several works share an id, give each further one an id of its own.

    Works differ if their titles do. If the id is neither a PMID nor a DOI, they also differ if
    their abstracts, journals or pages do: a DOI may belong to a supplement, and editorials share
    titles. If a work came before with an abstract, a record of it without one is an error, unless
    it marks the work as retracted; so is a record that lacks MeSH and adds no abstract. Records
    that are not `exported` by a reference manager are only checked against ids of such exports.
    """
    renamed, again = [], 0
    for entry in entries:
        if isinstance(entry, Record) and (exported or entry.id in works):
            work, has = work_of(entry)
            known = works.setdefault(entry.id, {})
            had = known.get(work, has)
            if had > has and RETRACTED not in entry.publication_types:
                lost = "an abstract" if had[0] > has[0] else "MeSH headings"
                where = f"{path}, record {entry.id:.80}"
                yield _PoorerError(f"it came before with {lost}, and has none here", where=where)
                continue
            again += work in known
            known[work] = has
            if place := list(known).index(work):
                entry = replace(entry, id=f"{entry.id}~{place + 1}")
                renamed.append(entry.id)
        yield entry
    if renamed:
        names = ", ".join(renamed[:_NAMED]) + (", …" if len(renamed) > _NAMED else "")
        _LOG.warning("%s: other works have the ids of %d records: %s", path, len(renamed), names)
    if again:
        _LOG.warning("%s: %d works came before, and these replace them", path, again)


def reference_ids(path: Path, form: str) -> set[str]:
    """Return the ids in a reference manager's file, as written; none for other formats.

    Errors are ignored here: they are reported when the file is read.
    """
    name, _, text = form.partition(":")
    ids: set[str] = set()
    if name in EXPORTED:
        entries = _READERS[name](path, *([parse_map(text)] if text else []))
        with suppress(InputError):
            ids.update(entry.id for entry in entries if isinstance(entry, Record))
    return ids


def work_of(record: Record) -> tuple[bytes, tuple[bool, bool]]:
    """Return a checksum that distinguishes works with the same id, and what the record has.

    Returns
    -------
    sum : bytes
        The checksum of the title's words, or of more words; see `_apart`.
    has : (bool, bool)
        Whether it has an abstract, and MeSH headings.
    """
    text = record.title
    if record.id.partition("~")[0] not in (record.pmid, record.doi) or not text:
        text = f"{text} {record.abstract} {record.journal} {record.pages}"
    words = re.findall(r"\w+", text.casefold())
    work = blake2b(" ".join(words).encode(), digest_size=8).digest()
    return work, (bool(record.abstract), bool(record.mesh))


def list_inputs(
    paths: Iterable[str | Path],
    format: str | None = None,  # noqa: A002  (as in `read_records`)
) -> tuple[list[tuple[Path, str]], list[Path]]:
    """Find the files that contain records.

    Parameters
    ----------
    paths : iterable of str or Path
        Files, and folders with all files below them, sorted by path, without hidden files.
        ``-`` is standard input.
    format : str, optional
        The format of all files; if None, it is recognised for each file.

    Returns
    -------
    files : list of (Path, str)
        Each file with its format, once, even if several paths lead to it.
    skipped : list of Path
        The files in folders that contain no records. One warning counts and names them.

    Raises
    ------
    UsageError
        If the format is unknown.
    InputError
        If a file or folder cannot be read, or a named file or a whole folder has no records.
    """
    if format is not None:
        check_format(format)
    files: dict[tuple[int, int], tuple[Path, str]] = {}
    skipped: dict[Path, InputError] = {}
    for path in map(Path, paths):
        if str(path) == "-":
            path = standard_input()
        with input_errors(path):
            for file, name in _named_formats(path, format):
                if isinstance(name, InputError):
                    skipped.setdefault(file.resolve(), name)
                else:
                    files.setdefault(_identity(file), (file, name))
    left_out = list(skipped.values())
    if left_out:
        named = [f"{error.where} {error.problem}" for error in left_out[:_NAMED]]
        names = "; ".join(named) + ("; …" if len(left_out) > _NAMED else "")
        _LOG.warning("skipped %d files that hold no records: %s", len(left_out), names)
    return list(files.values()), [Path(str(error.where)) for error in left_out]


def _named_formats(path: Path, forced: str | None) -> list[tuple[Path, str | InputError]]:
    """Return each file that a path names, with its format or the error that it has none."""
    if not path.is_dir():
        return [(path, _required(path, forced))]
    formats: list[tuple[Path, str | InputError]] = []
    for file in _files_under(path):
        try:
            formats.append((file, _found(file, forced)))
        except InputError as error:  # it cannot be read
            formats.append((file, error))
    if not any(isinstance(name, str) for _, name in formats):
        fixes = {error.fix for _, error in formats if isinstance(error, InputError)}
        fix = fixes.pop() if len(fixes) == 1 else "name the records' folder"
        raise InputError("no file in this folder holds records", where=path, fix=fix)
    return formats


def _files_under(folder: Path, above: frozenset[tuple[int, int]] = frozenset()) -> Iterator[Path]:
    """Yield the files at any depth of a folder, following links, without hidden files."""
    if _identity(folder) in above:
        return  # a link to a folder that contains it
    for member in sorted(folder.iterdir()):
        if member.name.startswith("."):
            continue
        if member.is_dir():
            yield from _files_under(member, above | {_identity(folder)})
        elif member.is_file() or not member.exists():  # reading a dead link is an error
            yield member


def _identity(path: Path) -> tuple[int, int]:
    status = path.stat()
    return status.st_dev, status.st_ino
