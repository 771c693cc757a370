"""A web server on this machine, for the tests of what is fetched."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class _Silent(ThreadingHTTPServer):
    def handle_error(self, *_: Any) -> None:
        """Say nothing when a client hangs up, as some tests make it."""


@contextmanager
def served(handler: Callable[..., BaseHTTPRequestHandler]) -> Iterator[str]:
    """Serve while the block runs; yields the address, with a slash at the end."""
    with _Silent(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}/"
        finally:
            server.shutdown()
            thread.join()
