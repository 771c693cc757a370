"""HTTP/1.1 as uvicorn speaks it, but for callers that do not say what they want."""

import asyncio
from typing import Any, Final

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

SECONDS: Final = 10.0
"""How long the head of a request may take."""


class Impatient(H11Protocol):
    """Hangs up on whoever opens a connection and does not finish the head of a request."""

    _patience: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        """Begin to wait."""
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        """Stop to wait when the head is there."""
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
