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
    root = Path(relsent_ir.__file__).parent
    compiled = _compiled(root)
    source = {path: path.read_text("utf-8") for path in sorted(root.rglob("*.py"))}
    whole = "\n".join(source.values())
    found: dict[tuple[str | bytes, int], Found] = {}
    for path, text in source.items():
        module = ".".join(path.relative_to(root.parent).with_suffix("").parts)
        module = module.removesuffix(".__init__")
        for name, function, written, line in _calls(ast.parse(text)):
            place = f"{module}:{line}"
            read = text if name.startswith("_") else whole
            uses = set(re.findall(rf"\b{name}\.(\w+)\b", read)) if name else {function}
            handed = bool(name) and bool(re.search(rf"\b{name}\b(?!\.|:| =|\()", read))
            anywhere = handed or bool(uses & _ANYWHERE) or (uses <= {"compile", "pattern"})
            for key in compiled.get(place) or ([written] if written else []):
                try:
                    pattern = re.compile(*key)
                except (re.error, TypeError, ValueError):
                    continue
                key = pattern.pattern, pattern.flags
                anywhere |= key in found and found[key].anywhere
                found[key] = Found(pattern, place, anywhere)
    for place, keys in compiled.items():
        for key in keys:
            found.setdefault(key, Found(re.compile(*key), place, True))
    return list(found.values())


def _compiled(root: Path) -> dict[str, list[tuple[str | bytes, int]]]:
    """Return the patterns with flags that importing compiles, by module and line."""
    compiled: dict[str, list[tuple[str | bytes, int]]] = {}
    original = re.compile

    def compile_(pattern, flags=0):
        made = original(pattern, flags)
        frame = sys._getframe(1)
        module = frame.f_globals.get("__name__", "")
        if module.startswith("relsent_ir"):
            place = f"{module}:{frame.f_lineno}"
            compiled.setdefault(place, []).append((made.pattern, made.flags))
        return made

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
    return compiled


def _ours(name: str) -> bool:
    return name == "relsent_ir" or name.startswith("relsent_ir.")


def _calls(tree: ast.Module) -> Iterator[tuple[str, str, tuple[str | bytes, int] | None, int]]:
    """Yield the name, function, literal pattern with flags, and line of each call.

    The name is that of what a pattern is compiled to; there is no literal of a pattern in parts.
    """
    names = {
        id(node.value): target.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
        if isinstance(target, ast.Name)
    }
    for node in ast.walk(tree):
        if not (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and isinstance(node.func.value, ast.Name)
            and node.func.value.id == "re"
            and node.func.attr in _FUNCTIONS
            and node.args
        ):
            continue
        flags = re.NOFLAG
        given = [*node.args[1:], *(word.value for word in node.keywords if word.arg == "flags")]
        for part in (part for value in given for part in ast.walk(value)):
            if isinstance(part, ast.Attribute):
                flags |= getattr(re, part.attr, re.NOFLAG)
        text, function = node.args[0], node.func.attr
        literal = isinstance(text, ast.Constant) and isinstance(text.value, str | bytes)
        name = names.get(id(node), "") if function == "compile" else ""
        yield name, function, (text.value, flags) if literal else None, node.lineno
