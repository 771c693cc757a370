"""Several downloads at once: few enough for the server, and all stop when one fails."""

from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from threading import Lock

from relsent_ir.typing import Progress

MOST = 4
"""Connections at a time that we ever open to one server."""


class _StoppedError(Exception):
    """Another one has failed, or the user has interrupted."""


def all_at_once(
    jobs: Sequence[Callable[[Progress], bool]],
    connections: int,
    tick: Progress,
    total: int | None,
) -> list[bool]:
    """Do jobs on some threads, and give what each gives, in their order.

    Parameters
    ----------
    jobs : sequence of callable
        Each is called with a callback for its bytes done, at which it may be ended.
    connections : int
        How many at a time.
    tick : callable
        Called with the bytes that all have done, and `total`, by one thread at a time.
    total : int, optional

    Raises
    ------
    Exception
        The first that a job raised; the others are ended at their next call, and may go on where
        they were another time.
    """
    lock = Lock()
    done = [0] * len(jobs)
    stopped = False

    def run(number: int) -> bool:
        nonlocal stopped

        def told(bytes_done: int, _total: int | None) -> None:
            with lock:
                if stopped:
                    raise _StoppedError
                done[number] = bytes_done
                tick(sum(done), total)

        try:
            told(0, None)
            return jobs[number](told)
        except BaseException:
            stopped = True
            raise

    with ThreadPoolExecutor(connections) as pool:
        futures = [pool.submit(run, number) for number in range(len(jobs))]
        try:
            wait(futures, return_when=FIRST_EXCEPTION)
        finally:
            stopped = True
            pool.shutdown(cancel_futures=True)
    ended = [future for future in futures if not future.cancelled()]
    errors = [error for future in ended if (error := future.exception())]
    for error in errors:
        if not isinstance(error, _StoppedError):
            raise error
    return [future.result() for future in futures]
