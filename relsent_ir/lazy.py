"""Names and packages that are imported at their first use (PEP 562)."""

import sys
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any

from relsent_ir.errors import MissingError, NoNameError, advice


def lazily(
    package: str, modules: Mapping[str, Sequence[str]], own: Mapping[str, str] | None = None
) -> Callable[[str], Any]:
    """Return a package's ``__getattr__``, which imports names when they are first used.

    Parameters
    ----------
    package : str
    modules : mapping of str to sequence of str
        The names that each module of the package provides.
    own : mapping of str to str, optional
        The names that differ from those in the module, with the names there.
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
    """Import an optional package; `name` is shown to users, `package` is for ``pip install``.

    Raises
    ------
    MissingError
        If the package is not installed.
    """
    try:
        return import_module(module)
    except ImportError as error:
        raise MissingError(f"{name} is not installed", fix=f"pip install {package}") from error
