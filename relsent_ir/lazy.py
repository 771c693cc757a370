"""Names and packages that are loaded when they are first used (PEP 562)."""

import sys
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any

from relsent_ir.errors import MissingError, NoNameError, advice


def lazily(
    package: str, modules: Mapping[str, Sequence[str]], own: Mapping[str, str] | None = None
) -> Callable[[str], Any]:
    """Return a package's ``__getattr__``.

    Parameters
    ----------
    package : str
    modules : mapping of str to sequence of str
        Which names come from which module of the package.
    own : mapping of str to str, optional
        A name's other name in its module, where it has one.
    """
    places = {name: module for module, names in modules.items() for name in names}

    def load(name: str) -> Any:
        if name not in places:
            if name.startswith("_"):
                raise AttributeError(f"module {package!r} has no attribute {name!r}")
            raise NoNameError(f"{package} has no {name}", fix=advice(name, places))
        module = import_module(f"{package}.{places[name]}")
        value = getattr(module, (own or {}).get(name, name))
        setattr(sys.modules[package], name, value)
        return value

    return load


def needed(module: str, name: str, package: str) -> Any:
    """Import an optional package, called `name`, which ``pip install`` knows as `package`.

    Raises
    ------
    MissingError
        If it is not installed.
    """
    try:
        return import_module(module)
    except ImportError as error:
        raise MissingError(f"{name} is not installed", fix=f"pip install {package}") from error
