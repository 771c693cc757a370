"""uvicorn's HTTP/1.1 and server, with time limits for the head of a request and for shutdown."""

import asyncio
import os
from threading import Timer
from types import FrameType
from typing import Any, Final

import h11
from uvicorn import Server
from uvicorn.protocols.http.h11_impl import H11Protocol

SECONDS: Final = 10.0
"""Time limit in seconds for the head of a request."""
GRACE: Final = 8
"""Seconds after a signal in which requests can finish."""
END: Final = 9.5
"""Seconds after a signal at which the process ends in any case."""


class Punctual(Server):
    """A server that ends in time even if a thread works: files are renamed only when complete."""

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Begin the shutdown."""
        end = Timer(END, os._exit, (0,))
        end.daemon = True
        end.start()
        super().handle_exit(sig, frame)


class Impatient(H11Protocol):
    """A connection that is closed if the head of its request is not complete in time."""

    _patience: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        """Start the time limit for the head."""
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        """Stop the time limit when the head is complete."""
        super().data_received(data)
        if self.conn.their_state is not h11.IDLE:
            self._stop()
        elif self._patience is None:
            self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Cancel the time limit."""
        self._stop()
        super().connection_lost(exc)

    def _wait(self) -> None:
        self._patience = self.loop.call_later(SECONDS, self.transport.close)

    def _stop(self) -> None:
        if self._patience is not None:
            self._patience.cancel()
            self._patience = None
