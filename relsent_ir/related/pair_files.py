"""Files of pairs of sentences: two a line, parted by a tab."""

from pathlib import Path

from relsent_ir.errors import InputError
from relsent_ir.files import open_text


def read_pairs(path: Path) -> list[tuple[str, str]]:
    """Read pairs of sentences.

    Raises
    ------
    InputError
        If the file cannot be read or is empty, or a line has not two columns.
    """
    pairs = []
    with open_text(path) as file:
        for number, line in enumerate(file, 1):
            columns = line.rstrip("\r\n").split("\t")
            if len(columns) != 2:
                raise InputError(
                    f"{len(columns)} columns, not two sentences", where=f"{path}:{number}"
                )
            pairs.append((columns[0], columns[1]))
    return pairs
