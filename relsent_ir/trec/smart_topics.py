"""Queries in the layout of the SMART system, as CACM, CISI, MED and Cranfield have them."""

import re
from collections.abc import Iterator

from relsent_ir.errors import InputError
from relsent_ir.trec.topic import Topic

_TAG = re.compile(r"\.([A-Z])(?:\s+(.*))?")
_TEXTS = ("T", "W")


def read(text: str) -> Iterator[Topic]:
    """Read queries: ``.I`` id; ``.T`` and ``.W``, one after the other, are the title."""
    topic: Topic | None = None
    tag = ""
    for number, line in enumerate(text.split("\n"), 1):
        found = _TAG.fullmatch(line.rstrip())
        if found and found[1] == "I":
            if topic:
                yield topic
            topic, tag = Topic((found[2] or "").strip(), number, {"title": ""}), ""
        elif found:
            tag, line = found[1], found[2] or ""
        if topic is None and line.strip():
            raise InputError("text before the first .I", where=str(number))
        if topic and tag in _TEXTS:
            topic.fields["title"] += f" {line}"
    if topic:
        yield topic
