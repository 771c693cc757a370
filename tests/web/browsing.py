"""A server on a free port, and Debian's Chromium."""

import os
import shutil
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

import pytest
import uvicorn

import relsent_ir as rir
from relsent_ir.web import Settings, create_app

NAMES = ("chromium", "chromium-browser", "google-chrome")


def chromium() -> str:
    """The browser; the test skips, and says how to get one, where there is none."""
    found = os.environ.get("RELSENT_BROWSER") or next(filter(None, map(shutil.which, NAMES)), None)
    if found is None:
        pytest.skip("no Chromium: `make browser` installs Debian's, RELSENT_BROWSER names another")
    return found


@contextmanager
def served(index: Path, settings: Settings) -> Iterator[str]:
    """Serve a collection on a free port; gives its address once all of it is open."""
    app = create_app(rir.open_collection(index), settings)
    with socket.create_server(("127.0.0.1", 0)) as place:
        server = uvicorn.Server(uvicorn.Config(app, log_config=None, timeout_graceful_shutdown=5))
        thread = Thread(target=server.run, kwargs={"sockets": [place]})
        thread.start()
        try:
            app.state.shelf.library.opened.wait(120)
            yield f"http://127.0.0.1:{place.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join(30)
