"""Update an index of PubMed with the update files that it lacks."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from relsent_ir.datasets.catalogue import COLLECTIONS, Fetched
from relsent_ir.datasets.download import Origin
from relsent_ir.datasets.eutils import MANIFEST, Manifest
from relsent_ir.datasets.eutils import bring as bring_changes
from relsent_ir.datasets.pubmed import FILE, bring, entries, within
from relsent_ir.datasets.web import web_folder
from relsent_ir.errors import InputError, MismatchError, UsageError
from relsent_ir.lucene.commits import Facts, need_commits
from relsent_ir.lucene.documents import MoveTagger
from relsent_ir.lucene.write.indexing import Built, build_index
from relsent_ir.records import list_inputs
from relsent_ir.typing import Progress


@dataclass(frozen=True)
class Updated:
    """The result of an update: the files that were fetched, and counts of the records indexed."""

    fetched: Fetched
    built: Built


def update_index(
    index: Path,
    *,
    source: str | Path | None = None,
    output: str | Path = ".",
    url: str | None = None,
    connections: int = 2,
    tagger: Callable[[], MoveTagger] | None = None,
    threads: int = 1,
    on_skip: Callable[[InputError], None] | None = None,
    fetching: Progress = lambda _done, _total: None,
    indexing: Progress | None = None,
) -> Updated:
    """Fetch the update files that an index of PubMed lacks, and index them in order.

    For an index of the records of a query (`relsent_ir.datasets.eutils`), these are the new,
    revised and withdrawn records.

    If it is called again after an interruption, it continues where it stopped.

    Parameters
    ----------
    index : Path
        An index; the names of its sources show which files it has.
    source, url, connections : optional
        As in `relsent_ir.datasets.fetch` for ``pubmed``.
    output : str or Path
        The parent of ``collections/pubmed``, the folder of the files.
    tagger : callable, optional
        Returns the tagger that labelled the moves of the index; called only if it has moves.
    threads, on_skip : optional
        As in `build_index`.
    fetching, indexing : callable
        Called with numbers of bytes, and of records.

    Raises
    ------
    InputError
        If there is no index, or a file cannot be read.
    MismatchError
        If the index is not of PubMed, or of another year; if its build has not finished; if a file
        that it lacks is older than one that it has.
    MissingError, OutputError, UsageError
        As raised by `fetch` and `build_index`.
    """
    if source is not None and url is not None:
        raise UsageError("--from and --url exclude each other", fix="give one of them")
    facts = need_commits(index).facts
    chosen_tagger = tagger() if tagger and facts.moves else None
    folders = (Path(path).parent for path in facts.plan)
    folder = next((folder for folder in folders if (folder / MANIFEST).is_file()), None)
    if folder is not None:
        if source is not None:
            raise UsageError("an index of a query is updated from its server", fix="--url")
        manifest = Manifest.read(folder)
        assert manifest
        manifest.url = web_folder(url) if url else manifest.url
        fetched = bring_changes(folder, manifest, fetching)
        present = {source.path for source in facts.sources}
        lacking = tuple(path for path in fetched.files if str(path.resolve()) not in present)
        fetched = replace(fetched, files=lacking)
    else:
        fetched = _fetch_files(index, facts, source, url, Path(output), connections, fetching)
    if not fetched.files:
        return Updated(fetched, Built((), facts))
    built = build_index(
        list_inputs(fetched.files)[0],
        index,
        append=True,
        tagger=chosen_tagger,
        threads=threads,
        on_skip=on_skip,
        progress=indexing,
    )
    return Updated(fetched, built)


def _fetch_files(
    index: Path,
    facts: Facts,
    source: str | Path | None,
    url: str | None,
    output: Path,
    connections: int,
    fetching: Progress,
) -> Fetched:
    """Fetch the update files of NLM that an index lacks."""
    origin = Origin(
        web_folder(url or COLLECTIONS["pubmed"].web), None if source is None else Path(source)
    )
    updates = within(origin, "updatefiles")
    listed = entries(updates)
    present = _present(index, facts, listed[0].year)
    lacking = [entry for entry in listed if entry.name not in present]
    newest = max((entry.number for entry in listed if entry.name in present), default=0)
    if lacking and lacking[0].number < newest:
        raise MismatchError(
            f"{lacking[0].name} is not in it, and the newer file {newest} is: "
            "it would put old records in the place of new ones",
            where=index,
            fix="build it again, from all files in their order",
        )
    pending = {entry.name for entry in lacking}  # an interrupted update can be resumed
    unread = [path for path in facts.missing if Path(path).name not in pending]
    if unread:
        raise MismatchError(
            f"this index is incomplete: {unread[0]} has not been indexed",
            where=index,
            fix="run the index command that built it again",
        )
    return bring("pubmed", [(updates, entry) for entry in lacking], output, fetching, connections)


def _present(index: Path, facts: Facts, year: str) -> set[str]:
    """Return the names of NLM's files in an index, which must be of one year."""
    names = (Path(source.path).name for source in facts.sources)
    years = {name: match[1] for name in names if (match := FILE.fullmatch(name))}
    if not years:
        raise MismatchError(
            "none of its files is one of PubMed's",
            where=index,
            fix="begin with relsent-ir fetch pubmed --baseline, and index",
        )
    if set(years.values()) != {year}:
        raise MismatchError(
            f"it is of PubMed 20{max(years.values())}, the updates are of 20{year}",
            where=index,
            fix="begin a new index with the new year's baseline",
        )
    return set(years)
