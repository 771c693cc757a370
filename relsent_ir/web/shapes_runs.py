"""Shapes of JSON for runs side by side."""

from typing import Any

from pydantic import BaseModel, Field

from relsent_ir.web.comparing import Beside, Table


class TopicValues(BaseModel):
    """What two runs reach on a topic."""

    topic: str
    text: str
    a: float
    b: float


class RunsAnswer(BaseModel):
    """Two runs over all topics."""

    a: str
    b: str
    runs: list[str] = Field(description="The names of all runs.")
    measure: str
    topics: list[TopicValues]
    comparison: dict[str, Any] | None = Field(
        description="As `relsent-ir compare --json`; null of a run with itself."
    )

    @classmethod
    def of(cls, found: Table) -> "RunsAnswer":
        """Describe two runs."""
        return cls(
            a=found.asked.a,
            b=found.asked.b,
            runs=found.names,
            measure=found.asked.measure,
            topics=[TopicValues(topic=r.topic, text=r.text, a=r.a, b=r.b) for r in found.rows],
            comparison=found.table.to_json() if found.table else None,
        )


class JudgedHit(BaseModel):
    """A hit with its judgement."""

    id: str
    rank: int
    score: float
    grade: int | None = Field(description="Null where nobody judged it.")
    elsewhere: int | None = Field(description="Its rank in the other run, if it is there.")
    text: str


class Side(BaseModel):
    """A run's ranking of a topic."""

    run: str
    measures: dict[str, float]
    hits: list[JudgedHit]


class TopicAnswer(BaseModel):
    """A topic's rankings by two runs."""

    topic: str
    text: str
    relevant: int = Field(description="How many are judged relevant.")
    page: int
    sides: list[Side]

    @classmethod
    def of(cls, found: Beside) -> "TopicAnswer":
        """Describe a topic."""
        return cls(
            topic=found.asked.id,
            text=found.text,
            relevant=found.relevant,
            page=found.asked.page,
            sides=[
                Side(
                    run=name,
                    measures=dict(measures),
                    hits=[
                        JudgedHit(
                            id=hit.id,
                            rank=hit.rank,
                            score=hit.score,
                            grade=hit.grade,
                            elsewhere=hit.elsewhere,
                            text=hit.shown.text if hit.shown else "",
                        )
                        for hit in hits
                    ],
                )
                for name, measures, hits in found.sides
            ],
        )
