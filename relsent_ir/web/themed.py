"""The theme of a record: what its subject is called, and the records on it."""

from dataclasses import dataclass

from relsent_ir.errors import InputError
from relsent_ir.records import Record
from relsent_ir.themes import Term, ThemeTopic, label_theme, records_on_theme
from relsent_ir.themes import Theme as Found
from relsent_ir.web.asked import Theme
from relsent_ir.web.library import Library
from relsent_ir.web.reading import record_of

TERMS = 10
RECORDS = 6


@dataclass(frozen=True)
class Subject:
    """A theme.

    Attributes
    ----------
    record : Record
        What it was found from.
    terms : list of Term
    records : list of Record
        The others on it, the surest first.
    """

    record: Record
    terms: list[Term]
    records: list[Record]


def theme(library: Library, asked: Theme) -> Subject:
    """Find the theme of a record; without terms where it has none."""
    record = record_of(library, asked.id)

    def read(_: ThemeTopic, found: Found) -> tuple[list[Term], list[str]]:
        hits = records_on_theme(finder.matrix, found, RECORDS)
        return label_theme(finder.matrix, found, TERMS), hits.ids.tolist()

    try:
        finder = library.theme_finder
        terms, ids = finder.find({"": ThemeTopic((record.id,))}, read, threads=1)[""]
    except InputError:  # it shares no term with another record
        return Subject(record, [], [])
    return Subject(record, terms, library.indexes.records(ids))
