"""What ``answer`` shows: of each abstract finding and conclusion, and where they point."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

SLOTS = ("finding", "conclusion")

if TYPE_CHECKING:
    from relsent_ir.answers import Answer
    from relsent_ir.answers.searching import Found


@dataclass(frozen=True)
class Wanted:
    """Which sentences of an abstract are shown: those of both slots, of one, or the best few."""

    slot: str | None = None
    sentences: int | None = None

    def of(self, found: "Found") -> "list[Answer]":
        """Choose among an abstract's sentences, which are in their order."""
        if self.sentences:
            return found.answers[: self.sentences]
        shown = (self.slot,) if self.slot else SLOTS
        return [answer for answer in found.answers if answer.slot in shown]


def describe(
    topic: str, question: str, found: "Sequence[Found]", slot: str, wanted: Wanted
) -> dict[str, Any]:
    """Describe a question with its abstracts; what they say together is by the slot it wants."""
    from relsent_ir.answers.searching import pooled

    by_label = pooled(found, wanted.slot or slot)
    return {
        "id": topic,
        "question": question,
        "slot": wanted.slot or slot,
        "directions": {label: [a.id for a in of] for label, of in by_label.items()},
        "records": [_record(one, wanted) for one in found],
    }


def show(described: Sequence[Mapping[str, Any]]) -> None:
    """Print each abstract and, under it, its sentences; a star marks an answer."""
    for i, asked in enumerate(described):
        if asked["id"]:
            click.echo(f"{chr(10) if i else ''}{asked['id']}  {asked['question']}")
        if len(asked["records"]) > 1:
            click.echo(_together(asked["directions"]))
        for rank, record in enumerate(asked["records"], 1):
            _show_record(rank, record)
        if not asked["records"]:
            click.echo("nothing found")


def _together(directions: Mapping[str, Sequence[str]]) -> str:
    """Sum up: of 3 that answer: 2 increased, 1 not clear."""
    total = sum(map(len, directions.values()))
    if not total:
        return "none of these answers surely"
    parts = (f"{len(ids)} {label or 'not sure'}" for label, ids in directions.items())
    return f"of {total} that answer{'s' if total == 1 else ''}: {', '.join(parts)}"


def _show_record(rank: int, record: Mapping[str, Any]) -> None:
    about = [record["year"], record["journal"], "; ".join(record["publication_types"])]
    told = ", ".join(part for part in about if part)
    lacks = f"  [lacks: {', '.join(record['lacks'])}]" if record["lacks"] else ""
    told = f"  ({told})" if told else ""
    click.echo(f"{rank:>3}  {record['pmid']}  {record['title']}{told}{lacks}")
    for row in record["sentences"]:
        mark = "*" if row["answer"] else " "
        way = f" [{row['direction']}]" if row["direction"] else ""
        name = row["slot"] or row["move"]
        click.echo(f"   {mark} {row['probability']:.2f}  {row['id']}  {name}{way}  {row['text']}")
    if not record["sentences"]:
        click.echo("     no abstract")


def _record(found: "Found", wanted: Wanted) -> dict[str, Any]:
    record = found.record
    return {
        "pmid": record.id,
        "title": record.title or record.vernacular_title,
        "year": record.year,
        "journal": record.journal,
        "publication_types": list(record.publication_types),
        "score": float(f"{found.score:.6g}"),
        "probability": round(found.probability, 4),
        "lacks": found.lacks,
        "sentences": [_sentence(answer) for answer in wanted.of(found)],
    }


def _sentence(answer: "Answer") -> dict[str, Any]:
    told = answer.direction
    return {
        "id": answer.id,
        "slot": answer.slot,
        "move": answer.move,
        "score": round(answer.score, 4),
        "probability": round(answer.probability, 4),
        "answer": answer.is_answer,
        "direction": told.label if told and told.sure else "",
        "direction_probability": round(told.probability, 4) if told else 0.0,
        "text": answer.text,
    }
