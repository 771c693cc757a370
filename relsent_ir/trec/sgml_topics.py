"""Topics as TREC published them from 1992 on: SGML whose closing tags may be missing."""

import re
from collections.abc import Iterator

from relsent_ir.errors import InputError
from relsent_ir.trec.topic import Topic

# The fields of all TREC ad hoc topics; any other "<" is text, as in "p < 0.05".
_TAG = re.compile(
    r"<(/?)(top|num|title|desc|narr|dom|smry|con|fac|def|nat|time|head|note)>", re.IGNORECASE
)
_LABEL = {
    "num": re.compile(r"\A\s*Number\s*:", re.IGNORECASE),
    "title": re.compile(r"\A\s*Topic\s*:", re.IGNORECASE),
    "desc": re.compile(r"\A\s*Description\s*:", re.IGNORECASE),
    "narr": re.compile(r"\A\s*Narrative\s*:", re.IGNORECASE),
}


def read(text: str) -> Iterator[Topic]:
    """Read topics; the fields are ``title``, ``desc`` and ``narr``.

    Ids stay as they are written, letters and leading zeros included.
    """
    tops = [tag for tag in _TAG.finditer(text) if tag[2].lower() == "top" and not tag[1]]
    ends = [*(tag.start() for tag in tops), len(text)][1:]
    line, counted = 1, 0
    for top, end in zip(tops, ends, strict=True):
        line += text.count("\n", counted, top.start())
        counted = top.start()
        fields = _fields(text, top.end(), end)
        if "num" not in fields:
            raise InputError("this topic has no <num>", where=str(line))
        id_ = fields.pop("num").strip()
        yield Topic(id_, line, fields)


def _fields(text: str, start: int, end: int) -> dict[str, str]:
    """Cut a topic at its tags."""
    fields: dict[str, list[str]] = {}
    tags = list(_TAG.finditer(text, start, end))
    for i, tag in enumerate(tags):
        name = tag[2].lower()
        if tag[1] or name not in _LABEL:
            continue
        content = text[tag.end() : tags[i + 1].start() if i + 1 < len(tags) else end]
        fields.setdefault(name, []).append(_LABEL[name].sub("", content))
    return {name: " ".join(contents) for name, contents in fields.items()}
