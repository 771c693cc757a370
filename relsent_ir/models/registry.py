"""Models by kind: one way to save and to load them, and to get the packaged ones.

A kind is an entry point of the group ``relsent_ir.models``: its name, and the class of its models
as ``module:Class``. Our own kinds are entry points too (pyproject.toml), so that only the class
that is needed is imported, and other packages can add kinds.
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
"""The group of the entry points."""

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
"""The uses of models: in words, and with the packaged model's folder, "" if there is none."""

TRAINED: Final = ("related", "moves", "ranker")
"""Families of models that ``relsent-ir train`` can train."""


READ_BY: Final[Mapping[str, Any]] = {
    "related": Related,
    "answers": Answers,
    "relations": Relations,
    "ranker": Ranker,
}
"""The methods that use models, by family."""


class Storable(Protocol):
    """A model that can be saved."""

    @property
    def family(self) -> str:
        """The use of the model, such as ``answers``; kinds of a family do the same work."""
        ...

    @property
    def kind(self) -> str:
        """The name of the entry point of its class, such as ``answers-linear``."""
        ...

    def to_stored(self) -> tuple[Mapping[str, Any], Mapping[str, NDArray[Any]]]:
        """Return the facts and arrays to store."""
        ...

    @classmethod
    def from_stored(cls, stored: Stored) -> Self:
        """Create the model from facts and arrays; KeyError or ValueError if they do not match."""
        ...


def save(
    path: str | Path, model: Storable, facts: Mapping[str, Any] | None = None, **settings: Any
) -> str:
    """Write a model to a folder, completely or not at all, with its method's text form.

    Parameters
    ----------
    path : str or Path
        The folder of the model; an existing model is replaced.
    model : Storable
    facts : mapping of str to JSON value, optional
        The origin of the model (command, data, scores), if the model does not have it.
    **settings
        Further parameters of the method.

    Returns
    -------
    str
        The text form, such as ``Ranker(model="m")``; "" if no method of `READ_BY` uses the model.

    Raises
    ------
    OutputError
        If the folder cannot be written, or its name belongs to something else.
    """
    stored, arrays = model.to_stored()
    method = method_text(model.family, **settings)
    save_folder(path, model.kind, {**(facts or {}), **stored, "method": method}, arrays)
    return method_text(model.family, path, **settings)


def method_text(family: str, model: str | Path = ".", **settings: Any) -> str:
    """Return the text form of the method that uses a family's model; "" if there is none."""
    method = READ_BY.get(family)
    return str(method(model=str(model), **settings)) if method else ""


def method_of(path: str | Path) -> Method:
    """Return the method whose text form a model's folder stores, in which the model is ``.``.

    Raises
    ------
    InputError
        If there is no model, or no text form is stored.
    """
    text = load_folder(path).facts.get("method")
    if not isinstance(text, str) or not text:
        raise InputError("this model keeps no method", where=path, fix="name the method")
    (method,) = parse(text, {kind.__name__: kind for kind in READ_BY.values()})
    return method.changed(model=str(path))


def load(path: str | Path | None, family: str) -> Any:
    """Read a model of a family, such as ``answers``, of any kind; None for the packaged model.

    Raises
    ------
    InputError
        If there is no model, or it is damaged.
    MismatchError
        If the model is of another family, or its features have changed since.
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
    """Return the packaged model of a family, which is read once."""
    return load(packaged(family), family)


def packaged(family: str) -> Path:
    """Return the folder of the packaged model of a family."""
    folder = FAMILIES[family][1]
    assert folder, f"no model of {family} comes with the package"
    return Path(__file__).parents[1] / folder


@cache
def plugins(group: str, *, ours: bool = True) -> "Mapping[str, EntryPoint]":
    """Return the entry points of a group by name; other packages cannot replace ours.

    Only where none is `ours` may a group be empty.
    """
    from importlib.metadata import entry_points

    entries = entry_points(group=group)
    if ours and not entries:
        problem = f"no entry points of {group}: relsent-ir is not installed, or another version is"
        raise MissingError(problem, fix="python -m pip install . (or -e .) again")
    return {
        entry.name: entry
        for entry in sorted(entries, key=lambda e: e.value.startswith("relsent_ir."))
    }
