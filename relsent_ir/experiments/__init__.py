"""One module per paper: runs it, and sets its tables beside the paper's.

An experiment's module has a function ``run(request: Request) -> Page``.
"""

from importlib import import_module
from pathlib import Path
from typing import Final

from relsent_ir.experiments.request import Page, Request
from relsent_ir.files import atomic_bytes, atomic_writer

EXPERIMENTS: Final = {
    "moves": "relsent_ir.experiments.moves",
    "smith-wilbur-2010": "relsent_ir.experiments.smith_wilbur_2010",
    "ruch-2006": "relsent_ir.experiments.ruch_2006",
    "shatkay-wilbur-2000": "relsent_ir.experiments.shatkay_wilbur_2000",
    "tbahriti-2004": "relsent_ir.experiments.tbahriti_2004",
    "tudor-2012": "relsent_ir.experiments.tudor_2012",
    "alamri-stevenson-2015": "relsent_ir.experiments.alamri_stevenson_2015",
}
"""The module of each experiment, by the name that `reproduce` takes."""


def reproduce(name: str, request: Request, folder: Path) -> Path:
    """Run an experiment and write its page, `folder`/`name`.md, and its plots beside it.

    Texts that may not be in a repository go to `folder`/`name`.texts.md.

    Raises
    ------
    MissingError
        If a collection that it needs is not there.
    OutputError
        If the page cannot be written.
    """
    page: Page = import_module(EXPERIMENTS[name]).run(request)
    for plot, svg in page.plots.items():
        with atomic_bytes(folder / f"{plot}.svg") as picture:
            picture.write(svg)
    if page.texts:
        _write(folder / f"{name}.texts.md", page.texts)
    return _write(folder / f"{name}.md", page.text)


def _write(path: Path, text: str) -> Path:
    with atomic_writer(path) as file:
        file.write(text)
    return path


__all__ = ["EXPERIMENTS", "Page", "Request", "reproduce"]
