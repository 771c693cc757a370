"""Tables with a head, row by row."""

import csv
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from relsent_ir.errors import InputError
from relsent_ir.files import open_text


def table_rows(path: str | Path, **form: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the rows of a table by its columns' names, each with its place, ``file:line``.

    Parameters
    ----------
    path : str or Path
    **form : Any
        As of `csv.DictReader`: ``delimiter``, ``strict``.

    Raises
    ------
    InputError
        As `open_text`; and if a row is none.
    """
    with open_text(path) as file:
        rows = csv.DictReader(file, **form)
        try:
            for row in rows:
                yield f"{path}:{rows.line_num}", row
        except csv.Error as error:
            where = f"{path}:{rows.reader.line_num}"
            raise InputError(f"this is no row of a table ({error})", where=where) from error
