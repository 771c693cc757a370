"""Readers of topics for each format: tsv, jsonl, TREC, SMART, OHSUMED.

Each reads the text of a file and yields `Topic`s; `relsent_ir.trec.topics` selects the reader.

References
----------
Hersh, Buckley, Leone, Hickam: OHSUMED: An interactive retrieval evaluation and new large test
collection for research. SIGIR 1994. Its queries are read in their original form and in that of the
TREC-9 filtering track.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from relsent_ir.errors import InputError


@dataclass(frozen=True, slots=True)
class Topic:
    """A topic as it is in a file.

    Attributes
    ----------
    id : str
        The id as it is written.
    line : int
        The number of its first line, from 1.
    fields : dict of str to str
        Texts by field (``title``, ``desc``, ``narr``), with white space not yet collapsed.
    """

    id: str
    line: int
    fields: dict[str, str]


def read_tsv(text: str) -> Iterator[Topic]:
    """Read topics; the text follows the first tab; empty lines are skipped."""
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        id_, tab, title = line.partition("\t")
        if not tab:
            raise InputError("no tab between id and text", where=str(number))
        yield Topic(id_.strip(), number, {"title": title})


_IDS = ("id", "qid", "query_id", "_id")
_TEXTS = ("text", "title", "query", "contents")


def read_jsonl(text: str) -> Iterator[Topic]:
    """Read topics; id and text may have the names that Anserini, BEIR, MS MARCO and others use."""
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            topic = json.loads(line)
            json.dumps(topic, ensure_ascii=False).encode()  # refuses single surrogates
        except (ValueError, RecursionError) as error:
            raise InputError(f"no JSON: {error}", where=str(number)) from None
        if not isinstance(topic, dict):
            raise InputError("no JSON object", where=str(number))
        id_ = _first(topic, _IDS, number)
        title = _first(topic, _TEXTS, number)
        if isinstance(id_, bool) or not isinstance(id_, str | int) or not isinstance(title, str):
            raise InputError("id and text of a topic are strings", where=str(number))
        yield Topic(str(id_), number, {"title": title})


def _first(topic: dict[str, Any], names: tuple[str, ...], number: int) -> Any:
    for name in names:
        if name in topic:
            return topic[name]
    raise InputError("the object has none of " + ", ".join(names), where=str(number))


# The fields of all TREC ad hoc topics; other "<" are text, as in "p < 0.05".
_SGML_TAG = re.compile(
    r"<(/?)(top|num|title|desc|narr|dom|smry|con|fac|def|nat|time|head|note)>", re.IGNORECASE
)
_LABEL = {
    "num": re.compile(r"\A\s*Number\s*:", re.IGNORECASE),
    "title": re.compile(r"\A\s*Topic\s*:", re.IGNORECASE),
    "desc": re.compile(r"\A\s*Description\s*:", re.IGNORECASE),
    "narr": re.compile(r"\A\s*Narrative\s*:", re.IGNORECASE),
}


def read_trec(text: str) -> Iterator[Topic]:
    """Read topics; the fields are ``title``, ``desc`` and ``narr``.

    Ids are kept as written, including letters and leading zeros.
    """
    tops = [tag for tag in _SGML_TAG.finditer(text) if tag[2].lower() == "top" and not tag[1]]
    ends = [*(tag.start() for tag in tops), len(text)][1:]
    line, counted = 1, 0
    for top, end in zip(tops, ends, strict=True):
        line += text.count("\n", counted, top.start())
        counted = top.start()
        fields = _sgml_fields(text, top.end(), end)
        if "num" not in fields:
            raise InputError("this topic has no <num>", where=str(line))
        id_ = fields.pop("num").strip()
        yield Topic(id_, line, fields)


def _sgml_fields(text: str, start: int, end: int) -> dict[str, str]:
    """Split a topic at its tags."""
    fields: dict[str, list[str]] = {}
    tags = list(_SGML_TAG.finditer(text, start, end))
    for i, tag in enumerate(tags):
        name = tag[2].lower()
        if tag[1] or name not in _LABEL:
            continue
        content = text[tag.end() : tags[i + 1].start() if i + 1 < len(tags) else end]
        fields.setdefault(name, []).append(_LABEL[name].sub("", content))
    return {name: " ".join(contents) for name, contents in fields.items()}


_SMART_TAG = re.compile(r"\.([A-Z])(?:\s+(.*))?")
_SMART_TEXTS = ("T", "W")


def read_smart(text: str) -> Iterator[Topic]:
    """Read queries: ``.I`` is the id; the title is ``.T`` and ``.W`` joined in order."""
    topic: Topic | None = None
    tag, title = "", list[str]()
    for number, line in enumerate((*text.split("\n"), ".I"), 1):  # ends the last topic
        match = _SMART_TAG.fullmatch(line.rstrip())
        if match and match[1] == "I":
            if topic:
                topic.fields["title"] = " ".join(title)
                yield topic
            topic, tag, title = Topic((match[2] or "").strip(), number, {}), "", []
        elif match:
            tag, line = match[1], match[2] or ""
        if topic is None and line.strip():
            raise InputError("text before the first .I", where=str(number))
        if tag in _SMART_TEXTS:
            title.append(line)


DOTTED = re.compile(r"\.I\s")
PATIENT = re.compile(r"\s*\.I\s.*\n\s*\.B\b")
"""How OHSUMED's queries begin; other files with ``.I`` and ``.W`` are in the SMART layout."""

# TREC-9 published the patient as title and the request as description.
_OHSUMED_NAMES = {".B": "title", ".W": "desc"}


def read_ohsumed(text: str) -> Iterator[Topic]:
    """Read queries: ``.I`` is the id, ``.B`` the patient (title), ``.W`` the request (desc)."""
    if text.lstrip()[:5].lower() == "<top>":
        yield from read_trec(text)
        return
    topic: Topic | None = None
    name, texts = "", dict[str, list[str]]()
    for number, line in enumerate((*text.split("\n"), ".I"), 1):
        tag, rest = line[:2], line[2:]
        if tag == ".I":
            if topic:
                topic.fields.update((of, " ".join(lines)) for of, lines in texts.items())
                yield topic
            topic, name, texts = Topic(rest.strip(), number, {}), "", {}
        elif re.match(r"\.[A-Z]\s*$|\.[A-Z]\s", line):
            if topic is None or tag not in _OHSUMED_NAMES:
                raise InputError(f"a field {tag} in a file of queries", where=str(number))
            name = _OHSUMED_NAMES[tag]
            texts[name] = [rest]
        elif line.strip():
            if topic is None or not name:
                raise InputError("text outside of .B and .W", where=str(number))
            texts[name].append(line)
