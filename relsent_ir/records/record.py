"""The record: one MEDLINE citation, in the same shape whatever file it came from."""

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
        White space collapsed, inline markup removed.
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
        0 is the title, 1… are the abstract's sentences.
    text : str
    move : str
        Its argumentative move, "" where it has none or nobody has looked.
    score : float
        How sure the move is, from 0 to 1.
    """

    record: str
    n: int
    text: str
    move: str = ""
    score: float = 0.0

    @property
    def id(self) -> str:
        """The record's id, a dot and the number."""
        return f"{self.record}.{self.n}"


@dataclass(frozen=True, slots=True)
class Mesh:
    """A MeSH heading with its qualifiers; `major` marks a main subject of the article.

    A qualifier that is major is written with a leading ``*``, and makes the heading major, as
    the MEDLINE text format prints it.
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
        PMID, or the id that the collection gives. Never a number: ``001`` stays ``001``.
    title, vernacular_title : str
        "" where missing.
    sections : tuple of Section
        The abstract; one section without label if it is not structured, () if there is none.
    references : tuple of str
        PMIDs, or the reference as a string where the source has no PMIDs.
    citations : tuple of str
        The works that cite the record, written as references are, where the source tells.
    printed_in : str
        Journal, date, volume and pages as printed, where references are strings.
    year : str
        Year of publication, or "".
    labels : tuple of str
        Other statements of the source about the record: classes, decisions, keywords.
    pmid : str
        Its PMID where the source says that it is one, else "": no id is taken for one by its looks.
    doi, volume, issue, pages : str
        As printed; the DOI without an address before it.
    keywords, affiliations, languages : tuple of str
        Keywords of authors; affiliations each once; languages as the source writes them.
    own : tuple of (str, str)
        The source's own fields, names and values, in its order; a name may come again.
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
        """All sections' texts, joined by one space."""
        return " ".join(section.text for section in self.sections)

    def sentences(self) -> tuple[Sentence, ...]:
        """Return the title and the abstract's sentences; none crosses a section's border."""
        body = [Sentence(self.id, n, text) for n, (_, text) in enumerate(self.body(), 1)]
        return (*self.title_sentence(), *body)

    def title_sentence(self) -> tuple[Sentence, ...]:
        """Return the title, or the vernacular one, as sentence 0; () where there is none."""
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
        """Write the record as one line of JSON, without the fields that are empty."""
        filled = _filled(self)
        for name in ("sections", "mesh"):
            if name in filled:
                filled[name] = [_filled(part) for part in filled[name]]
        return json.dumps(filled, ensure_ascii=False)

    def to_dict(self) -> dict[str, Any]:
        """Return what `to_json` writes."""
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
    """NLM withdraws a record (``DeleteCitation`` in an update file)."""

    id: str
