"""Putting a folder in the place of another, in one step where the system has one."""

import ctypes
import errno
import os
import sys
from contextlib import suppress
from pathlib import Path

_HERE = -100  # AT_FDCWD
_EXCHANGE = 2  # RENAME_EXCHANGE
_TRIES = 100


def put_folder(new: Path, target: Path) -> None:
    """Rename a folder to `target`; a folder of that name is renamed to `new`, or is gone.

    On Linux, whoever looks finds the one or the other at any time, and of several that do it at
    once the last one wins. Elsewhere there is a moment in which there is neither.

    Raises
    ------
    OSError
        If it cannot be done; both are then as they were.
    """
    for _ in range(_TRIES):
        with suppress(FileNotFoundError):
            if _exchange(new, target):
                return
        try:
            new.rename(target)
        except OSError as error:
            if error.errno not in (errno.ENOTEMPTY, errno.EEXIST):
                raise
        else:
            return
    raise OSError(errno.EBUSY, os.strerror(errno.EBUSY))


def _exchange(new: Path, target: Path) -> bool:
    """Swap two names; False if the system cannot, and the target is out of the way then."""
    if sys.platform == "linux":
        library = ctypes.CDLL(None, use_errno=True)
        rename = getattr(library, "renameat2", None)
        if rename is not None:
            if not rename(_HERE, os.fsencode(new), _HERE, os.fsencode(target), _EXCHANGE):
                return True
            number = ctypes.get_errno()
            if number not in (errno.EINVAL, errno.ENOSYS):
                raise OSError(number, os.strerror(number), str(target))
    old = new.with_name(f"{new.name}.old")
    target.rename(old)
    try:
        new.rename(target)
    except OSError:
        with suppress(OSError):
            old.rename(target)
        raise
    old.rename(new)
    return True
