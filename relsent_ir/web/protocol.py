"""uvicorn's HTTP/1.1, with a time limit for the head of a request."""

import asyncio
from typing import Any, Final

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

SECONDS: Final = 10.0
"""Time limit for the head of a request."""


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
