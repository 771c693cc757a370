"""The record: a MEDLINE citation, in the same form for every input format."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Final

from relsent_ir.errors import Advising
from relsent_ir.records.sentences import split_sentences

SHOWN: Final[Mapping[str, bool]] = {"shown": True}
"""Of a field that `show` prints under its name, behind what it prints of every record."""


@dataclass(frozen=True, slots=True)
class Section:
    """A part of an abstract.

    Attributes
    ----------
    text : str
        A text with collapsed white space, without inline markup.
    label : str
        The heading as printed ("MATERIALS AND METHODS"), or "".
    category : str
        NLM's category (BACKGROUND, OBJECTIVE, METHODS, RESULTS, CONCLUSIONS, UNASSIGNED), or "".
    """

    text: str
    label: str = ""
    category: str = ""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a record.

    Attributes
    ----------
    record : str
        The record's id.
    n : int
        0 for the title, 1… for the sentences of the abstract.
    text : str
    move : str
        The argumentative move; "" if it has none or was not labelled.
    score : float
        How certain the move is, from 0 to 1.
    """

    record: str
    n: int
    text: str
    move: str = ""
    score: float = 0.0

    @property
    def id(self) -> str:
        """The id of the record, a dot and the number."""
        return f"{self.record}.{self.n}"


@dataclass(frozen=True, slots=True)
class Mesh:
    """A MeSH heading with its qualifiers; `major` marks a main topic of the article.

    A major qualifier is written with a leading ``*`` and makes the heading major, as in the MEDLINE
    text format.
    """

    heading: str
    qualifiers: tuple[str, ...] = ()
    major: bool = False


@dataclass(frozen=True, slots=True)
class Record(Advising):
    """One MEDLINE record.

    Attributes
    ----------
    id : str
        The PMID, or the collection's id. It is never a number: ``001`` stays ``001``.
    title, vernacular_title : str
        Titles; "" if missing.
    sections : tuple of Section
        The abstract; one section without a label if it is not structured, () if it is missing.
    references : tuple of str
        PMIDs; if the source has none, the references as strings.
    citations : tuple of str
        The works that cite the record, if the source lists them, written like references.
    printed_in : str
        Journal, date, volume and pages as printed, if references are strings.
    year : str
        The year of publication, or "".
    labels : tuple of str
        Other labels that the source gives the record: classes, decisions, keywords.
    pmid : str
        The PMID if the source says that it is one, else "": an id is never guessed to be one.
    doi, volume, issue, pages : str
        Values as printed; the DOI without a URL before it.
    keywords, affiliations, languages : tuple of str
        Keywords by the authors; each affiliation once; languages as the source writes them.
    own : tuple of (str, str)
        Names and values of the source's own fields, in its order; names may be repeated.
    """

    id: str
    title: str = ""
    vernacular_title: str = ""
    sections: tuple[Section, ...] = ()
    mesh: tuple[Mesh, ...] = ()
    chemicals: tuple[str, ...] = ()
    references: tuple[str, ...] = ()
    citations: tuple[str, ...] = ()
    printed_in: str = ""
    year: str = ""
    journal: str = ""
    authors: tuple[str, ...] = ()
    publication_types: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    pmid: str = ""
    doi: str = ""
    volume: str = ""
    issue: str = ""
    pages: str = ""
    keywords: tuple[str, ...] = field(default=(), metadata=SHOWN)
    affiliations: tuple[str, ...] = field(default=(), metadata=SHOWN)
    languages: tuple[str, ...] = ()
    own: tuple[tuple[str, str], ...] = ()

    @property
    def abstract(self) -> str:
        """The texts of all sections, joined by spaces."""
        return " ".join(section.text for section in self.sections)

    def sentences(self) -> tuple[Sentence, ...]:
        """Return the title and the sentences of the abstract, each within one section."""
        body = [Sentence(self.id, n, text) for n, (_, text) in enumerate(self.body(), 1)]
        return (*self.title_sentence(), *body)

    def title_sentence(self) -> tuple[Sentence, ...]:
        """Return the title, or the vernacular title, as sentence 0; () if both are missing."""
        title = self.title or self.vernacular_title
        return (Sentence(self.id, 0, title),) if title else ()

    def body(self) -> list[tuple[Section, str]]:
        """Return the abstract's sentences, each with its section."""
        return [
            (section, section.text[start:end])
            for section in self.sections
            for start, end in split_sentences(section.text)
        ]

    def to_json(self) -> str:
        """Write the record as one line of JSON, without empty fields."""
        filled = _filled(self)
        for name in ("sections", "mesh"):
            if name in filled:
                filled[name] = [_filled(part) for part in filled[name]]
        return json.dumps(filled, ensure_ascii=False)

    def to_dict(self) -> dict[str, Any]:
        """Return the fields that `to_json` writes."""
        values: dict[str, Any] = json.loads(self.to_json())
        return values

    @classmethod
    def from_json(cls, line: str | bytes) -> "Record":
        """Read what `to_json` wrote."""
        values: dict[str, Any] = json.loads(line)
        for name, value in values.items():
            if isinstance(value, list):
                values[name] = tuple(value)
        values["own"] = tuple((name, value) for name, value in values.get("own", ()))
        values["sections"] = tuple(Section(**section) for section in values.get("sections", ()))
        values["mesh"] = tuple(
            Mesh(**mesh | {"qualifiers": tuple(mesh.get("qualifiers", ()))})
            for mesh in values.get("mesh", ())
        )
        return cls(**values)


def shown(record: Record) -> list[tuple[str, str]]:
    """Return the fields that are `SHOWN`: names as headings, and several values in one text."""
    names = [each.name for each in fields(record) if each.metadata]
    values = [(name, getattr(record, name)) for name in names]
    return [
        (name.replace("_", " ").capitalize(), of if isinstance(of, str) else "; ".join(of))
        for name, of in values
    ]


def _filled(part: Record | Section | Mesh) -> dict[str, Any]:
    return {name: value for name in part.__slots__ if (value := getattr(part, name))}


@dataclass(frozen=True, slots=True)
class Deletion:
    """A withdrawal of a record by NLM (``DeleteCitation`` in an update file)."""

    id: str
