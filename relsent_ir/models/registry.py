"""Models by their kind: one way to save, to load, and to have those that come with the package.

A kind is an entry point of the group ``relsent_ir.models``: its name, and the class of its models
as ``module:Class``. Ours are too (pyproject.toml), so that no class is imported but the one that
is needed, and those of another package join.
"""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol, Self

from numpy.typing import NDArray

from relsent_ir.errors import InputError, MismatchError, MissingError
from relsent_ir.method import Method, parse
from relsent_ir.methods import Answers, Ranker, Related, Relations
from relsent_ir.models.folders import Stored, load_folder, save_folder

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

KINDS: Final = "relsent_ir.models"
"""The group of entry points."""

FAMILIES: Final[Mapping[str, tuple[str, str]]] = {
    "related": ("related sentences", "related/default"),
    "answers": ("answers", "answers/default"),
    "moves": ("moves", "moves/default"),
    "relations": ("relations", "relations/default"),
    "statements": ("statements", "relations/stated"),
    "ranker": ("rankers", "ranker/default"),
    "tagger": ("tags", "text/default/tagger"),
    "chunker": ("chunks", "text/default/chunker"),
}
"""The uses of models: in words, and the packaged model's folder, "" where there is none."""

TRAINED: Final = ("related", "moves", "ranker")
"""Families that ``relsent-ir train`` makes."""


READ_BY: Final[Mapping[str, Any]] = {
    "related": Related,
    "answers": Answers,
    "relations": Relations,
    "ranker": Ranker,
}
"""The methods that take models, by family."""


class Storable(Protocol):
    """A model that can be saved."""

    @property
    def family(self) -> str:
        """Its use, such as ``answers``; kinds of one family do the same work."""
        ...

    @property
    def kind(self) -> str:
        """The name of its class's entry point, such as ``answers-linear``."""
        ...

    def to_stored(self) -> tuple[Mapping[str, Any], Mapping[str, NDArray[Any]]]:
        """Return the facts and the arrays of its folder."""
        ...

    @classmethod
    def from_stored(cls, stored: Stored) -> Self:
        """Make the model from its facts and arrays; KeyError, ValueError if parts do not fit."""
        ...


def save(
    path: str | Path, model: Storable, facts: Mapping[str, Any] | None = None, **settings: Any
) -> str:
    """Write a model as a folder, whole or not at all, with the text form of the method that it is.

    Parameters
    ----------
    path : str or Path
        The folder to make; a model that was there is replaced.
    model : Storable
    facts : mapping of str to JSON value, optional
        Its origin (command, data, scores), where the model does not know it itself.
    **settings
        Of the method, beside the model.

    Returns
    -------
    str
        The text form, as ``Ranker(model="m")``; "" of a model that none of `READ_BY` takes.

    Raises
    ------
    OutputError
        If the folder cannot be written, or something else has its name.
    """
    stored, arrays = model.to_stored()
    method = method_text(model.family, **settings)
    save_folder(path, model.kind, {**(facts or {}), **stored, "method": method}, arrays)
    return method_text(model.family, path, **settings)


def method_text(family: str, model: str | Path = ".", **settings: Any) -> str:
    """Return the text form of the method that takes a model of a family; "" if none does."""
    method = READ_BY.get(family)
    return str(method(model=str(model), **settings)) if method else ""


def method_of(path: str | Path) -> Method:
    """Return the method that a model is, of which its folder keeps the text form, itself as ``.``.

    Raises
    ------
    InputError
        If there is no model, or it keeps none.
    """
    text = load_folder(path).facts.get("method")
    if not isinstance(text, str) or not text:
        raise InputError("this model keeps no method", where=path, fix="name the method")
    (method,) = parse(text, {kind.__name__: kind for kind in READ_BY.values()})
    return method.changed(model=str(path))


def load(path: str | Path | None, family: str) -> Any:
    """Read a model of a family, such as ``answers``, whatever its kind; None is the packaged one.

    Raises
    ------
    InputError
        If there is no model, or it is damaged.
    MismatchError
        If it is a model of something else, or of features that have changed since.
    """
    if path is None:
        return default(family)
    stored = load_folder(path)
    entry = plugins(KINDS).get(stored.kind)
    model = entry.load() if entry else None
    if model is None or model.family != family:
        words = FAMILIES[family][0] if family in FAMILIES else family
        raise MismatchError(
            f"a model of kind {stored.kind}, not of {words}",
            where=path,
            fix=f"relsent-ir train {family}" if family in TRAINED else f"give a model of {words}",
        )
    try:
        return model.from_stored(stored)
    except (LookupError, ValueError, TypeError, AttributeError, ArithmeticError) as error:
        raise InputError(
            "the model's parts do not fit together", where=stored.path, fix="train again"
        ) from error


@cache
def default(family: str) -> Any:
    """Return the model of a family that comes with the package, read once."""
    return load(packaged(family), family)


def packaged(family: str) -> Path:
    """Return the folder of a family's model that comes with the package."""
    folder = FAMILIES[family][1]
    assert folder, f"no model of {family} comes with the package"
    return Path(__file__).parents[1] / folder


@cache
def plugins(group: str) -> "Mapping[str, EntryPoint]":
    """Return the entry points of a group by name; ours are not replaced by another package's."""
    from importlib.metadata import entry_points

    entries = entry_points(group=group)
    if not entries:
        problem = f"no entry points of {group}: relsent-ir is not installed, or another version is"
        raise MissingError(problem, fix="python -m pip install . (or -e .) again")
    return {
        entry.name: entry
        for entry in sorted(entries, key=lambda e: e.value.startswith("relsent_ir."))
    }
