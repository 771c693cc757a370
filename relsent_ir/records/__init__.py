"""Reading records: a small reader for each format, the record, sentences, abbreviations."""

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
