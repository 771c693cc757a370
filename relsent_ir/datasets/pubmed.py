"""PubMed's yearly baseline and its daily update files, as published by NLM."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from relsent_ir.datasets.catalogue import Fetched
from relsent_ir.datasets.download import Checksum, Origin, all_at_once
from relsent_ir.datasets.web import get, shown
from relsent_ir.errors import InputError, MismatchError, MissingError, UsageError
from relsent_ir.files import input_errors
from relsent_ir.typing import Progress

FILE = re.compile(r"pubmed(\d\d)n(\d{4,})\.xml\.gz")
MD5 = re.compile(r"\b[0-9a-fA-F]{32}\b")
ATTEMPTS = 2
"""Number of times that a file may have a wrong checksum."""

FOLDERS = {"--baseline": "baseline", "--updates": "updatefiles"}
"""NLM's folders, by the flags that choose their files."""

UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}


@dataclass(frozen=True, slots=True)
class Entry:
    """A file of the folder: its year as two digits, and its size in bytes if the page lists it."""

    name: str
    year: str
    number: int
    size: int | None


def fetch(
    name: str,
    origin: Origin,
    output: Path,
    tick: Progress,
    choices: Mapping[str, str | None],
    connections: int,
) -> Fetched:
    """Fetch files of PubMed into one folder, in which they sort by age.

    Parameters
    ----------
    name : {"pubmed", "pubmed-baseline", "pubmed-updates"}
    origin : Origin
        The folder of the files; for pubmed, the parent of NLM's ``baseline`` and ``updatefiles``.
    output : Path
        The parent of ``collections/NAME``.
    choices : mapping of str to str or None
        For each flag, the numbers of the files ("1-20,35", or "all"): ``--files``; for pubmed,
        ``--baseline`` and ``--updates``.
    connections : int
        Number of files that are downloaded at the same time.
    """
    chosen: list[tuple[Origin, Entry]] = []
    extents = []
    none = not any(files is not None for files in choices.values())
    for flag, files in choices.items():
        if files is not None or none:
            folder = FOLDERS.get(flag)
            ranges = [] if files is None else parse_range(files, flag)
            part = within(origin, folder) if folder else origin
            listed = entries(part)
            extents.append(f"{folder or name} has {_extent(listed)}")
            chosen += [(part, entry) for entry in choose(listed, ranges, flag)]
    if none:
        several = "--baseline 1-20 and --updates, or all"
        fix = several if len(choices) > 1 else "--files 1-20,35 or --files all"
        raise UsageError("; ".join(extents), fix=f"choose with {fix}")
    years = sorted({f"20{entry.year}" for _, entry in chosen})
    if len(years) > 1:
        raise MismatchError(
            f"the baseline and the updates are of different years, {' and '.join(years)}",
            where=str(origin.folder or origin.web),
            fix="wait until NLM has published both",
        )
    return bring(name, chosen, output, tick, connections)


def within(origin: Origin, folder: str) -> Origin:
    """Return the origin for a subfolder of an origin."""
    return Origin(f"{origin.web}{folder}/", origin.folder and origin.folder / folder)


def bring(
    name: str,
    chosen: Sequence[tuple[Origin, Entry]],
    output: Path,
    tick: Progress,
    connections: int,
) -> Fetched:
    """Fetch files, several at a time; check each with the checksum that NLM publishes beside it."""
    folder = output / "collections" / name
    sizes = [entry.size for _, entry in chosen]
    total = None if None in sizes else sum(size or 0 for size in sizes)
    paths = tuple(folder / entry.name for _, entry in chosen)
    jobs = [partial(_bring, origin, path) for (origin, _), path in zip(chosen, paths, strict=True)]
    new = sum(all_at_once(jobs, connections, tick, total))
    return Fetched(name, folder, paths, new, {}, {})


def _bring(origin: Origin, path: Path, tick: Progress) -> bool:
    """Fetch one file; if its checksum is wrong, download file and checksum once more."""
    for attempt in range(ATTEMPTS):
        try:
            new = origin.bring(path.name, path, checksum(origin, path.name), tick)
        except InputError:
            if origin.folder or attempt == ATTEMPTS - 1:
                raise
        else:
            tick(path.stat().st_size, None)
            return new
    raise AssertionError


