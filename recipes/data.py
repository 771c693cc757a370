"""The files of collections that models and experiments are made of."""

import os
from pathlib import Path
from typing import Final

from relsent_ir.errors import MissingError


def data_path(*parts: str) -> Path:
    """Return the path of a collection's file: below ``$RELSENT_DATA``, else where `fetch` put it.

    Parameters
    ----------
    *parts : str
        The path's parts, the collection's folder first.

    Returns
    -------
    Path
        A file or folder that exists.

    Raises
    ------
    MissingError
        If it is in neither; it says how to get it.
    """
    folder = os.environ.get("RELSENT_DATA")
    fetched = [Path("collections", *parts), Path("collections", "originals", *parts)]
    places = [Path(folder, *parts), *fetched] if folder else fetched
    path = next((place for place in places if place.exists()), None)
    if path is None:
        problem = "is missing" if folder else "is missing, and RELSENT_DATA is not set"
        names = "/".join(parts), parts[0]
        fetch = next((_FETCHED[name] for name in names if name in _FETCHED), None)
        fix = f"relsent-ir fetch {fetch}" if fetch else "docs/data.md says where it is from"
        raise MissingError(problem, where="/".join(parts), fix=fix)
    return path


_FETCHED: Final = {"cystic-fibrosis": "cystic-fibrosis", "lists/smart-571.txt": "stop-lists"}
"""The folders and files of the data that `fetch` brings."""
