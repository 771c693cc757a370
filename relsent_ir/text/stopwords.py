"""Stop lists: one reader for all, and the list that is taken where none is named."""

from functools import cache
from importlib.resources import as_file, files
from pathlib import Path

from relsent_ir.files import open_text


def read_stopwords(path: str | Path) -> list[str]:
    """Read a stop list: one word a line, in lower case, ``#`` starts a comment line."""
    with open_text(path) as lines:
        words = [line.strip().lower() for line in lines]
    return [word for word in words if word and not word.startswith("#")]


@cache
def default_stopwords() -> tuple[str, ...]:
    """scikit-learn's 318 English stop words, sorted."""
    with as_file(files("relsent_ir.text") / "stopwords.txt") as path:
        return tuple(read_stopwords(path))
