"""Pages of the site that are made of the code.

``python tools/pages.py`` writes docs/methods.md, the options of all methods; a test compares.
mkdocs calls `on_page_markdown` for each page.
"""

import re
from dataclasses import MISSING
from pathlib import Path
from typing import Any, Final

import relsent_ir
from relsent_ir.method import Method, Parameter, parameters
from relsent_ir.methods import METHODS, NEEDED, VERBS, excluded

PAGE: Final = Path(__file__).parents[1] / "docs" / "methods.md"

_INTRODUCTION: Final = """\
# Options of methods

Written by `python tools/pages.py` from `relsent_ir/methods.py`, where each parameter is declared
once.

A search is a pipeline: a method that ranks, then what changes the topics, what joins other
hits, what orders the hits again, and what is left out at the end. In Python, `rir.BM25(k1=1.2) >>
rir.RM3(fb_terms=20)`, or `"BM25(k1=1.2) >> RM3(fb_terms=20)"` as text; on the command line,
`--bm25 --k1 1.2 --rm3 --fb-terms 20`.

`--save-settings FILE` writes the text of what was searched with beside a run, and `--settings FILE`
(or the text itself) reads it back; an address of the page has it as `method=`. A trained model's
folder keeps its own, which `train` and `doctor --model FOLDER` print: `search --settings FOLDER`
ranks by a ranker, with the encoder that it was learned with. The other verbs that write runs take
theirs alike: `similar --settings 'Similar("pmra")'`.
"""
_ROLES: Final = {
    "rank": "Methods that rank",
    "expand": "What changes the topics",
    "join": "What joins other hits",
    "rerank": "What orders the hits again",
    "cut": "What is left out at the end",
    **{kind.role: f"Settings of `{kind.role}`" for kind in VERBS},
}
_KINDS: Final = {bool: "true or false", int: "whole number", float: "number", str: "text"}
_MARKED: Final = re.compile(r"^```console (cf|other)$", re.MULTILINE)


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Drop the marks of blocks, which are for the tests, and list the names of the face."""
    face = "\n\n".join(_public(name) for name in relsent_ir.__all__ if name[0] != "_")
    return _MARKED.sub("```console", markdown).replace("{face}", face)


def _public(name: str) -> str:
    """Return what shows a name of the face; one that has another in its module keeps its own."""
    thing = getattr(relsent_ir, name)
    if thing.__name__ == name:
        return f"::: relsent_ir.{name}"
    heading = f"    options:\n      heading: {name}\n      toc_label: {name}"
    return f"::: {thing.__module__}.{thing.__name__}\n{heading}"


def methods_page() -> str:
    """Return the page with the options of all methods."""
    parts = [_INTRODUCTION]
    for role, title in _ROLES.items():
        parts.append(f"## {title}\n")
        parts += [_method(kind) for kind in (*METHODS.values(), *VERBS) if kind.role == role]
    return "\n".join(parts)


def _method(kind: type[Method]) -> str:
    summary = (kind.__doc__ or "").partition("\n")[0]
    asked = f" On the command line: `{kind.flag}`." if kind.flag else ""
    lines = [f"### {kind.__name__}\n", f"{summary}{asked}\n"]
    if parameters(kind):
        lines += ["| parameter | flag | value | default | |", "|---|---|---|---|---|"]
        lines += [_row(one) for one in parameters(kind)]
        lines.append("")
    if kind in METHODS.values():
        others = [other for other in excluded(kind) if other is not kind]
        told = {"Needs": (NEEDED.get(kind, ()), " or "), "Does not go with": (others, ", ")}
        lines += [
            f"{what} {between.join(f'`{of.__name__}`' for of in some)}.\n"
            for what, (some, between) in told.items()
            if some
        ]
    return "\n".join(lines)


def _row(one: Parameter) -> str:
    flags = ", ".join(f"`{flag}`" for flag in one.flags)
    text, _, told = one.help.partition("  [default: ")
    default = told.removesuffix("]") or ("" if one.default is MISSING else f"`{one.default}`")
    cells = [f"`{one.name}`", flags, _values(one), default, text]
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _values(one: Parameter) -> str:
    """Return what a parameter may be, in words."""
    if one.choices:
        return ", ".join(f"`{choice}`" for choice in one.choices)
    if one.kind in (int, float):
        return f"{_KINDS[one.kind]}, {one.range}"
    return f"`{one.metavar}`" if one.metavar else _KINDS[one.kind]


if __name__ == "__main__":
    PAGE.write_text(methods_page(), encoding="utf-8")
