"""Several collections searched as one: a folder that lists them, and Lucene's MultiReader.

``DIR/shards.json`` names each shard with its build and generation when it was listed. Frequencies,
lengths and document counts are computed over all shards, so that scores equal those of one index
with the same records, however these are distributed.
"""

import json
import os
from collections.abc import Sequence
from contextlib import ExitStack
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final

from relsent_ir.errors import InputError, MismatchError, OutputError, UsageError
from relsent_ir.files import atomic_writer
from relsent_ir.lucene.commits import SHARDS, Commits, Facts, need_commits
from relsent_ir.lucene.documents import UNITS
from relsent_ir.lucene.jvm import call, exclusive, lines

FORMAT: Final = 1
_AGAIN: Final = "list the shards again: relsent-ir index --shards"


def list_shards(folder: Path, shards: Sequence[Path]) -> Facts:
    """Create a folder that makes one collection of several, in their order.

    Parameters
    ----------
    folder : Path
        Created if it is missing; an existing list in it is replaced.
    shards : sequence of Path
        Finished indexes. They are not moved, and are named relative to `folder`.

    Returns
    -------
    Facts
        The facts of all shards together.

    Raises
    ------
    InputError
        If a shard has no index, or is itself a list of shards.
    MismatchError
        If they were analysed or tagged differently, one is unfinished, or two share a record.
    OutputError
        If the folder cannot be written, or contains an index.
    UsageError
        If no shard is given.
    """
    if not shards:
        raise UsageError("no shards to list", fix="name their folders")
    if any((folder / unit).exists() for unit in UNITS):
        raise OutputError("has an index of its own", where=folder, fix="name another folder")
    commits_of = [need_commits(shard) for shard in shards]
    facts = _together(shards, commits_of)
    for shard, commits in zip(shards, commits_of, strict=True):
        if commits.facts.missing:
            raise MismatchError(
                "this index is incomplete", where=shard, fix="run its index command again"
            )
    _check_apart(shards, commits_of)
    entries = [
        {
            "path": Path(os.path.relpath(shard.resolve(), folder.resolve())).as_posix(),
            "build": commits.facts.build,
            "generation": commits.generation,
        }
        for shard, commits in zip(shards, commits_of, strict=True)
    ]
    with atomic_writer(folder / SHARDS) as file:
        file.write(json.dumps({"format": FORMAT, "shards": entries}, indent=1) + "\n")
    return facts


def shard_folders(folder: Path) -> list[Path]:
    """Return the shards that a folder lists; none if it has no list."""
    return (
        [folder / entry["path"] for entry in _entries(folder)]
        if (folder / SHARDS).is_file()
        else []
    )


def open_shards(folder: Path, unit: str) -> tuple[Facts, Any]:
    """Open one index of each listed shard, all as one reader.

    Raises
    ------
    InputError
        If the list is damaged, or a shard is missing.
    MismatchError
        If a shard has changed since it was listed, or was written in another format.
    """
    entries = _entries(folder)
    paths = [folder / entry["path"] for entry in entries]
    commits_of = []
    for path, entry in zip(paths, entries, strict=True):
        commits = need_commits(path, f"there is no index; {folder} lists it as a shard")
        if (commits.facts.build, commits.generation) != (entry["build"], entry["generation"]):
            raise MismatchError(
                f"has been written since {folder} listed it as a shard", where=path, fix=_AGAIN
            )
        commits_of.append(commits)
    facts = _together(paths, commits_of)
    return facts, _joined(folder, paths, commits_of, unit)


def _joined(folder: Path, paths: Sequence[Path], commits_of: Sequence[Commits], unit: str) -> Any:
    with ExitStack() as opened:
        readers = []
        for path, commits in zip(paths, commits_of, strict=True):
            with exclusive():
                readers.append(call("Find.open", commits.of[unit], where=path))
            opened.callback(call, "Find.close", readers[-1], where=path)
        with exclusive():
            joined = call("Find.joined", readers, where=folder)
        opened.pop_all()  # they are closed with the joint reader
    return joined


def _entries(folder: Path) -> list[dict[str, Any]]:
    path = folder / SHARDS
    try:
        listing = json.loads(path.read_text("utf-8"))
        if listing["format"] != FORMAT:
            raise MismatchError(
                f"a list of format {listing['format']}, this version reads format {FORMAT}",
                where=path,
                fix="list the shards again, or update relsent-ir",
            )
        entries: list[dict[str, Any]] = listing["shards"]
        if not entries or not all(
            isinstance(e["path"], str)
            and isinstance(e["build"], str)
            and type(e["generation"]) is int
            for e in entries
        ):
            raise ValueError
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", where=path) from error
    except (KeyError, TypeError, ValueError, RecursionError) as error:
        raise InputError("the list of shards is damaged", where=path, fix=_AGAIN) from error
    return entries


def _together(paths: Sequence[Path], commits_of: Sequence[Commits]) -> Facts:
    """Combine the facts of all shards, which must have the same analysis and moves."""
    facts = [commits.facts for commits in commits_of]
    for path, other in zip(paths[1:], facts[1:], strict=True):
        for name, fix in (("analysis", "the same --stemmer and stop words"), ("moves", "--moves")):
            if getattr(other, name) != getattr(facts[0], name):
                raise MismatchError(
                    f"{name} of this shard and of {paths[0]} differ",
                    where=path,
                    fix=f"build all shards with {fix}",
                )
    return Facts(
        facts[0].analysis,
        tuple(source for shard in facts for source in shard.sources),
        tuple(path for shard in facts for path in shard.plan),
        facts[0].moves,
        all(shard.filters for shard in facts),
        blake2b(" ".join(shard.build for shard in facts).encode(), digest_size=8).hexdigest(),
        all(shard.facets for shard in facts),
        all(shard.words for shard in facts),
    )


def _check_apart(shards: Sequence[Path], commits_of: Sequence[Commits]) -> None:
    """Refuse a record that two shards share: it would be retrieved and counted twice."""
    where: dict[str, Path] = {}
    for shard, commits in zip(shards, commits_of, strict=True):
        reader = _joined(shard, [shard], [commits], "abstracts")
        ids = lines(call("Bulk.ids", reader, where=shard))
        call("Find.close", reader, where=shard)
        common = next((name for name in ids if name in where), None)
        if common is not None:
            raise MismatchError(
                f"record {common} is in this shard and in {where[common]}",
                where=shard,
                fix="relsent-ir merge makes one index of them, each record once",
            )
        where.update(dict.fromkeys(ids, shard))
