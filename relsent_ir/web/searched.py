"""The search page, and the same as JSON."""

from typing import Annotated

from fastapi import APIRouter, Query
from starlette.requests import Request
from starlette.responses import Response

from relsent_ir.web.asked import Search
from relsent_ir.web.page import render
from relsent_ir.web.searching import search

router = APIRouter()


@router.get("/", include_in_schema=False)
async def page(request: Request, asked: Annotated[Search, Query()]) -> Response:
    """Show the hits of a search."""
    library = request.app.state.library
    found = await request.app.state.work(lambda: search(library, asked))
    return render(request, "search", found=found, asked=asked)
