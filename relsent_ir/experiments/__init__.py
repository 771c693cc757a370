"""One module per paper: runs it, and sets its tables beside the paper's.

An experiment's module has a function ``run(request: Request) -> str``: the page, in Markdown.
"""

from importlib import import_module
from pathlib import Path
from typing import Final

from relsent_ir.experiments.request import Request
from relsent_ir.files import atomic_writer

EXPERIMENTS: Final = {
    "moves": "relsent_ir.experiments.moves",
}
"""The module of each experiment, by the name that `reproduce` takes."""


def reproduce(name: str, request: Request, folder: Path) -> Path:
    """Run an experiment and write its page, `folder`/`name`.md.

    Raises
    ------
    MissingError
        If a collection that it needs is not there.
    OutputError
        If the page cannot be written.
    """
    page = import_module(EXPERIMENTS[name]).run(request)
    path = folder / f"{name}.md"
    with atomic_writer(path) as file:
        file.write(page)
    return path


__all__ = ["EXPERIMENTS", "Request", "reproduce"]
