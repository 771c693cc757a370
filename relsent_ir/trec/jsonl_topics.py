"""Topics as lines of JSON objects."""

import json
from collections.abc import Iterator
from typing import Any

from relsent_ir.errors import InputError
from relsent_ir.trec.topic import Topic

_IDS = ("id", "qid", "query_id", "_id")
_TEXTS = ("text", "title", "query", "contents")


def read(text: str) -> Iterator[Topic]:
    """Read topics under the names that Anserini, BEIR, MS MARCO and others give id and text."""
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            topic = json.loads(line)
            json.dumps(topic, ensure_ascii=False).encode()  # refuses half a surrogate pair
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
