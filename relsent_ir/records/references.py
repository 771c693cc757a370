"""References of other programs: RIS, EndNote XML and BibTeX; RIS and BibTeX can also be written.

Fields without a tag in RIS are written as notes, each a line ``U1``:
``record.mesh=*Lung/injuries``. A record that was written can therefore be read back completely.
"""

import logging
import re
from collections.abc import Iterable, Iterator
from itertools import count
from pathlib import Path
from typing import Any, Final

from lxml.etree import _Element

from relsent_ir.errors import InputError, MissingError
from relsent_ir.records.fields import JOURNAL, PMCID, attempt, clean, heading
from relsent_ir.records.headings import printed
from relsent_ir.records.named import (
    LEADING_PMID,
    NOTE,
    OWN,
    SEVERAL,
    SINGLE,
    content_id,
    join_values,
    named_record,
    named_values,
    pmid_of,
)
from relsent_ir.records.pubmed_fields import text_of
from relsent_ir.records.pubmed_xml import elements
from relsent_ir.records.record import Record
from relsent_ir.records.source import BOM, MAX_RECORD, read_head, read_lines, read_whole
from relsent_ir.records.tagged import TaggedRecord, made, read_tagged

_LINE: Final = re.compile(r"\ufeff?(?:([A-Z][A-Z0-9])  ?-(?: |$)|([A-Za-z][A-Za-z0-9])  -)(.*)")
_REFER: Final = re.compile(r"\ufeff?%(\S)() (.*)")
_COCHRANE: Final = re.compile(r"\ufeff?(?:(Record) #[0-9]+ of [0-9]+|([A-Z]{2,3}):)(.*)")
_TAGS: Final = {
    _LINE: {"EF": ""},
    _REFER: {"0": "TY", "T": "TI", "A": "AU", "J": "JO", "B": "T2", "D": "PY", "V": "VL",
             "N": "IS", "P": "SP", "X": "AB", "R": "DO", "M": "AN", "K": "KW", "U": "UR",
             "W": "DB", "G": "LA", "+": "AD", "8": "DA", "Z": "N1", "9": "M3"},
    _COCHRANE: {"RECORD": "TY", "ID": "AN", "SO": "JO", "YR": "PY", "NO": "IS", "PG": "SP",
                "KY": "KW", "PT": "M3", "DOI": "DO", "US": "UR"},
}  # fmt: skip
"""The tags of RIS, EndNote's tagged text and the Cochrane Library, with RIS' tags for them."""
LAYOUTS: Final = {
    re.compile(rb"^%0 [A-Z]", re.MULTILINE): _REFER,
    re.compile(rb"^Record #[0-9]+ of [0-9]+\r?\n[A-Z]{2}: ", re.MULTILINE): _COCHRANE,
    re.compile(rb"^(?:TY  ?- |(?i:TY)  -)", re.MULTILINE): _LINE,
}
"""How a file with references in tagged lines begins, with the form of its lines."""
_SINGLE: Final = {
    "accession": ("AN",),
    "title": ("TI", "T1", "CT", "BT"),
    "journal": ("JO", "JF", "T2", "JA", "J2"),
    "year": ("PY", "Y1", "DA"),
    "volume": ("VL",),
    "issue": ("IS",),
    "startpage": ("SP",),
    "articlenumber": ("C7",),
    "endpage": ("EP",),
    "abstract": ("AB", "N2"),
    "doi": ("DO",),
}
_SEVERAL: Final = {
    "authors": ("AU", "A1"),
    "affiliations": ("AD",),
    "publication_types": ("M3",),
    "languages": ("LA",),
    "keywords": ("KW",),
}
_READ: Final = {tag for tags in (*_SINGLE.values(), *_SEVERAL.values()) for tag in tags}
_SILENT: Final = {*_READ, "TY", "ER", "U1", "L1", "L2", ""}
"""Tags that are handled separately, or do not describe the work."""
_MEDLINE: Final = re.compile("medline|pubmed", re.IGNORECASE)
_LAST_PMID: Final = re.compile(r"(?:^|; )([0-9]{1,8})$")
"""The number of a MEDLINE record; ProQuest's own number precedes it."""


def read_ris(path: Path) -> Iterator[Record | InputError]:
    """Yield the records of a RIS file, and an InputError for each unreadable record.

    EndNote's tagged text (``%0``) and the Cochrane Library's (``Record #1 of 3``) are read too.
    """
    head = read_head(path, text=True).removeprefix(BOM)
    line = next((line for beginning, line in LAYOUTS.items() if beginning.search(head)), _LINE)
    tags = _TAGS[line]

    def split(text: str) -> tuple[str, str] | None:
        match = line.match(text)
        tag = (match[1] or match[2]).upper() if match else ""
        tag = tags.get(tag, tag)
        return (tag, match[3].strip()) if match and tag else None

    return made(path, read_tagged(path, split, first="TY", blank_ends=False, last="ER"), _of_ris)


