"""Single files that experiments read as their source publishes them: a stop list."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from relsent_ir.datasets.catalogue import Fetched
from relsent_ir.datasets.download import Checksum, Origin
from relsent_ir.typing import Progress

FILES: Final[Mapping[str, Mapping[str, tuple[str, Checksum]]]] = {
    "stop-lists": {
        "lists/smart-571.txt": (
            "smart.txt",
            Checksum(
                "sha256", "0f21fbc8f4d86a06562bd61032209ae5cdc16aaad8cbfb09e064a7d5bb75e823", 3_589
            ),
        )
    }
}
"""By the name that `fetch` takes: each file's place below ``collections/originals``, its name on
the web, and its sum."""


def fetch(name: str, origin: Origin, output: Path, tick: Progress) -> Fetched:
    """Bring the files of one of `FILES`; they are neither records nor topics."""
    folder = output / "collections" / "originals"
    wanted = [
        (on_web if origin.folder is None else Path(place).name, folder / place, checksum)
        for place, (on_web, checksum) in FILES[name].items()
    ]
    new = sum(origin.bring_all(wanted, tick))
    places = tuple(path for _, path, _ in wanted)
    return Fetched(name, places[0].parent, places, new, {}, {})
