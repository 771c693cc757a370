"""The laboratory: a folder for each paper, whose tables are compared with ours.

An experiment's folder has a module ``run`` with a function ``run(request: Request) -> Page``, and
the page's prose as a template, ``page.md``, which the function fills with tables and figures.
"""

from importlib import import_module
from pathlib import Path
from typing import Final

from relsent_ir.files import atomic_bytes, atomic_writer
from reproduce.page import Page, Request

EXPERIMENTS: Final = (
    "moves",
    "smith-wilbur-2010",
    "smith-wilbur-2010-uses",
    "ruch-2006",
    "shatkay-wilbur-2000",
    "tbahriti-2004",
    "similar",
    "cite",
    "learned-ranker",
    "tudor-2012",
    "alamri-stevenson-2015",
)
"""The names of experiments; their folders have ``_`` in place of ``-``."""


def reproduce(name: str, request: Request, folder: Path) -> Path:
    """Run an experiment and write its page, `folder`/`name`.md, and its plots beside it.

    Texts that may not be in a repository go to `folder`/`name`.texts.md.

    Raises
    ------
    MissingError
        If a collection that it needs is missing.
    OutputError
        If the page cannot be written.
    """
    module = f"reproduce.{name.replace('-', '_')}.run"
    page: Page = import_module(module).run(request)
    for plot, svg in page.plots.items():
        with atomic_bytes(folder / f"{plot}.svg") as picture:
            picture.write(svg)
    path = folder / f"{name}.md"
    for place, text in ((folder / f"{name}.texts.md", page.texts), (path, page.text)):
        if text:
            with atomic_writer(place) as file:
                file.write(text)
    return path


__all__ = ["EXPERIMENTS", "Page", "Request", "reproduce"]
