"""Records for programs that manage references: RIS and BibTeX."""

import re
from typing import Final

from relsent_ir.records.record import Record

_ESCAPED: Final = str.maketrans(
    {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
    | {mark: f"\\{mark}" for mark in "{}%&$#_"}
)


def link(record: Record) -> str:
    """Return the address of a record in PubMed, or "" if its PMID is not known."""
    return f"https://pubmed.ncbi.nlm.nih.gov/{record.pmid}/" if record.pmid else ""


def to_ris(record: Record) -> str:
    """Write a record in RIS, as PubMed's reference managers read it."""
    lines = [("TY", "JOUR"), ("AN", record.id)]
    lines += [("AU", _person(author)) for author in record.authors]
    lines += [("TI", record.title or record.vernacular_title), ("JO", record.journal)]
    lines += [("PY", record.year), ("AB", record.abstract)]
    lines += [("KW", mesh.heading) for mesh in record.mesh]
    lines += [("UR", link(record))]
    return "".join(f"{tag}  - {value}\n" for tag, value in lines if value) + "ER  - \n"


def to_bibtex(record: Record) -> str:
    """Write a record as an entry of BibTeX; its key is ``pmid`` or ``id`` and the id."""
    people = [_person(author) for author in record.authors]
    fields = {
        "author": " and ".join(people),
        "title": record.title or record.vernacular_title,
        "journal": record.journal,
        "year": record.year,
        "pmid": record.pmid,
    }
    key = ("pmid" if record.pmid else "id") + re.sub(r"[^\w.:-]", "-", record.id)
    body = "".join(
        f"  {name} = {{{value.translate(_ESCAPED)}}},\n" for name, value in fields.items() if value
    )
    return f"@article{{{key},\n{body}}}\n"


def _person(author: str) -> str:
    """Put the comma that PubMed leaves out behind a family name: ``Okafor B`` is ``Okafor, B``."""
    family, _, initials = author.rpartition(" ")
    return f"{family}, {initials}" if family and initials.isupper() else author
