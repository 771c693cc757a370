"""Records for programs that manage references: RIS and BibTeX."""

import re
from typing import Final

from relsent_ir.records.fields import PMCID
from relsent_ir.records.headings import printed
from relsent_ir.records.named import NOTE, OWN, SEVERAL, SINGLE, join_values, named_values
from relsent_ir.records.record import Record

_ESCAPED: Final = str.maketrans(
    {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
    | {mark: f"\\{mark}" for mark in "{}%&$#_"}
)


def link(record: Record) -> str:
    """Return the address of a record in PubMed, or "" if its PMID is not known."""
    return f"https://pubmed.ncbi.nlm.nih.gov/{record.pmid}/" if record.pmid else ""


def pmc(record: Record) -> str:
    """Return the address of a record's full text in PubMed Central, or "" if it is not known."""
    number = dict(record.own).get(PMCID, "")
    known = re.fullmatch(r"PMC[0-9]+", number)
    return f"https://pmc.ncbi.nlm.nih.gov/articles/{number}/" if known else ""


_NOTED: Final = ("mesh", "chemicals", "references", "citations", "labels", "printed_in")
"""The fields that RIS has no tag for."""


def to_ris(record: Record) -> str:
    """Write a record in RIS, as programs that manage references read it.

    What RIS has no tag for is in notes: `relsent_ir.records.references.read_ris` reads them.
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
    lines += [
        ("U1", f"{NOTE}{name}={value}")
        for name, values in named_values(record)
        if name in _NOTED or name.startswith(OWN) or (name == "vernacular_title" and record.title)
        for value in values
        if value
    ]
    lines += [("UR", link(record))]
    return "".join(f"{tag}  - {value}\n" for tag, value in lines if value) + "ER  - \n"


_BIBTEX: Final = {"issue": "number", "publication_types": "type"}


def to_bibtex(record: Record) -> str:
    """Write a record as an entry of BibTeX; its key is ``pmid`` or ``id`` and the id."""
    fields = {}
    for name, values in named_values(record):
        if name in SINGLE:
            fields[_BIBTEX.get(name, name)] = values[0]
        elif name in SEVERAL and name != "authors":
            fields[_BIBTEX.get(name, name)] = join_values(values)
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
    """Write a name for BibTeX: in braces, if it has an "and" in it that parts no names."""
    text = _escaped(_person(name))
    return f"{{{text}}}" if re.search(r"\sand\s", text, re.IGNORECASE) else text


def _escaped(text: str) -> str:
    """Write a text so that TeX prints it as it is: no signs are joined to others."""
    text = text.translate(_ESCAPED)
    for sign in "-'`":
        text = text.replace(2 * sign, 2 * f"{{{sign}}}")
    return text.replace("?`", "?{`}").replace("!`", "!{`}")


def _person(author: str) -> str:
    """Put the comma that PubMed leaves out behind a family name: ``Okafor B`` is ``Okafor, B``."""
    family, _, initials = author.rpartition(" ")
    parted = family and initials.isupper() and "," not in author  # a group's may have one
    return f"{family}, {initials}" if parted else author
