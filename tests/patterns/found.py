"""Find every regular expression of the package, and what each is used for."""

import ast
import importlib
import pkgutil
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import AnyStr, Generic

import relsent_ir

_ANYWHERE = {"search", "finditer", "findall", "sub", "subn", "split", "scanner"}
_FUNCTIONS = {*_ANYWHERE, "match", "fullmatch", "compile"}


@dataclass(frozen=True)
class Found(Generic[AnyStr]):
    """A pattern, where it is written, and whether it is looked for at every place of a text."""

    pattern: re.Pattern[AnyStr]
    place: str
    anywhere: bool


def patterns() -> list[Found]:
    """Return the patterns that importing compiles, and those that functions write as literals."""
    compiled: dict[tuple[str | bytes, int], str] = {}
    original = re.compile

    def compile_(pattern, flags=0):
        made = original(pattern, flags)
        frame = sys._getframe(1)
        module = frame.f_globals.get("__name__", "")
        if module.startswith("relsent_ir"):
            compiled.setdefault((made.pattern, made.flags), f"{module}:{frame.f_lineno}")
        return made

    root = Path(relsent_ir.__file__).parent
    re.compile = compile_
    kept = {name: module for name, module in sys.modules.items() if _ours(name)}
    try:
        for name in kept:
            del sys.modules[name]
        for module in pkgutil.walk_packages([str(root)], "relsent_ir."):
            if not module.name.endswith(("pyterrier", "__main__")):
                importlib.import_module(module.name)
    finally:
        re.compile = original
        for name in [name for name in sys.modules if _ours(name)]:
            del sys.modules[name]
        sys.modules.update(kept)
    source = {path: path.read_text("utf-8") for path in sorted(root.rglob("*.py"))}
    whole = "\n".join(source.values())
    found = {key: Found(original(*key), place, True) for key, place in compiled.items()}
    for path, text in source.items():
        for name, function, written, line in _literals(ast.parse(text)):
            try:
                pattern = original(*written)
            except (re.error, TypeError, ValueError):
                continue
            uses = set(re.findall(rf"\b{name}\.(\w+)\(", whole)) if name else {function}
            handed = bool(name) and bool(re.search(rf"\b{name}\b(?!\.|:| =|\()", whole))
            place = f"{path.relative_to(root.parent)}:{line}"
            anywhere = handed or bool(uses & _ANYWHERE) or (function == "compile" and not uses)
            key = pattern.pattern, pattern.flags
            found[key] = Found(pattern, place, anywhere)
    return list(found.values())


def _ours(name: str) -> bool:
    return name == "relsent_ir" or name.startswith("relsent_ir.")


def _literals(tree: ast.Module) -> Iterator[tuple[str, str, tuple[str | bytes, int], int]]:
    """Yield the name, function, pattern with flags, and line of each call on a literal."""
    names = {
        id(node.value): target.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
        if isinstance(target, ast.Name)
    }
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and isinstance(node.func.value, ast.Name)
            and node.func.value.id == "re"
            and node.func.attr in _FUNCTIONS
            and node.args
            and isinstance(node.args[0], ast.Constant)
            and isinstance(node.args[0].value, str | bytes)
        ):
            flags = re.NOFLAG
            given = [*node.args[1:], *(word.value for word in node.keywords if word.arg == "flags")]
            for part in (part for value in given for part in ast.walk(value)):
                if isinstance(part, ast.Attribute):
                    flags |= getattr(re, part.attr, re.NOFLAG)
            name = names.get(id(node), "")
            yield name, node.func.attr, (node.args[0].value, flags), node.lineno
