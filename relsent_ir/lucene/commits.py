"""The facts stored with an index, and the commits of its two halves that belong together.

A collection is two Lucene indexes in one folder, ``abstracts`` and ``sentences``. A Lucene commit
is atomic, but two commits are not: a process killed between them leaves one index ahead. So every
commit has its generation in its user data, each index keeps the last generation that both have
(relsent.KeepGeneration), and readers and writers start from the newest common generation.
"""

import json
import logging
import re
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from relsent_ir.engines import need_folder
from relsent_ir.errors import InputError, MismatchError, UsageError
from relsent_ir.lucene.analyzers import STEMMERS, Analysis, encodable
from relsent_ir.lucene.documents import UNITS
from relsent_ir.lucene.jvm import call, exclusive, java

FORMAT = 1
GENERATION = "relsent-ir.generation"
FACTS = "relsent-ir.facts"
SHARDS = "shards.json"
"""In a folder that has no index itself, this file lists the indexes searched as one."""


@dataclass(frozen=True)
class SourceFile:
    """An input file whose records are in the index.

    Attributes
    ----------
    path : str
        The path under which the file was read.
    sha256 : str
        The checksum of its bytes: a file renamed since is the same source.
    records, sentences, deleted, skipped : int
        Numbers of records and sentences added, records deleted, and unreadable records skipped.
    """

    path: str
    sha256: str
    records: int
    sentences: int
    deleted: int
    skipped: int


def totals(sources: Iterable[SourceFile]) -> dict[str, int]:
    """Add up the records, sentences, deletions and skipped records of files."""
    names = ("records", "sentences", "deleted", "skipped")
    return {name: sum(getattr(source, name) for source in sources) for name in names}


@dataclass(frozen=True)
class Facts:
    """The facts of a commit: the text analysis, the indexed sources, and the plan of the build.

    `plan` lists the paths of the last build; the build is finished when all are among the sources.
    `moves` names the tagger that labelled the sentences, "" if none did. The next three are False
    for indexes begun by an older version: `filters` tells whether all documents have the fields of
    filters; `facets`, the fields of headings, authors, languages and own fields, and values to
    count; `words`, the fields of unstemmed words, qualifiers, substances, keywords, affiliations,
    first and last authors. `build` identifies a build.
    """

    analysis: Analysis
    sources: tuple[SourceFile, ...] = ()
    plan: tuple[str, ...] = ()
    moves: str = ""
    filters: bool = True
    build: str = ""
    facets: bool = True
    words: bool = True

    @property
    def missing(self) -> list[str]:
        """The paths of the last build that are not indexed yet."""
        done = {source.path for source in self.sources}
        return [path for path in self.plan if path not in done]

    def to_json(self) -> str:
        """Write the facts as JSON, for the user data of a commit."""
        return json.dumps({"format": FORMAT, **asdict(self)})

    @classmethod
    def from_json(cls, text: str, where: Path) -> "Facts":
        """Read what `to_json` wrote; refuse an index of another format."""
        try:
            values = json.loads(text)
            if values["format"] != FORMAT:
                raise MismatchError(
                    f"an index of format {values['format']}, this version reads format {FORMAT}",
                    where=where,
                    fix="build it again, or update relsent-ir",
                )
            facts = cls(
                Analysis(values["analysis"]["stemmer"], tuple(values["analysis"]["stopwords"])),
                tuple(SourceFile(**source) for source in values["sources"]),
                tuple(values["plan"]),
                values.get("moves", ""),
                values.get("filters", False),
                values.get("build", ""),
                values.get("facets", False),
                values.get("words", False),
            )
            facts._check()
        except (KeyError, TypeError, ValueError, AttributeError, RecursionError) as error:
            raise InputError(
                "what the index says of itself is damaged", where=where, fix="build it again"
            ) from error
        return facts

    def _check(self) -> None:
        """Raise ValueError if a field has the wrong type."""
        strings = [*self.analysis.stopwords, *self.plan, self.moves, self.build]
        numbers: list[object] = []
        for source in self.sources:
            strings += [source.path, source.sha256]
            numbers += [source.records, source.sentences, source.deleted, source.skipped]
        if (
            self.analysis.stemmer not in STEMMERS
            or not all(isinstance(text, str) for text in strings)
            or not all(type(number) is int and number >= 0 for number in numbers)
            or not isinstance(self.filters, bool)
            or not isinstance(self.facets, bool)
            or not isinstance(self.words, bool)
        ):
            raise ValueError("not what was written")


