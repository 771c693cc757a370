"""What ``answer`` shows: of each abstract finding and conclusion, and where they point."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from relsent_ir.cli.view import Group

if TYPE_CHECKING:
    from relsent_ir.answers import Answer, AnswerModel
    from relsent_ir.answers.searching import Found
    from relsent_ir.hit import Labelled, Shown

SLOTS = ("finding", "conclusion")


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


def groups(
    model: "AnswerModel",
    topics: Mapping[str, str],
    found: "Mapping[str, Sequence[Found]]",
    wanted: Wanted,
    *,
    searched: bool,
) -> list[Group]:
    """Describe questions with their abstracts; what they say together is by the slot they want.

    Parameters
    ----------
    model : AnswerModel
    topics : mapping of topic id to question
    found : mapping of topic id to sequence of Found
    wanted : Wanted
    searched : bool
        The abstracts come from an index: their own probability and BM25's score are shown.
    """
    from relsent_ir.answers.searching import pooled

    made = []
    for topic, of in found.items():
        slot = wanted.slot or model.wanted(topics[topic])
        by_label = {label: [a.id for a in some] for label, some in pooled(of, slot).items()}
        hits = [
            _shown(model, topics[topic], rank, one, wanted, searched=searched)
            for rank, one in enumerate(of, 1)
        ]
        note = _together(by_label) if len(of) > 1 else ""
        made.append(Group(topic, topics[topic], hits, {"slot": slot, "directions": by_label}, note))
    return made


def _together(directions: Mapping[str, Sequence[str]]) -> str:
    """Sum up: of 3 that answer: 2 increased, 1 not clear."""
    total = sum(map(len, directions.values()))
    if not total:
        return "none of these answers surely"
    parts = (f"{len(ids)} {label or 'not sure'}" for label, ids in directions.items())
    return f"of {total} that answer{'s' if total == 1 else ''}: {', '.join(parts)}"


def _shown(
    model: "AnswerModel",
    question: str,
    rank: int,
    found: "Found",
    wanted: Wanted,
    *,
    searched: bool,
) -> "Shown":
    """Describe an abstract with its sentences; its star is that of its best one."""
    from relsent_ir.answers.searching import question_spans
    from relsent_ir.hit import Shown
    from relsent_ir.rank import Evidence

    record = found.record
    values: dict[str, Any] = {}
    if searched:
        values = {"probability": round(found.probability, 4), "bm25": float(f"{found.score:.6g}")}
    values["missing words"] = found.lacks
    if not found.answers:
        values["abstract"] = "missing"
    sentences = tuple(_labelled(model, question, answer) for answer in wanted.of(found))
    title = record.title or record.vernacular_title
    best = max((answer.probability for answer in found.answers), default=0.0)
    first = sentences[0].found if sentences else Evidence()
    return Shown(
        rank,
        record.id,
        found.probability * best,
        record,
        title,
        question_spans(question, title, model.stopwords),
        Evidence(first.sentence, first.text, first.spans, values),
        sentences[0].move if sentences else "",
        any(answer.is_answer for answer in found.answers),
        sentences,
    )


def _labelled(model: "AnswerModel", question: str, answer: "Answer") -> "Labelled":
    from relsent_ir.answers.searching import question_spans
    from relsent_ir.hit import Labelled
    from relsent_ir.rank import Evidence

    told = answer.direction
    way = told.label if told and told.sure else ""
    values: dict[str, Any] = {
        "slot": answer.slot,
        "score": round(answer.score, 4),
        "probability": round(answer.probability, 4),
        "answer": answer.is_answer,
        "direction": way,
        "direction_probability": round(told.probability, 4) if told else 0.0,
    }
    spans = question_spans(question, answer.text, model.stopwords)
    star = "*" if answer.is_answer else " "
    slot = f"{answer.slot} [{way}]" if way else answer.slot
    label = f"{star} {answer.probability:.2f}  {slot}".rstrip()
    return Labelled(label, Evidence(answer.id, answer.text, spans, values), answer.move)
