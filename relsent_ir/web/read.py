"""The pages of an abstract, of a sentence's relatives, and of what accounts for scores."""

from collections.abc import Callable
from typing import Annotated, Any

from fastapi import APIRouter, Query
from starlette.requests import Request
from starlette.responses import Response

from relsent_ir.web import comparing, mapped, questions, reading, reasons, related_names, themed
from relsent_ir.web.asked import (
    Abstract,
    Pair,
    Question,
    Related,
    Runs,
    RunTopic,
    Theme,
    TwoNames,
    Why,
    WhyAnswer,
    WhyNames,
)
from relsent_ir.web.page import render

router = APIRouter(include_in_schema=False)


async def show(request: Request, template: str, make: Callable[[Any], Any]) -> Response:
    """Make what a page shows, in a thread, and show it."""
    library = request.app.state.library
    found = await request.app.state.work(lambda: make(library))
    return render(request, template, found=found)


@router.get("/abstract")
async def abstract(request: Request, asked: Annotated[Abstract, Query()]) -> Response:
    """Show an abstract with the sentences related to its own."""
    return await show(request, "abstract", lambda library: reading.read(library, asked))


@router.get("/related")
async def related(request: Request, asked: Annotated[Related, Query()]) -> Response:
    """Show the sentences related to one."""
    return await show(request, "related", lambda library: reading.relatives(library, asked))


@router.get("/why")
async def why(request: Request, asked: Annotated[Why, Query()]) -> Response:
    """Show what a hit's score is made of."""
    return await show(request, "why", lambda library: reasons.of_hit(library, asked))


@router.get("/why/related")
async def why_related(request: Request, asked: Annotated[Pair, Query()]) -> Response:
    """Show what makes two sentences related."""
    return await show(request, "why", lambda library: reasons.of_related(library, asked))


@router.get("/theme")
async def theme(request: Request, asked: Annotated[Theme, Query()]) -> Response:
    """Show the theme of a record."""
    return await show(request, "theme", lambda library: themed.theme(library, asked))


@router.get("/question")
async def question(request: Request, asked: Annotated[Question, Query()]) -> Response:
    """Show what abstracts say to a question."""
    return await show(request, "question", lambda library: questions.answer(library, asked))


@router.get("/why/answer")
async def why_answer(request: Request, asked: Annotated[WhyAnswer, Query()]) -> Response:
    """Show what sets a sentence apart that answers."""
    return await show(request, "why", lambda library: questions.of_answer(library, asked))


@router.get("/names")
async def names(request: Request, asked: Annotated[TwoNames, Query()]) -> Response:
    """Show the sentences that relate two entities."""
    return await show(request, "names", lambda library: related_names.between(library, asked))


@router.get("/why/names")
async def why_names(request: Request, asked: Annotated[WhyNames, Query()]) -> Response:
    """Show what makes a sentence relate two entities clearly."""
    return await show(request, "why", lambda library: related_names.of_names(library, asked))


@router.get("/runs")
async def runs(request: Request, asked: Annotated[Runs, Query()]) -> Response:
    """Show two runs side by side, topic by topic."""
    return await show(request, "runs", lambda library: comparing.runs(library, asked))


@router.get("/runs/topic")
async def run_topic(request: Request, asked: Annotated[RunTopic, Query()]) -> Response:
    """Show a topic's rankings by two runs."""
    return await show(request, "topic", lambda library: comparing.topic(library, asked))


@router.get("/themes")
async def themes(request: Request) -> Response:
    """Show the map of the collection's themes."""
    return await show(request, "themes", mapped.mapped)
