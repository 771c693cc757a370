"""Single files that experiments read as their source publishes them: a stop list."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from relsent_ir.datasets.catalogue import Fetched
from relsent_ir.datasets.download import Checksum, Origin, part_of
from relsent_ir.typing import Progress


@dataclass(frozen=True, slots=True)
class PublishedFile:
    """A file as it is published.

    Attributes
    ----------
    name : str
        On the web.
    size : int
        In bytes.
    sha256 : str
    """

    name: str
    size: int
    sha256: str


FILES: Final[Mapping[str, Mapping[str, PublishedFile]]] = {
    "stop-lists": {
        "lists/smart-571.txt": PublishedFile(
            "smart.txt", 3_589, "0f21fbc8f4d86a06562bd61032209ae5cdc16aaad8cbfb09e064a7d5bb75e823"
        )
    }
}
"""By the name that `fetch` takes: each file's place below ``collections/originals``."""


def fetch(name: str, origin: Origin, output: Path, tick: Progress) -> Fetched:
    """Bring the files of one of `FILES`; they are neither records nor topics."""
    folder = output / "collections" / "originals"
    total = sum(source.size for source in FILES[name].values())
    done = new = 0
    for place, source in FILES[name].items():
        path = folder / place
        checksum = Checksum("sha256", source.sha256, source.size)
        wanted = source.name if origin.folder is None else path.name
        new += origin.bring(wanted, path, checksum, part_of(tick, done, total))
        done += source.size
        tick(done, total)
    places = tuple(folder / place for place in FILES[name])
    return Fetched(name, places[0].parent, places, new, {}, {})
