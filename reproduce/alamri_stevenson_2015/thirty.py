"""Thirty answers over an index, which were read and judged one by one.

``judged.tsv`` beside this file has a line a question: the record whose title asks, then for the
version before the slots and for this one the sentence that came first, and whether it answers the
title: ``answers``, ``partly`` or ``no``.
"""

from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Final

from relsent_ir.answers.model import LinearModel
from relsent_ir.answers.searching import search
from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.records import Record
from reproduce.page import table

FILE: Final = "judged.tsv"
WORDS: Final = ("answers", "partly", "no")
SYSTEMS: Final = ("before", "now")


def read_judged() -> list[tuple[str, str, str, str, str]]:
    """Read the lines of the file: question, and of each system sentence and word."""
    text = (files(__package__) / FILE).read_text(encoding="utf-8")
    rows = []
    for line in text.splitlines()[1:]:
        question, before, word, now, other = line.split("\t")
        rows.append((question, before, word, now, other))
    return rows


def first_answers(model: LinearModel, folder: Path, topics: Mapping[str, str]) -> dict[str, str]:
    """Give the sentence that comes first for each question, "" where nothing is found."""
    with Indexes(folder) as collection:
        found = search(collection, topics, model)
    return {
        topic: next((one.answers[0].id for one in of if one.answers), "")
        for topic, of in found.items()
    }


def thirty(model: LinearModel, folder: Path, asking: Mapping[str, Record]) -> dict[str, str]:
    """Show the judged answers, and how many of them the model gives still from an index."""
    judged = read_judged()
    topics = {name: asking[name].title for name, *_ in judged if name in asking}
    first = first_answers(model, folder, topics)
    same = sum(first.get(name) == now for name, _, _, now, _ in judged)
    counts = [
        [system, *(str([row[2 * n + 2] for row in judged].count(word)) for word in WORDS)]
        for n, system in enumerate(SYSTEMS)
    ]
    return {
        "thirty": table(["question", "before", "", "now", ""], judged),
        "thirty_counts": table(["", *WORDS], counts),
        "thirty_same": f"{same} of {len(judged)}",
    }
