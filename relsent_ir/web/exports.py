"""A page of hits for other programs: CSV, RIS, BibTeX, JSON, a TREC run."""

import csv
from io import StringIO
from typing import Annotated, Final, Literal

from fastapi import APIRouter, Path, Query
from starlette.requests import Request
from starlette.responses import Response

from relsent_ir.hit import COLUMNS
from relsent_ir.hits import Hits
from relsent_ir.records.export import to_bibtex, to_ris
from relsent_ir.trec.runs import run_lines
from relsent_ir.web.requests import SearchRequest
from relsent_ir.web.searching import SearchPage, search

router = APIRouter(tags=["exports"])

Form = Literal["csv", "ris", "bibtex", "json", "run"]
TYPES: Final = {
    "csv": ("text/csv", "csv"),
    "ris": ("application/x-research-info-systems", "ris"),
    "bibtex": ("application/x-bibtex", "bib"),
    "json": ("application/json", "json"),
    "run": ("text/plain", "txt"),
}
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")


@router.get(
    "/export/{form}",
    response_class=Response,
    responses={200: {"content": {kind: {} for kind, _ in TYPES.values()}}},
)
async def export(
    request: Request,
    form: Annotated[Form, Path(description="In which form.")],
    parameters: Annotated[SearchRequest, Query()],
) -> Response:
    """Give a page of a search's hits as a file; of a run, the topic's id is 1."""

    def write() -> str:
        with request.app.state.shelf.lend() as library:
            return _written(form, search(library, parameters))

    text: str = await request.app.state.work(write, quick=False)
    kind, ending = TYPES[form]
    headers = {"Content-Disposition": f'attachment; filename="hits.{ending}"'}
    return Response(text, media_type=f"{kind}; charset=utf-8", headers=headers)


def _written(form: Form, found: SearchPage) -> str:
    if form == "csv":
        return _table(found)
    if form == "json":
        return found.model_dump_json()
    if form == "run":
        hits = Hits.ranked([hit.id for hit in found.hits], [hit.score for hit in found.hits])
        return "".join(run_lines("1", hits))
    write = to_ris if form == "ris" else to_bibtex
    records = {hit.record.id: hit.record for hit in found.hits}
    return "\n".join(map(write, records.values()))


def _table(found: SearchPage) -> str:
    """Write a table; a text that a spreadsheet would take for a formula gets a ``'`` in front."""
    text = StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(COLUMNS)
    for hit in found.hits:
        table.writerow(
            f"'{cell}" if isinstance(cell, str) and cell.startswith(_FORMULA) else cell
            for cell in hit.to_row()
        )
    return text.getvalue()
