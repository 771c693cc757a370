"""Topics as lines of id, tab and text."""

from collections.abc import Iterator

from relsent_ir.errors import InputError
from relsent_ir.trec.topic import Topic


def read(text: str) -> Iterator[Topic]:
    """Read topics; what follows the first tab is the text, empty lines are passed over."""
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        id_, tab, title = line.partition("\t")
        if not tab:
            raise InputError("no tab between id and text", where=str(number))
        yield Topic(id_.strip(), number, {"title": title})
