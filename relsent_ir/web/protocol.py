"""uvicorn's HTTP/1.1 and server, with time limits for the head of a request and for the end."""

import asyncio
import os
from threading import Timer
from types import FrameType
from typing import Any, Final

import h11
from uvicorn import Server
from uvicorn.protocols.http.h11_impl import H11Protocol

SECONDS: Final = 10.0
"""Time limit for the head of a request."""
GRACE: Final = 8
"""Seconds that requests have to end after a signal."""
END: Final = 9.5
"""Seconds after a signal at which the process ends, whatever it does."""


class Punctual(Server):
    """Ends in time though a thread still works: what it writes is written elsewhere and renamed."""

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Begin to end."""
        end = Timer(END, os._exit, (0,))
        end.daemon = True
        end.start()
        super().handle_exit(sig, frame)


class Impatient(H11Protocol):
    """Closes a connection whose request has no complete head in time."""

    _patience: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        """Start the time limit."""
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        """End the time limit when the head is complete."""
        super().data_received(data)
        if self.conn.their_state is not h11.IDLE:
            self._stop()
        elif self._patience is None:
            self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop to wait."""
        self._stop()
        super().connection_lost(exc)

    def _wait(self) -> None:
        self._patience = self.loop.call_later(SECONDS, self.transport.close)

    def _stop(self) -> None:
        if self._patience is not None:
            self._patience.cancel()
            self._patience = None