def parse_range(text: str, flag: str = "--files") -> list[tuple[int, int]]:
    """Read "1-20,35" as pairs of first and last number; "all" as an empty list.

    Raises
    ------
    UsageError
        If the text has another form.
    """
    if text == "all":
        return []
    pairs = []
    for piece in text.split(","):
        match = re.fullmatch(r"\s*([0-9]{1,9})(?:-([0-9]{1,9}))?\s*", piece)
        first, last = (int(match[1]), int(match[2] or match[1])) if match else (1, 0)
        if first > last:
            raise UsageError(
                f"{flag} {text!r}: {piece!r} is no range", fix="such as 1-20,35, or all"
            )
        pairs.append((first, last))
    return pairs


def choose(
    listed: list[Entry], ranges: list[tuple[int, int]], flag: str = "--files"
) -> list[Entry]:
    """Select the entries whose numbers are in `ranges`; all if there are no ranges.

    Raises
    ------
    UsageError
        If the first or last number of a range does not exist.
    """
    numbers = {entry.number for entry in listed}
    for number in (number for pair in ranges for number in pair):
        if number not in numbers:
            raise UsageError(
                f"{flag}: there is no file {number}", fix=f"there are {_extent(listed)}"
            )
    return [
        entry
        for entry in listed
        if not ranges or any(first <= entry.number <= last for first, last in ranges)
    ]


def entries(origin: Origin) -> list[Entry]:
    """List the PubMed files of the newest year in the folder, sorted by number.

    Raises
    ------
    InputError
        If a local folder has no such files.
    MissingError
        If there are none on the web server, or it cannot be reached.
    """
    sizes: dict[str, int | None]
    if origin.folder:
        with input_errors(origin.folder):
            paths = [path for path in origin.folder.iterdir() if path.is_file()]
            sizes = {path.name: path.stat().st_size for path in paths}
    else:
        sizes = dict(_links(get(origin.web)))
    matches = [match for name in sizes if (match := FILE.fullmatch(name))]
    if not matches:
        missing = "there are no files such as pubmed26n0001.xml.gz"
        if origin.folder is not None:
            raise InputError(missing, where=origin.folder)
        raise MissingError(missing, where=shown(origin.web), fix="name another folder with --url")
    year = max(match[1] for match in matches)
    chosen = [Entry(m[0], year, int(m[2]), sizes[m[0]]) for m in matches if m[1] == year]
    return sorted(chosen, key=lambda entry: entry.number)


def checksum(origin: Origin, name: str) -> Checksum:
    """Read the checksum that NLM publishes beside a file: ``MD5(pubmed26n0001.xml.gz)= <sum>``."""
    where = f"{origin.folder / name if origin.folder else origin.web + name}.md5"
    if origin.folder is None:
        text = get(where, limit=1 << 12)
    else:
        try:
            text = Path(where).read_bytes()
        except OSError as error:
            raise InputError(
                f"cannot read the sum: {error.strerror}",
                where=where,
                fix="fetch it from NLM, beside the file",
            ) from error
    match = MD5.search(text.decode("latin-1"))
    if not match:
        raise InputError("there is no MD5 sum in it", where=where)
    return Checksum("md5", match[0].lower())


def _links(page: bytes) -> list[tuple[str, int | None]]:
    """Read the names and sizes from the page of a folder ("NAME  2026-01-29 14:48   19M")."""
    from lxml import etree, html

    try:
        document = html.document_fromstring(page)
    except etree.ParserError:  # the page is empty
        return []
    links: list[tuple[str, int | None]] = []
    for link in document.iter("a"):
        size = re.match(r"\s+[\d-]+ [\d:]+ +(\d{1,15}(?:\.\d*)?)([KMG]?)\s", f"{link.tail} ")
        links.append((link.get("href", ""), int(float(size[1]) * UNITS[size[2]]) if size else None))
    return links


def _extent(listed: list[Entry]) -> str:
    sizes = [entry.size for entry in listed]
    about = "" if None in sizes else f", about {sum(size or 0 for size in sizes) / 1e9:,.1f} GB"
    return f"{len(listed):,} files, numbers {listed[0].number} to {listed[-1].number}{about}"
