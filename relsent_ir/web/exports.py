"""Hits for other programs (CSV, RIS, BibTeX, JSON, a TREC run; at most a thousand); the basket."""

import json
from io import StringIO
from typing import Annotated, Final, Literal

from fastapi import APIRouter, Path, Query
from pydantic import Field
from starlette.requests import Request
from starlette.responses import Response

from relsent_ir.hit import COLUMNS, Hit, read_hits, write_csv
from relsent_ir.hits import Hits
from relsent_ir.records.references import to_bibtex, to_ris
from relsent_ir.trec.runs import run_lines
from relsent_ir.web.library import Library
from relsent_ir.web.requests import BasketRequest, ExportRequest
from relsent_ir.web.searching import rank, read
from relsent_ir.web.settings import PAGE, PAGES
from relsent_ir.web.views import Shown, View, described
from relsent_ir.web.wording import understand

router = APIRouter(tags=["exports"])

Form = Literal["csv", "ris", "bibtex", "json", "run"]
TYPES: Final = {
    "csv": ("text/csv", "csv"),
    "ris": ("application/x-research-info-systems", "ris"),
    "bibtex": ("application/x-bibtex", "bib"),
    "json": ("application/json", "json"),
    "run": ("text/plain", "txt"),
}


@router.get(
    "/export/{form}",
    response_class=Response,
    responses={200: {"content": {kind: {} for kind, _ in TYPES.values()}}},
)
async def export(
    request: Request,
    form: Annotated[Form, Path(description="In which form.")],
    parameters: Annotated[ExportRequest, Query()],
) -> Response:
    """Return the hits of a search, or records with some ids, as a file; a run's topic is 1."""

    def write() -> str:
        with request.app.state.shelf.lend() as library:
            if parameters.id:
                present = library.present(parameters.id)
                return _written(form, read_hits(library.indexes, present))
            asked, _ = understand(library, parameters)
            start = (asked.page - 1) * PAGE
            end = min(start + asked.n, PAGES * PAGE)
            hits = rank(library, asked, end)
            return _written(form, read(library, asked, hits, start, end))

    text: str = await request.app.state.work(write, slow="/export")
    kind, ending = TYPES[form]
    headers = {"Content-Disposition": f'attachment; filename="hits.{ending}"'}
    return Response(text, media_type=f"{kind}; charset=utf-8", headers=headers)


class BasketPage(View):
    """The reader's basket, in the order of the reader."""

    request: BasketRequest
    hits: list[Shown] = Field(default=[])


def basket(library: Library, request: BasketRequest) -> BasketPage:
    """Show the records and sentences with these ids; ids that are not here are left out."""
    return BasketPage(request=request, hits=read_hits(library.indexes, library.present(request.id)))


def _written(form: Form, hits: list[Hit]) -> str:
    if form == "csv":
        text = StringIO()
        write_csv(text, [COLUMNS, *(hit.to_row() for hit in hits)])
        return text.getvalue()
    if form == "json":
        return json.dumps([hit.model_dump() for hit in map(described, hits)], ensure_ascii=False)
    if form == "run":
        ranking = Hits.ranked([hit.id for hit in hits], [hit.score for hit in hits])
        return b"".join(run_lines({"1": ranking})).decode()
    write = to_ris if form == "ris" else to_bibtex
    records = {hit.record.id: hit.record for hit in hits}
    return "\n".join(map(write, records.values()))