def _of_ris(tagged: TaggedRecord) -> Record:
    tagged.check()
    if not any(tag == "TY" for tag, _ in tagged.fields):
        raise InputError("a reference without TY", fix="each begins with TY  - and ends with ER  -")
    values: list[tuple[str, str]] = []
    for name, tags in _SINGLE.items():
        texts = [(tag, text) for tag in tags for text in map(clean, tagged.texts(tag)) if text]
        paragraphs = [text for tag, text in texts if tag == texts[0][0] and name == "abstract"]
        value = " ".join(paragraphs or [text for _, text in texts[:1]])
        values.append((name, value))
        others = {text: tag for tag, text in texts if text not in value}
        own = JOURNAL if name == "journal" else ""
        values += [(f"{OWN}{own or tag}", text) for text, tag in others.items()]
    lists = {name: tagged.texts(*tags) for name, tags in _SEVERAL.items()}
    lists["keywords"] = tagged.lines("KW")
    for name, parts in lists.items():
        if len(parts) == 1 and name != "affiliations":
            lists[name] = parts[0].split(";")
    for note in tagged.texts("U1"):
        name, sign, value = note.removeprefix(NOTE).partition("=")
        if not note.startswith(NOTE) or not sign:
            values.append((f"{OWN}U1", note))
        elif name in SEVERAL:
            lists.setdefault(name, []).append(value)
        else:
            values.append((name, value))
    headings = [heading(text).heading for text in lists.get("mesh", [])]
    if headings and lists["keywords"][-len(headings) :] == headings:  # they are repeated there
        del lists["keywords"][-len(headings) :]
    links = [*filter(None, map(pmid_of, tagged.texts("UR", "L2")))]
    sources = " ".join(tagged.texts("DB", "DP"))
    numbers = ["PM", "C5", *["C2"] * ("Scopus" in sources)]
    links += [m[1] for text in tagged.texts(*numbers) if (m := LEADING_PMID.match(text))]
    if _MEDLINE.search(sources) and (match := _LAST_PMID.search(tagged.text("AN"))):
        links.append(match[1])
    values += [("pmid", pmid) for pmid in links[:1]]
    values += [
        (f"{OWN}{tag}", " ".join(lines))
        for tag, lines in tagged.fields
        if tag not in _SILENT and not (tag == "UR" and pmid_of(lines[0]))
    ]
    named = dict(values)
    key = content_id(named["title"], named["year"])
    return named_record(
        [*((name, [value]) for name, value in values), *lists.items()], parted=True, key=key
    )


_XML: Final = {
    "accession-num": "accession",
    "title": "title",
    "secondary-title": "journal",
    "full-title": "journal",
    "year": "year",
    "volume": "volume",
    "number": "issue",
    "pages": "pages",
    "abstract": "abstract",
    "electronic-resource-num": "doi",
    "language": "languages",
    "author": "authors",
    "keyword": "keywords",
    "auth-address": "affiliations",
    "work-type": "publication_types",
}
_CUSTOM: Final = re.compile(r"custom\d|label|notes|research-notes|misc\d|section|isbn")


def read_endnote(path: Path) -> Iterator[Record | InputError]:
    """Yield the records of EndNote XML, and an InputError for each unreadable record.

    Raises
    ------
    InputError
        As raised by `relsent_ir.records.pubmed_xml.elements`.
    """
    for number, element in enumerate(elements(path, ("record",)), 1):
        yield attempt(f"{path}, record {number}", _of_endnote, element)


def _of_endnote(element: _Element) -> Record:
    values: list[tuple[str, list[str]]] = []
    lists: dict[str, list[str]] = {}
    for editors in list(element.iter("secondary-authors", "tertiary-authors")):
        names = [text_of(child) for child in editors.iter("author")]
        values.append((f"{OWN}editors", ["; ".join(names)]))
        editors.clear()
    source = " ".join(map(text_of, element.iter("remote-database-name")))
    for child in element.iter():
        tag = str(child.tag)
        name = _XML.get(tag, "")
        text = text_of(child) if name or _CUSTOM.fullmatch(tag) else ""
        if name in SEVERAL:
            lists.setdefault(name, []).append(text)
        elif name:
            values.append((name, [text] if name not in {n for n, _ in values} else []))
        elif text:
            values.append((f"{OWN}{tag}", [text]))
        elif tag == "url" and (pmid := pmid_of(text_of(child))):
            values.append(("pmid", [pmid]))
        if name == "accession" and _MEDLINE.search(source):
            values.append(("pmid", [text]))
    first = {name: texts[0] for name, texts in reversed(values) if texts}
    key = content_id(first.get("title", ""), first.get("year", ""))
    return named_record([*values, *lists.items()], parted=True, key=key)


