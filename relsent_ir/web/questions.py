"""Questions: what abstracts find and conclude, and how many give which answer."""

import numpy as np
from pydantic import Field

from relsent_ir.answers.classifiers import SLOTS
from relsent_ir.answers.language import parse
from relsent_ir.answers.pooling import Pooled, answer_hit, pool, reasons
from relsent_ir.answers.searching import AbstractAnswers
from relsent_ir.answers.searching import search as find
from relsent_ir.hit import Hit
from relsent_ir.methods import Answers
from relsent_ir.rank import Evidence
from relsent_ir.searching import first_stage
from relsent_ir.web.library import Library
from relsent_ir.web.reading import Reason, record_of, sentence_of
from relsent_ir.web.requests import QuestionRequest, WhyAnswerRequest
from relsent_ir.web.settings import PAGE
from relsent_ir.web.views import Named, Shown, Values, View, place_of


class Answering(View):
    """An abstract with its sentences on a question."""

    record: Named
    probability: float = Field(description="That it answers at all.")
    answers: bool = Field(description="Whether the model takes it for one that answers.")
    lacks: list[str] = Field(description="Words of the question that it has not.")
    hits: list[Shown] = Field(description="Its sentences that may answer, the wanted slot first.")


class AnswerPage(View):
    """Abstracts on a question, with their answers if there are any."""

    request: QuestionRequest
    records: list[Answering] = Field(default=[], description="The likeliest first.")
    slot: str = Field(default="", description="What the question wants first.")
    pooled: Pooled | None = Field(
        default=None, description="What the abstracts that answer say together, each quoted."
    )

    def to(self, hit: Hit) -> str:
        """Return the URL of a sentence in its abstract."""
        return place_of(hit, ("q", self.request.q))

    def why(self, hit: Hit) -> list[tuple[str, str]]:
        """Return the parameters of the page that explains a sentence."""
        return [("q", self.request.q), ("id", hit.id), ("slot", hit.values["slot"])]


def answer(library: Library, request: QuestionRequest) -> AnswerPage:
    """Ask abstracts a question."""
    if not request.q.strip():
        return AnswerPage(request=request)
    model, method = library.answers, request.settings(Answers)
    collection, topics = library.collection, {"": request.q}
    filters, engine = request.filters("abstracts"), collection.engine("abstracts")
    abstracts = find(
        library.indexes,
        topics,
        model,
        method=method,
        run=first_stage(engine, topics, method, PAGE, filters, collection.rerankers),
        depth=PAGE,
        filters=filters,
    )[""]
    question = parse(request.q)
    slot = method.slot or model.slot(question)
    order = [slot] if method.slot else [slot, *(other for other in SLOTS if other != slot)]

    def sentences(abstract: AbstractAnswers) -> list[Hit]:
        best = [answer for name in order if (answer := abstract.of(name))]
        chosen = abstract.answers[: method.sentences] if method.sentences else best
        return [answer_hit(abstract, x, library.words.spans(request.q, x.text)) for x in chosen]

    records = [
        Answering(
            record=abstract.record,
            probability=abstract.probability,
            answers=abstract.starred is not None,
            lacks=abstract.lacks,
            hits=sentences(abstract),
        )
        for abstract in abstracts
    ]
    pooled = pool(question, abstracts, model.stopwords)
    return AnswerPage(request=request, records=records, slot=slot, pooled=pooled)


def of_answer(library: Library, request: WhyAnswerRequest) -> Reason:
    """Explain what distinguishes a sentence that may answer."""
    sentence = sentence_of(library, request.id)
    record = record_of(library, sentence.record)
    body = [part for part in library.indexes.tagged([record])[0] if part.n]
    title = record.title or record.vernacular_title
    features: tuple[tuple[str, float], ...] = ()
    values: Values = {}
    if sentence.n:
        place = [part.id for part in body].index(sentence.id)
        question = parse(request.q)
        features = tuple(reasons(library.answers, question, title, body, place, request.slot))
        verdict = library.answers.judge(question, title, body)
        values = {
            "probability": float(np.asarray(verdict.probabilities)[place]),
            "move": sentence.move,
        }
    spans = library.words.spans(request.q, sentence.text)
    evidence = Evidence(sentence.id, sentence.text, spans, values, features)
    p = f"{values['probability']:.2g}" if values else "none"
    return Reason.of(
        f"{request.slot}, beside the other sentences of its abstract",
        request.q,
        evidence,
        plain=f"P = {p} that, if its abstract answers the question, this sentence does.",
    )
