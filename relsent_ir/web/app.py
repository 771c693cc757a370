"""The application: the pages of one collection, and the same content as JSON."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.staticfiles import StaticFiles

from relsent_ir import __version__
from relsent_ir.api import Collection
from relsent_ir.errors import RelsentError
from relsent_ir.web import exports, guard
from relsent_ir.web.budgets import Work
from relsent_ir.web.library import Shelf
from relsent_ir.web.page import STATIC
from relsent_ir.web.routes import LIMITS, add_routes, in_form, status
from relsent_ir.web.settings import Settings

ABOUT = """
The pages of this site as JSON. Each takes the parameters of its page. Texts are as the records have
them: whoever shows them has to escape them. Answers: 404 for an id that is not in the collection,
422 for a parameter that cannot be read, 503 when too much is asked at once or for too long.
"""


def create_app(collection: Collection, settings: Settings | None = None) -> FastAPI:
    """Create the application for a collection.

    Parameters
    ----------
    collection : relsent_ir.Collection
        The collection, which is closed with the application.
    settings : Settings, optional
    """
    chosen = settings or Settings()
    shelf = Shelf(collection, chosen)

    @asynccontextmanager
    async def life(_: FastAPI) -> AsyncIterator[None]:
        shelf.library.begin()
        yield
        app.state.work.close()
        shelf.library.close()

    app = FastAPI(
        title="relsent-ir",
        version=__version__,
        description=ABOUT.strip(),
        docs_url=None,  # it loads scripts from elsewhere; we serve /api
        redoc_url=None,
        lifespan=life,
    )
    app.state.shelf = shelf
    app.state.work = Work(chosen)
    app.state.form = in_form
    for kind in (RequestValidationError, HTTPException, RelsentError):
        app.add_exception_handler(kind, guard.refused)
    add_routes(app)
    app.include_router(exports.router, responses=LIMITS)
    app.include_router(status)
    app.mount("/static", StaticFiles(directory=STATIC), name="static")
    app.add_middleware(GZipMiddleware, minimum_size=1000, compresslevel=5)
    app.add_middleware(guard.Guard, hosts=chosen.hosts, token=chosen.token)
    return app
