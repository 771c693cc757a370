"""The application: one collection, its pages, and the same as JSON."""

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI
from starlette.middleware.gzip import GZipMiddleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.staticfiles import StaticFiles

from relsent_ir import __version__
from relsent_ir.api import Collection
from relsent_ir.web import api, errors, exports, read, searched, status
from relsent_ir.web.guard import Guard
from relsent_ir.web.library import Library
from relsent_ir.web.page import STATIC
from relsent_ir.web.settings import Settings
from relsent_ir.web.work import Work

_log = logging.getLogger(__name__)

ABOUT = """
The pages of this site as JSON. Each takes the parameters of its page. Texts are as the records have
them: whoever shows them has to escape them. Answers: 404 for an id that is not in the collection,
422 for a parameter that cannot be read, 503 when too much is asked at once or for too long.
"""


def create_app(collection: Collection, settings: Settings | None = None) -> FastAPI:
    """Make the application of a collection.

    Parameters
    ----------
    collection : relsent_ir.Collection
        It is closed with the application.
    settings : Settings, optional
    """
    chosen = settings or Settings()
    library = Library(collection, chosen)

    @asynccontextmanager
    async def life(_: FastAPI) -> AsyncIterator[None]:
        library.begin()
        yield
        app.state.work.close()
        library.close()

    app = FastAPI(
        title="relsent-ir",
        version=__version__,
        description=ABOUT.strip(),
        docs_url=None,  # it loads from elsewhere; ours is /api
        redoc_url=None,
        lifespan=life,
    )
    app.state.library = library
    app.state.work = Work(chosen.threads, chosen.waiting, chosen.seconds)
    errors.install(app)
    for module in (searched, read, api, exports, status):
        app.include_router(module.router)
    app.include_router(api.pages)
    app.mount("/static", StaticFiles(directory=STATIC), name="static")
    app.add_middleware(GZipMiddleware, minimum_size=1000, compresslevel=5)
    app.add_middleware(TrustedHostMiddleware, allowed_hosts=list(chosen.hosts), www_redirect=False)
    app.add_middleware(Guard, failed=errors.failed)
    return app
