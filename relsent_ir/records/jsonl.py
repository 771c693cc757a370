"""JSON lines: those that `Record.to_json` writes, Anserini's id and contents, and similar ones.

Each line is an object. The id is ``id``, ``pmid``, ``_id`` or ``docid``; the abstract is the first
of ``sections`` (our own), ``abstract``, ``text`` and ``contents`` that is not empty. Values under
other names become own fields. An object with none of these names is read as tables are, by names
that other programs use.
"""

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from relsent_ir.errors import InputError
from relsent_ir.records.fields import attempt, clean, clean_all, heading, record_id, year
from relsent_ir.records.named import LISTS, PLAIN, holds_records, usual_field
from relsent_ir.records.objects import WRAPPED, object_record, texts_of
from relsent_ir.records.record import Mesh, Record, Section
from relsent_ir.records.source import read_lines

_ID_FIELDS = ("id", "pmid", "_id", "docid")
_TEXT_FIELDS = ("abstract", "text", "contents")
_RECORD_FIELDS = {"title", "vernacular_title", "sections", "mesh", *_TEXT_FIELDS}
_OURS = {*Record.__slots__, *_ID_FIELDS, *_TEXT_FIELDS, "sentences", "sentence", "link"}
_ID_KEY = re.compile(rb'"(?:id|pmid|_id|docid)"\s*:')


def looks_like_jsonl(head: bytes, fields: Mapping[str, str] | None = None) -> bool:
    """Return whether the beginning of a file contains a line that is a record."""
    first, newline, rest = head.partition(b"\n")
    if not newline and not _is_record(first, fields):  # the line is longer than the head
        return bool(_ID_KEY.search(first)) and not WRAPPED.match(first)
    return any(_is_record(line, fields) for line in (first, *rest.split(b"\n")))


def _is_record(line: bytes, fields: Mapping[str, str] | None) -> bool:
    try:
        values = _parse_object(line.decode())
    except (InputError, UnicodeDecodeError):
        return False
    return _is_ours(values) or holds_records(values, fields or {})


def _is_ours(values: Mapping[str, Any]) -> bool:
    if _RECORD_FIELDS.isdisjoint(values) or {*_ID_FIELDS}.isdisjoint(values):
        return False
    if "abstract_inverted_index" in values:  # a work of OpenAlex
        return False
    # if none of our names has a text, a usual name such as "body" may have it
    texts = any(values.get(name) for name in ("sections", *_TEXT_FIELDS))
    return texts or not any(values[n] and usual_field(n) == "abstract" for n in values)


def read_jsonl(
    path: Path, fields: Mapping[str, str] | None = None
) -> Iterator[Record | InputError]:
    """Yield the records of a file, and an InputError for each unreadable line.

    `fields` maps the names in the file to fields of records.
    """
    for number, line in read_lines(path):
        if line and not line.isspace():
            yield attempt(f"{path}:{number}", _of_line, line, fields)


def _of_line(line: str, fields: Mapping[str, str] | None) -> Record:
    values = _parse_object(line)
    foreign = fields or (not _is_ours(values) and holds_records(values, {}))
    return object_record(values, fields) if foreign else _record(values)


def _parse_object(line: str) -> dict[str, Any]:
    """Parse one line; numbers become strings that keep their spelling.

    Raises
    ------
    InputError
        If the line is not a JSON object.
    """
    try:
        value = json.loads(line, parse_int=str, parse_float=str)
    except (ValueError, RecursionError) as error:
        raise InputError(f"no JSON ({error})", fix="write one object a line") from error
    if not isinstance(value, dict):
        raise InputError("JSON, but no object", fix="write one object a line")
    return value


def _record(values: dict[str, Any]) -> Record:
    texts: dict[str, Any] = {name: clean(_string(values, name)) for name in PLAIN}
    lists = {name: _strings(values, name) for name in LISTS}
    # the fields that are neither ours nor added by `show --json`
    others = [name for name in values if name not in _OURS]
    return Record(
        id=record_id(_string(values, *_ID_FIELDS)),
        sections=_sections(values),
        mesh=tuple(mesh for mesh in map(_mesh, _list(values, "mesh")) if mesh.heading),
        year=year(_string(values, "year")),
        own=(
            *map(_pair, _list(values, "own")),
            *((clean(name), t) for name in others for t in clean_all(texts_of(values[name]))),
        ),
        **(texts | lists),
    )


def _sections(values: dict[str, Any]) -> tuple[Section, ...]:
    sections = []
    for item in _list(values, "sections"):
        if not isinstance(item, dict):
            raise _wrong("sections", "a list of objects with text, label and category")
        text, label, category = (clean(_string(item, key)) for key in ("text", "label", "category"))
        sections.append(Section(text, label, category))
    if not sections:
        sections = [Section(clean(_string(values, *_TEXT_FIELDS)))]
    return tuple(section for section in sections if section.text)


def _pair(item: Any) -> tuple[str, str]:
    if not (isinstance(item, list) and len(item) == 2 and all(isinstance(x, str) for x in item)):
        raise _wrong("own", "a list of pairs of a name and a value")
    return clean(item[0]), clean(item[1])


def _mesh(item: Any) -> Mesh:
    if isinstance(item, str):
        return heading(item)
    if not isinstance(item, dict) or not isinstance(item.get("major", False), bool):
        raise _wrong("mesh", "a list of strings, or of objects with heading, qualifiers and major")
    name = clean(_string(item, "heading"))
    return Mesh(name, _strings(item, "qualifiers"), item.get("major", False))


def _string(values: dict[str, Any], *names: str) -> str:
    """Return the first of these fields that is present and not null or empty, or ""."""
    for name in names:
        value = values.get(name)
        if value is not None and not isinstance(value, str):
            raise _wrong(name, "a string")
        if value:
            return value
    return ""


def _list(values: dict[str, Any], name: str) -> list[Any]:
    """Return a field that is a list; a single string becomes a list of one."""
    value = values.get(name)
    if value is None:
        return []
    if isinstance(value, str):
        return [value]
    if not isinstance(value, list):
        raise _wrong(name, "a list")
    return value


def _strings(values: dict[str, Any], name: str) -> tuple[str, ...]:
    items = [item for item in _list(values, name) if item is not None]
    if not all(isinstance(item, str) for item in items):
        raise _wrong(name, "a list of strings")
    return clean_all(items)


def _wrong(name: str, form: str) -> InputError:
    return InputError(f"the field {name} is not {form}", fix="correct or remove it")
