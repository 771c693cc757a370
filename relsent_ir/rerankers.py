"""Rerankers by name: formulas, packaged models, other methods, and models in folders.

A reranker is an entry point of the group ``relsent_ir.rerankers``: a name (``pmra``), a pattern of
names (``???.???``, the schemes of SMART) or the kind of a stored model (``huber``), and what makes
it, a class or function of one argument: the name, or the model's folder. Those of another package
join so. Nothing is read of a collection before it reranks.
"""

from collections.abc import Mapping
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Final

from relsent_ir.errors import InputError, MismatchError, UsageError
from relsent_ir.models import KINDS, load_folder, plugins
from relsent_ir.rank import Reranker

RERANKERS: Final = "relsent_ir.rerankers"
"""The group of entry points."""


def open_reranker(name: str | Path) -> Reranker:
    """Get a reranker.

    Parameters
    ----------
    name : str or Path
        A name, or the folder of a trained model; a folder with the name of another reranker is
        written as ``./D``.

    Raises
    ------
    UsageError
        If there is none of the name; it lists the names.
    InputError
        If there is no such folder, or it holds no model.
    MismatchError
        If the model is of a kind that does not rerank.
    """
    known = plugins(RERANKERS)
    text = str(name)
    if text in reranker_names() and "?" not in text:
        found = known[text]
    elif Path(name).exists():
        kind = load_folder(name).kind
        if kind not in known:
            raise MismatchError(
                f"a model of kind {kind}, which does not rerank",
                where=name,
                fix="a model of related sentences, answers or citations",
            )
        found = known[kind]
    else:
        matching = [p for p in known if "?" in p and "/" not in text and fnmatchcase(text, p)]
        if not matching:
            raise _unknown(text)
        found = known[matching[0]]
    reranker: Reranker = found.load()(text)
    return reranker


def reranker_names() -> Mapping[str, str]:
    """The names that `open_reranker` takes, patterns among them, each with where it comes from."""
    kinds = plugins(KINDS)
    found = {n: point.value for n, point in plugins(RERANKERS).items() if n not in kinds}
    return dict(sorted(found.items(), key=lambda item: ("?" in item[0], *item[::-1])))


def _unknown(name: str) -> UsageError | InputError:
    if "/" in name:
        return InputError("no such model", where=name, fix="relsent-ir train makes one")
    names = ", ".join(reranker_names())
    return UsageError(f"no model {name!r}", fix=f"the folder of one, or one of {names}")
