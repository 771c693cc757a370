"""Files of names: synonyms, lists, and the trees in which MeSH orders its headings.

``relsent-ir fetch mesh`` writes them into a folder ``synonyms``; searches read those beside an
index.
"""

from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import Final

from relsent_ir.errors import InputError
from relsent_ir.files import open_text
from relsent_ir.text.names import normal_form

FOLDER: Final = "synonyms"
MESH: Final = "mesh.tsv"
"""The preferred term of a concept, and another of its terms."""
TREES: Final = "mesh-trees.tsv"
"""A heading, and one of its places in MeSH's trees."""
_ABOVE: Final = 3
"""Folders in which `beside` looks: the index's own, and two above it (``indexes/mine``)."""


def read_synonyms(*paths: str | Path) -> dict[str, list[str]]:
    """Read files of synonyms: a name, a tab, another name of the same thing; ``#`` is a comment.

    Raises
    ------
    InputError
        If a line is not so; with the line.
    """
    groups: dict[str, dict[str, str]] = {}
    for path in paths:
        for names in read_names(path, 2):
            keyed = [(normal_form(name), name) for name in names]
            one, other = (groups.setdefault(key, {key: name}) for key, name in keyed)
            if one is not other:
                one.update(other)
                groups.update(dict.fromkeys(other, one))
    return {key: list(group.values()) for key, group in groups.items()}


def read_names(path: str | Path, columns: int) -> list[tuple[str, ...]]:
    """Read names, so many on a line with tabs between them; ``#`` starts a comment line.

    Raises
    ------
    InputError
        If a line has another number of columns, or a name without letter or digit; with the line.
    """
    rows = []
    with open_text(path) as lines:
        for number, line in enumerate(lines, 1):
            if not line.strip() or line.startswith("#"):
                continue
            names = tuple(name.strip() for name in line.rstrip("\n").split("\t"))
            if len(names) != columns or not all(map(normal_form, names)):
                form = "NAME, a tab, NAME" if columns > 1 else "NAME"
                raise InputError(
                    "these are no names" if columns > 1 else "this is no name",
                    where=f"{path}:{number}",
                    fix=f"a line is {form}",
                )
            rows.append(names)
    if not rows:
        raise InputError("there are no names in this file", where=path)
    return rows


class Trees:
    """The places of headings in MeSH's trees: ``C08.381`` stands below ``C08``.

    Parameters
    ----------
    places : iterable of (str, str)
        A heading, and one of its places.
    """

    def __init__(self, places: Iterable[tuple[str, str]]) -> None:
        self._of: dict[str, list[str]] = {}
        self._at: dict[str, str] = {}
        for heading, place in places:
            self._of.setdefault(heading.casefold(), []).append(place)
            self._at[place] = heading
        self._below: dict[str, list[str]] = {}
        for place in self._at:
            self._below.setdefault(place.rpartition(".")[0], []).append(place)

    def places(self, heading: str) -> list[str]:
        """Return the places of a heading; none of one that the trees have not."""
        return self._of.get(heading.casefold(), [])

    def narrower(self, heading: str) -> list[str]:
        """Return all headings below one, each once; none below one that the trees have not."""
        pending = list(self._of.get(heading.casefold(), ()))
        below: dict[str, None] = {}
        while pending:
            for place in self._below.get(pending.pop(), ()):
                below[self._at[place]] = None
                pending.append(place)
        return sorted(name for name in below if name.casefold() != heading.casefold())


def beside(index: Path, name: str) -> Path | None:
    """Find a file of the folder ``synonyms`` in an index's folder or the two above it, or None.

    Parameters
    ----------
    index : Path
    name : str
        `MESH` or `TREES`.
    """
    folder = index.absolute()
    above = (folder, *folder.parents)[:_ABOVE]
    paths = (parent / FOLDER / name for parent in above)
    return next((path for path in paths if path.is_file()), None)


def synonyms_beside(index: Path) -> dict[str, list[str]]:
    """Return the entry terms of MeSH beside an index, as `read_synonyms` does, if there are any."""
    path = beside(index, MESH)
    return _synonyms(path, path.stat().st_mtime_ns) if path else {}


def trees_beside(index: Path) -> Trees:
    """Return MeSH's trees beside an index; empty ones if there are none."""
    path = beside(index, TREES)
    return _trees(path, path.stat().st_mtime_ns) if path else Trees(())


@lru_cache(maxsize=2)
def _synonyms(path: Path, _changed: int) -> dict[str, list[str]]:
    return read_synonyms(path)


@lru_cache(maxsize=2)
def _trees(path: Path, _changed: int) -> Trees:
    return Trees((heading, place) for heading, place in read_names(path, 2))
