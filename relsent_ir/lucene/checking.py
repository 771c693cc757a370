"""Whether an index, and what was derived from it, is as it was written."""

from pathlib import Path

from relsent_ir.errors import InputError
from relsent_ir.lucene.commits import open_directory, read_commits
from relsent_ir.lucene.derived import check_derived
from relsent_ir.lucene.documents import UNITS
from relsent_ir.lucene.jvm import call, java_errors
from relsent_ir.lucene.shards import shard_folders


def check_index(folder: Path) -> str:
    """Read all of both indexes, as Lucene's CheckIndex does, and all derived data.

    Returns
    -------
    str
        What was read, in a few words.

    Raises
    ------
    InputError
        If there is no index, or one or another part is damaged.
    MismatchError
        If another process is writing.
    """
    shards = shard_folders(folder)
    if shards:
        for shard in shards:
            check_index(shard)
        return f"{len(shards)} shards are sound; {check_derived(folder)} stores of derived data"
    if read_commits(folder) is None:
        raise InputError("there is no index", where=folder, fix="relsent-ir index builds one")
    for unit in UNITS:
        path = folder / unit
        with java_errors(path):
            directory = open_directory(path)
        wrong = str(call("Writing.check", directory, where=path))
        if wrong:
            raise InputError(f"the index is damaged: {wrong}", where=path, fix="build it again")
    return f"{' and '.join(UNITS)} are sound; {check_derived(folder)} stores of derived data"
