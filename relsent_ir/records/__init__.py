"""Reading records: a small reader for each format, the record, sentences, abbreviations."""

from typing import TYPE_CHECKING

from relsent_ir.lazy import lazily

if TYPE_CHECKING:
    from relsent_ir.records.abbreviations import find_abbreviations
    from relsent_ir.records.reading import list_inputs, read_entries, read_records
    from relsent_ir.records.record import Deletion, Mesh, Record, Section, Sentence
    from relsent_ir.records.sentences import split_sentences

__all__ = [
    "Deletion",
    "Mesh",
    "Record",
    "Section",
    "Sentence",
    "find_abbreviations",
    "list_inputs",
    "read_entries",
    "read_records",
    "split_sentences",
]

__getattr__ = lazily(  # the readers of all formats take 50 ms
    __name__,
    {
        "abbreviations": ("find_abbreviations",),
        "reading": ("list_inputs", "read_entries", "read_records"),
        "record": ("Deletion", "Mesh", "Record", "Section", "Sentence"),
        "sentences": ("split_sentences",),
    },
)
