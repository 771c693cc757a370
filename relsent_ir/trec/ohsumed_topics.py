"""The queries of OHSUMED, in their original form and in that of the TREC-9 filtering track.

Hersh, Buckley, Leone, Hickam: OHSUMED: An interactive retrieval evaluation and new large test
collection for research. SIGIR 1994.
"""

import re
from collections.abc import Iterator

from relsent_ir.errors import InputError
from relsent_ir.trec import sgml_topics
from relsent_ir.trec.topic import Topic

FIRST_LINE = re.compile(r"\.I\s")
PATIENT = re.compile(r"\s*\.I\s.*\n\s*\.B\b")
"""How the queries begin; others of ``.I`` and ``.W`` are in the SMART system's layout."""

# TREC-9 gave the patient as title and the request as description.
_NAMES = {".B": "title", ".W": "desc"}


def read(text: str) -> Iterator[Topic]:
    """Read queries: ``.I`` id, ``.B`` the patient (title), ``.W`` the request (desc)."""
    if text.lstrip()[:5].lower() == "<top>":
        return sgml_topics.read(text)
    return _read_original(text)


def _read_original(text: str) -> Iterator[Topic]:
    topic: Topic | None = None
    parts: dict[str, list[str]] = {}
    name = ""
    for number, line in enumerate(text.split("\n"), 1):
        tag, rest = line[:2], line[2:]
        if tag == ".I":
            if topic:
                yield _joined(topic, parts)
                parts = {}
            topic, name = Topic(rest.strip(), number, {}), ""
        elif re.match(r"\.[A-Z]\s*$|\.[A-Z]\s", line):
            if topic is None or tag not in _NAMES:
                raise InputError(f"a field {tag} in a file of queries", where=str(number))
            name = _NAMES[tag]
            parts[name] = [rest]
        elif line.strip():
            if topic is None or not name:
                raise InputError("text outside of .B and .W", where=str(number))
            parts[name].append(line)
    if topic:
        yield _joined(topic, parts)


def _joined(topic: Topic, parts: dict[str, list[str]]) -> Topic:
    topic.fields.update((name, " ".join(lines)) for name, lines in parts.items())
    return topic