def read_bibtex(path: Path) -> Iterator[Record | InputError]:
    """Yield the records of a BibTeX file, and an InputError for each unreadable record.

    Raises
    ------
    InputError
        If the file cannot be read, is not UTF-8, or is too large for memory.
    MissingError
        If the package bibtexparser is not installed.
    """
    try:
        from bibtexparser.entrypoint import parse_string
        from bibtexparser.middlewares import LatexDecodingMiddleware
        from bibtexparser.middlewares.names import split_multiple_persons_names
        from bibtexparser.model import DuplicateFieldKeyBlock
    except ImportError as error:
        raise MissingError(
            "BibTeX needs the package bibtexparser", fix="pip install bibtexparser"
        ) from error
    problem = f"is longer than {MAX_RECORD >> 20} MB"
    read_whole(path, MAX_RECORD, problem, "split it")
    text = "\n".join(line for _, line in read_lines(path, latin=True))
    logging.getLogger("bibtexparser").setLevel(logging.CRITICAL)  # our error names the line
    text = _DOLLARS.sub(_math, text)
    text = _TEX_SIGN.sub(lambda match: _SIGNS[match[1] or match[2]], text)
    library = parse_string(text)
    repeated = [
        block for block in library.failed_blocks if isinstance(block, DuplicateFieldKeyBlock)
    ]
    for block in repeated:
        raw = block.raw or ""
        text = text.replace(raw, _renamed(raw, block.duplicate_keys))
    if repeated:
        library = parse_string(text)
    for entry in library.entries:
        for item in entry.fields:
            if item.key.casefold() == "author":  # while braces still hold names together
                names = split_multiple_persons_names(clean(str(item.value)))
                item.value = "\n".join(names) + "\n" * any("{" in name for name in names)
    library = LatexDecodingMiddleware(keep_math_mode=False).transform(library)
    for bad in library.failed_blocks:
        line = (bad.start_line or 0) + 1
        yield InputError("no entry of BibTeX", where=f"{path}:{line}", fix="mend or remove it")
    for entry in library.entries:
        yield attempt(f"{path}:{(entry.start_line or 0) + 1}", _of_bibtex, entry)


_GREEK: Final = "αβγδεζηθικλμνξοπρστυφχψω"
_NAMES: Final = """
    alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma
    tau upsilon phi chi psi omega
"""
_SIGNS: Final = {
    **{f"text{name}": letter for name, letter in zip(_NAMES.split(), _GREEK, strict=True)},
    **dict(zip("abgdezhjiklmnxoprstufqyw", _GREEK, strict=True)),
    "textless": "<",
    "textgreater": ">",
    "textleq": "≤",
    "textgeq": "≥",
    "textpm": "±",
    "texttimes": "×",
    "textdegree": "°",
}
"""Characters that the decoder would drop, and letters of \\textgreek."""
_TEX_SIGN: Final = re.compile(
    rf"\\({'|'.join(name for name in _SIGNS if len(name) > 1)})(?![A-Za-z])(?:\{{\}})?"
    r"|\\textgreek\{([a-z])\}"
)
_DOLLARS: Final = re.compile(r"(?<!\\)\$(?:([^$\n]{0,300})(?<!\\)\$)?")

_BELOW: Final = re.compile(r"_(?:\{([^{}]{1,20})\}|(\w))")


def _math(match: re.Match[str]) -> str:
    """Keep the two dollars around a likely formula; escape all others as plain dollars."""
    inner = match[1] or ""
    if re.search(r"[\\^_<>=±~]", inner):
        return "$" + _BELOW.sub(r"\1\2", inner) + "$"
    return match[0].replace("$", r"\$")


def _renamed(entry: str, names: Iterable[str]) -> str:
    """Return an entry in which repeated names of fields get numbers."""
    for name in names:
        times = count(1)
        entry = re.sub(
            rf"(?im)^(\s*{re.escape(name)})(?=\s*=)",
            lambda match, times=times: match[1] + (str(n) if (n := next(times)) > 1 else ""),  # type: ignore[misc]
            entry,
        )
    return entry


_BIBTEX: Final = {"number": "issue", "recordid": "id", "note": f"{OWN}note"}


def _of_bibtex(entry: Any) -> Record:
    values: list[tuple[str, list[str]]] = []
    named: dict[str, str] = {}
    for field in entry.fields:
        name, value = str(field.key), str(field.value).replace("ˆ", "^")
        named[name.casefold()] = value
        if name != "own":
            values.append((_BIBTEX.get(name.casefold(), name), [value]))
    for own in filter(None, named.get("own", "").split("\n")):
        name, _, value = own.partition("=")
        values.append((OWN + name.strip(), [value]))
    return named_record(values, key=clean(entry.key))


