"""Whether an index holds all that its build was asked for: a warning, or an error for who asks."""

import logging
from pathlib import Path

from relsent_ir.errors import MismatchError
from relsent_ir.lucene.commits import Facts

_log = logging.getLogger(__name__)
_required = False
_warned: set[Path] = set()


def require_finished(required: bool) -> None:
    """Choose whether an unfinished index is refused from now on; else it is warned of once."""
    global _required
    _required = required
    _warned.clear()


def check_finished(folder: Path, facts: Facts) -> None:
    """Say if the build of an index has not ended.

    Raises
    ------
    MismatchError
        If it has not, and that is required.
    """
    missing = facts.missing
    if not missing or (folder in _warned and not _required):
        return
    problem = f"the index is not finished: {len(missing)} of {len(facts.plan)} files are not in it"
    fix = "run its index command again"
    if _required:
        raise MismatchError(problem, where=folder, fix=fix)
    _warned.add(folder)
    _log.warning("%s: %s (%s)", folder, problem, fix)
