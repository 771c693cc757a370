"""Preferences of judges: which of two sentences states the relation of two entities more clearly.

As the paper's annotators gave them: a sheet has two sentences of one pair of entities in each row,
and a column for the better one, A or B, or = where neither is. The sentences themselves, with the
places of the entities, go into a file of candidates beside it, a group for each row. A judge's
choice is a grade there, so that training learns from it as from any grades.

References
----------
C. O. Tudor, K. Vijay-Shanker. RankPref: ranking sentences describing relations between biomedical
entities with an application. BioNLP 2012, 163-171.
"""

import csv
import json
import random
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Final

from relsent_ir.errors import InputError
from relsent_ir.files import atomic_writer, table_rows
from relsent_ir.relations.candidates import Candidate
from relsent_ir.relations.pairs import Finder

SHEET: Final = ("item", "first", "second", "A", "B", "preferred")
CHOICES: Final = "AB="

Item = tuple[tuple[str, str], tuple[list[Candidate], list[Candidate]]]
"""The two entities, and the mentions of both in each of two sentences, A and B."""


def draw_items(
    finder: Finder, pairs: Sequence[tuple[str, str]], count: int, seed: int = 0
) -> list[Item]:
    """Draw two sentences of a pair of entities, so many times; no sentence of a pair twice.

    Parameters
    ----------
    finder : Finder
    pairs : sequence of (str, str)
        They take turns; one with fewer than two different sentences is passed over.
    count : int
        So many items at most.
    seed : int
        Of the draw, and of what stands first.
    """
    draw = random.Random(seed)  # noqa: S311 (no secret)
    drawn: list[list[Item]] = []
    for names, mentions in zip(pairs, finder.find(pairs), strict=True):
        of_text: dict[str, list[Candidate]] = {}
        for candidate in mentions.candidates:
            same = of_text.setdefault(candidate.text, [])
            if not same or same[0].id == candidate.id:
                same.append(candidate)
        sentences = [of_text[text] for text in sorted(of_text)]
        draw.shuffle(sentences)
        both = zip(sentences[::2], sentences[1::2], strict=False)
        drawn.append([(names, (one, other)) for one, other in both])
    turns = max(map(len, drawn), default=0)
    return [items[turn] for turn in range(turns) for items in drawn if turn < len(items)][:count]


def write_items(sheet: Path, candidates: Path, items: Sequence[Item]) -> None:
    """Write the judges' sheet, with an empty column, and the candidates that it is about.

    Raises
    ------
    OutputError
        If one cannot be written; neither is written then.
    """
    with atomic_writer(sheet) as file, atomic_writer(candidates) as lines:
        rows = csv.writer(file, delimiter="\t", lineterminator="\n")
        rows.writerow(SHEET)
        for number, (names, sentences) in enumerate(items, 1):
            rows.writerow([number, *names, *(found[0].marked for found in sentences), ""])
            for candidate in (*sentences[0], *sentences[1]):
                shape = asdict(replace(candidate, group=str(number)))
                lines.write(f"{json.dumps({k: v for k, v in shape.items() if v is not None})}\n")


def read_choices(path: Path) -> dict[str, str]:
    """Read a judge's sheet: of each item A, B or =; items that were left empty are not there.

    Raises
    ------
    InputError
        If a column is missing, a choice is none of them, or an item is there twice.
    """
    choices: dict[str, str] = {}
    for where, row in table_rows(path, delimiter="\t", strict=True):
        if row.get("item") is None or row.get("preferred") is None:
            raise InputError("a row without item or preferred", where=where)
        choice = row["preferred"].strip().upper()
        if row["item"] in choices:
            raise InputError(f"item {row['item']} is there twice", where=where)
        if len(choice) > 1 or choice not in CHOICES:
            raise InputError(f"no choice: {choice!r}", where=where, fix="A, B or =")
        if choice:
            choices[row["item"]] = choice
    if not choices:
        raise InputError("nothing is preferred", where=path, fix="fill the column preferred")
    return choices


def grade(
    candidates: Sequence[Candidate], judges: Mapping[Path, Mapping[str, str]]
) -> list[Candidate]:
    """Grade candidates by how many judges preferred their sentence; without a choice they go.

    Parameters
    ----------
    candidates : sequence of Candidate
        Of `write_items`: in each group the first sentence is A.
    judges : mapping of Path to mapping of str to str
        By sheet, of `read_choices`.

    Raises
    ------
    InputError
        If a judge chose in a row that has no two candidates; with the sheet.
    """
    sentences: dict[str, dict[str, None]] = {}
    for candidate in candidates:
        sentences.setdefault(candidate.group, {})[candidate.id] = None
    votes: dict[tuple[str, str], float] = {}
    for path, choices in judges.items():
        for item, choice in choices.items():
            ids = list(sentences.get(item, ()))
            if len(ids) != 2:
                raise InputError(
                    f"item {item} has no two sentences among the candidates", where=path
                )
            for letter, name in zip("AB", ids, strict=True):
                votes[item, name] = votes.get((item, name), 0.0) + (choice == letter)
    return [
        replace(candidate, grade=votes[candidate.group, candidate.id])
        for candidate in candidates
        if (candidate.group, candidate.id) in votes
    ]
