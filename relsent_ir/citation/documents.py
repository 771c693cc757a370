"""An article as a topic: its text."""

from collections.abc import Iterable
from typing import Final

from relsent_ir.records import Record

FIELDS: Final = ("title", "abstract", "mesh")
"""Fields that make up a topic, as in the paper."""


def topic_text(record: Record, fields: Iterable[str] = FIELDS) -> str:
    """Return the text of a record as a topic, in one line."""
    parts = {
        "title": " ".join(filter(None, (record.title, record.vernacular_title))),
        "abstract": record.abstract,
        "mesh": mesh_text(record),
    }
    return " ".join(" ".join(parts[field] for field in fields).split())


def mesh_text(record: Record) -> str:
    """Return headings with their qualifiers, and chemicals, as one text."""
    headings = (" ".join((mesh.heading, *mesh.qualifiers)) for mesh in record.mesh)
    return " ".join((*headings, *record.chemicals))
