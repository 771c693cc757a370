"""More shapes of JSON: what is said to a question, of two names, of a theme, and why."""

from pydantic import BaseModel, Field

from relsent_ir.web.questions import Answers, Said
from relsent_ir.web.reasons import Reason
from relsent_ir.web.related_names import Between
from relsent_ir.web.shapes import Brief, Hit, Marks, marks
from relsent_ir.web.themed import Subject


class Sentence(BaseModel):
    """A sentence that may answer."""

    id: str
    slot: str = Field(description="What it is the abstract's best sentence for.")
    text: str
    move: str
    probability: float
    answer: bool = Field(description="Whether the model takes it for one.")
    direction: str = Field(description="Where it points; empty where that is not sure.")
    marks: Marks

    @classmethod
    def of(cls, said: Said) -> "Sentence":
        """Describe a sentence."""
        found = said.answer
        return cls(
            id=found.id,
            slot=found.slot,
            text=found.text,
            move=found.move,
            probability=found.probability,
            answer=found.is_answer,
            direction=said.sure,
            marks=marks(said.marks),
        )


class Answering(BaseModel):
    """An abstract with what it says to a question."""

    record: Brief
    probability: float = Field(description="That it answers at all.")
    lacks: list[str] = Field(description="Words of the question that it has not.")
    sentences: list[Sentence]


class QuestionAnswer(BaseModel):
    """What abstracts say to a question, if they answer it."""

    question: str
    slot: str = Field(description="What the question wants first.")
    directions: dict[str, list[str]] = Field(
        description="Ids of sentences by direction, of the abstracts that answer."
    )
    records: list[Answering]

    @classmethod
    def of(cls, found: Answers) -> "QuestionAnswer":
        """Describe the answers to a question."""
        return cls(
            question=found.asked.q,
            slot=found.slot,
            directions={label: [a.id for a in some] for label, some in found.directions.items()},
            records=[
                Answering(
                    record=Brief.of(one.found.record),
                    probability=one.found.probability,
                    lacks=one.found.lacks,
                    sentences=[Sentence.of(said) for said in one.said],
                )
                for one in found.records
            ],
        )


class Spelling(BaseModel):
    """A name under which an entity was looked for."""

    name: str
    origin: str
    records: int


class NamesAnswer(BaseModel):
    """The sentences that mention two entities, the clearest first."""

    names: tuple[str, str]
    searched: list[list[Spelling]]
    sentences: int
    records: int
    page: int
    hits: list[Hit]

    @classmethod
    def of(cls, found: Between) -> "NamesAnswer":
        """Describe a page of such sentences."""
        return cls(
            names=(found.asked.a, found.asked.b),
            searched=[
                [Spelling(name=f.name, origin=f.origin, records=f.records) for f in some]
                for some in found.forms
            ],
            sentences=found.sentences,
            records=found.records,
            page=found.asked.page,
            hits=[Hit.of(hit, found.to(hit)) for hit in found.hits],
        )


class ThemeAnswer(BaseModel):
    """The theme of a record."""

    record: Brief
    terms: list[str]
    records: list[Brief]

    @classmethod
    def of(cls, found: Subject) -> "ThemeAnswer":
        """Describe a theme."""
        return cls(
            record=Brief.of(found.record),
            terms=[term.term for term in found.terms],
            records=[Brief.of(one) for one in found.records],
        )


class WhyReason(BaseModel):
    """What accounts for a score."""

    method: str
    topic: str
    sentence: str = Field(description="The id of the sentence that decides, if one does.")
    text: str
    marks: Marks
    values: dict[str, str | float | list[str]]
    features: list[tuple[str, float]] = Field(description="The weightiest first.")

    @classmethod
    def of(cls, found: Reason) -> "WhyReason":
        """Describe a reason."""
        one = found.evidence
        return cls(
            method=found.method,
            topic=found.topic,
            sentence=one.sentence,
            text=one.text,
            marks=marks(one.spans),
            values=dict(one.values or {}),
            features=list(one.features),
        )