@dataclass(frozen=True)
class Commits:
    """The matching commits of both indexes, and the newest generation of any commit."""

    generation: int
    newest: int
    facts: Facts
    of: dict[str, Any]  # unit -> org.apache.lucene.index.IndexCommit


@exclusive()
def read_commits(folder: Path) -> Commits | None:
    """Find the newest generation that both indexes have; None if there is none.

    A build killed during its very first commit leaves none, as one index may lack the commit.

    Raises
    ------
    InputError
        If `folder` holds other files, or only one of the two indexes.
    MismatchError
        If the index was written in another format, or its halves are from different builds.
    """
    need_folder(folder)
    if (folder / SHARDS).is_file():
        raise InputError(
            "lists shards, and has no index of its own", where=folder, fix="name one of the shards"
        )
    by_unit = {unit: _commits(folder / unit) for unit in UNITS}
    if any(folder.glob("segments_*")):
        raise InputError(
            "this is one Lucene index, not a collection's two",
            where=folder,
            fix="name the folder that holds abstracts and sentences",
        )
    if set().union(*by_unit.values()) <= {1} and not all(by_unit.values()):
        return None
    common = set.intersection(*(set(commits) for commits in by_unit.values()))
    if not common:
        foreign = [unit for unit, commits in by_unit.items() if -1 in commits]
        problem = "was not built by relsent-ir" if foreign else "is only half there"
        raise InputError(f"the index {problem}", where=folder, fix="build it again elsewhere")
    generation = max(common)
    of = {unit: commits[generation] for unit, commits in by_unit.items()}
    texts = {call("Find.said", commit, FACTS, where=folder) for commit in of.values()}
    if generation < 0 or None in texts:
        raise InputError(
            "the index was not built by relsent-ir",
            where=folder,
            fix="build one with relsent-ir index",
        )
    if len(texts) > 1:
        raise MismatchError(
            "abstracts and sentences are of two builds", where=folder, fix="build it again"
        )
    text = texts.pop()
    newest = max(max(commits) for commits in by_unit.values())
    return Commits(generation, newest, Facts.from_json(str(text), folder), of)


def need_commits(folder: Path, problem: str = "there is no index") -> Commits:
    """Read the commits of a folder that must hold an index, as `read_commits` does.

    Parameters
    ----------
    folder : Path
    problem : str
        The error message if there is no index.

    Raises
    ------
    InputError, MismatchError
        As `read_commits`, and if there is no index.
    """
    commits = read_commits(folder)
    if commits is None:
        raise InputError(problem, where=folder, fix="relsent-ir index builds one")
    return commits


def check_path(path: Path) -> None:
    """Refuse a path that cannot be passed to Java.

    Raises
    ------
    UsageError
        If the path is not UTF-8.
    """
    if encodable(str(path)) != str(path):
        raise UsageError(f"the path {str(path)!r} is not UTF-8, which Java needs", fix="rename it")


def open_directory(path: Path) -> Any:
    """Return Lucene's directory object for a folder; Lucene would create a missing folder.

    The path is made absolute: Java keeps the working folder in which it started.
    """
    check_path(path)
    return java("org.apache.lucene.store.FSDirectory").open(
        java("java.io.File")(str(path.absolute())).toPath()
    )


def list_commits(path: Path) -> list[Any]:
    """Return the commits of one index, the newest last; call it inside `exclusive`."""
    check_path(path)
    commits: list[Any] = call("Find.commits", str(path.absolute()), where=path)
    return commits


def _commits(path: Path) -> dict[int, Any]:
    """Return the commits of one index by generation, with -1 for commits that are not ours."""
    if not any(path.glob("segments_*")):
        return {}
    by_generation = {}
    for commit in list_commits(path):
        generation = call("Find.said", commit, GENERATION, where=path)
        number = int(generation) if re.fullmatch("[0-9]{1,18}", generation or "") else -1
        by_generation[number] = commit
    return by_generation


_log = logging.getLogger(__name__)
_required = False
_warned: set[Path] = set()


def require_finished(required: bool) -> None:
    """Choose whether unfinished indexes are refused from now on, or warned of once."""
    global _required
    _required = required
    _warned.clear()


def check_finished(folder: Path, facts: Facts) -> None:
    """Warn of an index whose build has not finished.

    Raises
    ------
    MismatchError
        If the build has not finished and finished indexes are required.
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