_ESCAPED: Final = str.maketrans(
    {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
    | {mark: f"\\{mark}" for mark in "{}%&$#_"}
)


def link(record: Record) -> str:
    """Return the URL of a record in PubMed, or "" if its PMID is unknown."""
    return f"https://pubmed.ncbi.nlm.nih.gov/{record.pmid}/" if record.pmid else ""


def pmc(record: Record) -> str:
    """Return the URL of a record's full text in PubMed Central, or "" if it is unknown."""
    number = dict(record.own).get(PMCID, "")
    whole = re.fullmatch(r"PMC[0-9]+", number)
    return f"https://pmc.ncbi.nlm.nih.gov/articles/{number}/" if whole else ""


_NOTED: Final = {*SINGLE, *SEVERAL} - {
    *(*_SINGLE, *_SEVERAL, "id", "pages", "pmid", "vernacular_title")
}
"""The fields without a tag in RIS."""


def to_ris(record: Record) -> str:
    """Write a record in RIS, for programs that manage references.

    Fields without a tag in RIS become notes, which `read_ris` reads.
    """
    first, dash, last = record.pages.partition("-")
    pages = (first, last) if dash and "-" not in last else (record.pages, "")
    lines = [("TY", "JOUR"), ("AN", record.id)]
    lines += [("AU", _person(author)) for author in record.authors]
    lines += [("TI", record.title or record.vernacular_title), ("JO", record.journal)]
    lines += [("PY", record.year), ("VL", record.volume), ("IS", record.issue)]
    lines += [("SP", pages[0]), ("EP", pages[1]), ("DO", record.doi)]
    lines += [("AB", printed(record.sections))]
    lines += [("LA", language) for language in record.languages]
    lines += [("M3", kind) for kind in record.publication_types]
    lines += [("AD", place) for place in record.affiliations]
    lines += [("KW", keyword) for keyword in record.keywords]
    lines += [("KW", mesh.heading) for mesh in record.mesh]
    if record.id != record.pmid and (record.pmid or record.doi):
        lines.append(("U1", f"{NOTE}id={record.id}"))
    lines += [
        ("U1", f"{NOTE}{name}={value}")
        for name, values in named_values(record)
        if name in _NOTED or name.startswith(OWN) or (name == "vernacular_title" and record.title)
        for value in values
        if value
    ]
    lines += [("UR", link(record))]
    return "".join(f"{tag}  - {value}\n" for tag, value in lines if value) + "ER  - \n"


_WRITTEN: Final = {"issue": "number", "publication_types": "type"}


def to_bibtex(record: Record) -> str:
    """Write a record as a BibTeX entry whose key is ``pmid`` or ``id`` followed by the id."""
    fields = {}
    for name, values in named_values(record):
        if name in SINGLE:
            fields[_WRITTEN.get(name, name)] = values[0]
        elif name in SEVERAL and name != "authors":
            fields[_WRITTEN.get(name, name)] = join_values(values, name)
    fields["title"] = record.title or record.vernacular_title
    fields["own"] = "\n".join(f"{name}={value}" for name, value in record.own)
    identity = fields.pop("id")
    if record.id != record.pmid:
        fields["recordid"] = identity
    key = ("pmid" if record.pmid else "id") + re.sub(r"[^\w.:-]", "-", record.id)
    written = {"author": " and ".join(map(_author, record.authors))}
    written |= {name: _escaped(value) for name, value in fields.items()}
    body = "".join(f"  {name} = {{{value}}},\n" for name, value in written.items() if value)
    return f"@article{{{key},\n{body}}}\n"


def _author(name: str) -> str:
    """Write a name for BibTeX, in braces if it contains an "and" that separates no names."""
    text = _escaped(_person(name))
    return f"{{{text}}}" if re.search(r"\sand\s", text, re.IGNORECASE) else text


def _escaped(text: str) -> str:
    """Write a text that TeX prints unchanged, without ligatures."""
    text = text.translate(_ESCAPED)
    for sign in "-'`":
        text = text.replace(2 * sign, 2 * f"{{{sign}}}")
    return text.replace("?`", "?{`}").replace("!`", "!{`}")


def _person(author: str) -> str:
    """Insert the comma that PubMed omits after a family name: ``Okafor B`` is ``Okafor, B``."""
    family, _, initials = author.rpartition(" ")
    parted = family and initials.isupper() and "," not in author  # a group's name may have a comma
    return f"{family}, {initials}" if parted else author
