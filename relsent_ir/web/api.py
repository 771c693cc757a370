"""The pages as JSON, and the page that documents it."""

from collections.abc import Callable
from typing import Annotated, Any, Final, TypeVar

from fastapi import APIRouter, Query
from starlette.requests import Request
from starlette.responses import Response

from relsent_ir.web import comparing, questions, reading, reasons, related_names, searching, themed
from relsent_ir.web import shapes as shape
from relsent_ir.web import shapes_asked as more
from relsent_ir.web import shapes_runs as side
from relsent_ir.web.asked import (
    Abstract,
    Pair,
    Question,
    Related,
    Runs,
    RunTopic,
    Search,
    Theme,
    TwoNames,
    Why,
    WhyAnswer,
    WhyNames,
)
from relsent_ir.web.page import render

Responses = dict[int | str, dict[str, Any]]

NO_RECORD: Final[Responses] = {404: {"description": "No such record or sentence."}}
LIMITS: Final[Responses] = {
    400: {"description": "What is asked for cannot be."},
    503: {"description": "Too much at once, or for too long."},
}

T = TypeVar("T")

pages = APIRouter(include_in_schema=False)
router = APIRouter(prefix="/api", tags=["json"], responses=LIMITS)


async def work(request: Request, make: Callable[[Any], T]) -> T:
    """Make an answer in a thread."""
    found: T = await request.app.state.work(lambda: make(request.app.state.library))
    return found


@pages.get("/api")
async def documentation(request: Request) -> Response:
    """Show what can be asked for as JSON."""
    return render(request, "api", schema=request.app.openapi())


@router.get("/search")
async def search(request: Request, asked: Annotated[Search, Query()]) -> shape.SearchAnswer:
    """Search sentences or abstracts."""
    return await work(request, lambda lib: shape.SearchAnswer.of(searching.search(lib, asked)))


@router.get("/abstract", responses=NO_RECORD)
async def abstract(request: Request, asked: Annotated[Abstract, Query()]) -> shape.AbstractAnswer:
    """Read an abstract: its sentences by move, and under each those related to it."""
    return await work(request, lambda lib: shape.AbstractAnswer.of(reading.read(lib, asked)))


@router.get("/related", responses=NO_RECORD)
async def related(request: Request, asked: Annotated[Related, Query()]) -> shape.RelatedAnswer:
    """Find the sentences most related to one."""
    return await work(request, lambda lib: shape.RelatedAnswer.of(reading.relatives(lib, asked)))


@router.get("/theme", responses=NO_RECORD)
async def theme(request: Request, asked: Annotated[Theme, Query()]) -> more.ThemeAnswer:
    """Find the theme of a record."""
    return await work(request, lambda lib: more.ThemeAnswer.of(themed.theme(lib, asked)))


@router.get("/question")
async def question(request: Request, asked: Annotated[Question, Query()]) -> more.QuestionAnswer:
    """Ask abstracts a question; it is assumed that they answer it."""
    return await work(request, lambda lib: more.QuestionAnswer.of(questions.answer(lib, asked)))


@router.get("/names")
async def names(request: Request, asked: Annotated[TwoNames, Query()]) -> more.NamesAnswer:
    """Find the sentences that say how two entities are related."""
    return await work(request, lambda lib: more.NamesAnswer.of(related_names.between(lib, asked)))


@router.get("/why", responses=NO_RECORD)
async def why(request: Request, asked: Annotated[Why, Query()]) -> more.WhyReason:
    """Account for the score of a search's hit."""
    return await work(request, lambda lib: more.WhyReason.of(reasons.of_hit(lib, asked)))


@router.get("/why/related", responses=NO_RECORD)
async def why_related(request: Request, asked: Annotated[Pair, Query()]) -> more.WhyReason:
    """Account for how related two sentences are."""
    return await work(request, lambda lib: more.WhyReason.of(reasons.of_related(lib, asked)))


@router.get("/why/answer", responses=NO_RECORD)
async def why_answer(request: Request, asked: Annotated[WhyAnswer, Query()]) -> more.WhyReason:
    """Account for what sets a sentence apart that may answer."""
    return await work(request, lambda lib: more.WhyReason.of(questions.of_answer(lib, asked)))


@router.get("/why/names", responses=NO_RECORD)
async def why_names(request: Request, asked: Annotated[WhyNames, Query()]) -> more.WhyReason:
    """Account for how clearly a sentence relates two entities."""
    return await work(request, lambda lib: more.WhyReason.of(related_names.of_names(lib, asked)))


@router.get("/runs", responses=NO_RECORD)
async def runs(request: Request, asked: Annotated[Runs, Query()]) -> side.RunsAnswer:
    """Set two runs side by side, topic by topic; 404 where the server was given none."""
    return await work(request, lambda lib: side.RunsAnswer.of(comparing.runs(lib, asked)))


@router.get("/runs/topic", responses=NO_RECORD)
async def run_topic(request: Request, asked: Annotated[RunTopic, Query()]) -> side.TopicAnswer:
    """Set a topic's rankings by two runs side by side."""
    return await work(request, lambda lib: side.TopicAnswer.of(comparing.topic(lib, asked)))
