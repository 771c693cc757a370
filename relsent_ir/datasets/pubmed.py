"""PubMed's yearly baseline and its daily update files, as NLM publishes them."""

import re
from dataclasses import dataclass
from pathlib import Path

from relsent_ir.datasets.catalogue import Fetched
from relsent_ir.datasets.checksum import Checksum
from relsent_ir.datasets.download import part_of
from relsent_ir.datasets.origin import Origin
from relsent_ir.datasets.web import get
from relsent_ir.errors import InputError, MissingError, UsageError
from relsent_ir.typing import Progress

FILE = re.compile(r"pubmed(\d\d)n(\d{4,})\.xml\.gz")
MD5 = re.compile(r"\b[0-9a-fA-F]{32}\b")
UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}


@dataclass(frozen=True, slots=True)
class Entry:
    """A file of the folder; `size` in bytes, as exact as the folder's page gives it, or None."""

    name: str
    number: int
    size: int | None


def fetch(name: str, origin: Origin, output: Path, tick: Progress, files: str | None) -> Fetched:
    """Bring the files whose numbers `files` chooses ("1-20,35", or "all")."""
    ranges = [] if files is None else parse_range(files)
    listed = entries(origin)
    if files is None:
        raise UsageError(
            f"{name} has {_extent(listed)}", fix="choose with --files 1-20,35 or --files all"
        )
    chosen = choose(listed, ranges)
    folder = output / "collections" / name
    sizes = [entry.size for entry in chosen]
    total = None if None in sizes else sum(size or 0 for size in sizes)
    new = 0
    done = 0
    for entry in chosen:
        path = folder / entry.name
        sum_ = checksum(origin, entry.name)
        new += origin.bring(entry.name, path, sum_, part_of(tick, done, total))
        done += path.stat().st_size
        tick(done, total)
    return Fetched(name, folder, tuple(folder / entry.name for entry in chosen), new, {}, {})


def parse_range(text: str) -> list[tuple[int, int]]:
    """Read "1-20,35" as pairs of first and last; "all" as none.

    Raises
    ------
    UsageError
        If it is neither.
    """
    if text == "all":
        return []
    pairs = []
    for piece in text.split(","):
        match = re.fullmatch(r"\s*([0-9]{1,9})(?:-([0-9]{1,9}))?\s*", piece)
        first, last = (int(match[1]), int(match[2] or match[1])) if match else (1, 0)
        if first > last:
            raise UsageError(
                f"--files {text!r}: {piece!r} is no range", fix="such as 1-20,35, or all"
            )
        pairs.append((first, last))
    return pairs


def choose(listed: list[Entry], ranges: list[tuple[int, int]]) -> list[Entry]:
    """Pick the entries whose numbers lie in `ranges`; all of them if there are no ranges.

    Raises
    ------
    UsageError
        If a range begins or ends with a number that is not there.
    """
    numbers = {entry.number for entry in listed}
    for number in (number for pair in ranges for number in pair):
        if number not in numbers:
            raise UsageError(
                f"--files: there is no file {number}", fix=f"there are {_extent(listed)}"
            )
    return [
        entry
        for entry in listed
        if not ranges or any(first <= entry.number <= last for first, last in ranges)
    ]


def entries(origin: Origin) -> list[Entry]:
    """List the PubMed files of the newest year in the folder, by number.

    Raises
    ------
    InputError
        If there are none in a folder on this machine.
    MissingError
        If there are none on the web, or it cannot be reached.
    """
    found = dict(_files(origin.folder) if origin.folder else _links(get(origin.web)))
    matches = [match for name in found if (match := FILE.fullmatch(name))]
    if not matches:
        missing = "there are no files such as pubmed26n0001.xml.gz"
        if origin.folder is not None:
            raise InputError(missing, where=origin.folder)
        raise MissingError(missing, where=origin.web, fix="name another folder with --url")
    year = max(match[1] for match in matches)
    chosen = [Entry(m[0], int(m[2]), found[m[0]]) for m in matches if m[1] == year]
    return sorted(chosen, key=lambda entry: entry.number)


def checksum(origin: Origin, name: str) -> Checksum:
    """Read the sum that NLM gives beside a file: ``MD5(pubmed26n0001.xml.gz)= <sum>``."""
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


def _files(folder: Path) -> list[tuple[str, int | None]]:
    try:
        return [(path.name, path.stat().st_size) for path in folder.iterdir() if path.is_file()]
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", where=folder) from error


def _links(page: bytes) -> list[tuple[str, int | None]]:
    """Read the names and sizes in a folder's page ("NAME  2026-01-29 14:48   19M")."""
    from lxml import etree, html

    try:
        document = html.document_fromstring(page)
    except etree.ParserError:  # nothing in it
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
