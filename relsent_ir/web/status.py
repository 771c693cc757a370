"""Whether the server is alive, and whether it has opened all that it needs."""

from fastapi import APIRouter
from pydantic import BaseModel
from starlette.requests import Request
from starlette.responses import JSONResponse

router = APIRouter(tags=["status"])


class Health(BaseModel):
    """That the server answers."""

    status: str


@router.get("/health")
async def health() -> Health:
    """Answer as long as the server lives."""
    return Health(status="ok")


@router.get("/ready", responses={503: {"model": Health, "description": "It still opens them."}})
async def ready(request: Request) -> JSONResponse:
    """Answer 200 once models and indexes are open, 503 before."""
    known = request.app.state.library.opened.is_set()
    return JSONResponse({"status": "ready" if known else "opening"}, 200 if known else 503)
