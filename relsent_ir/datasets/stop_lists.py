"""The SMART system's stop list, which experiments read as its source publishes it."""

from pathlib import Path
from typing import Final

from relsent_ir.datasets.catalogue import Fetched
from relsent_ir.datasets.download import Checksum, Origin
from relsent_ir.typing import Progress

PLACE: Final = Path("lists", "smart-571.txt")
"""Below ``collections/originals``; on the web the file is ``smart.txt``."""
CHECKSUM: Final = Checksum(
    "sha256", "0f21fbc8f4d86a06562bd61032209ae5cdc16aaad8cbfb09e064a7d5bb75e823", 3_589
)


def fetch(origin: Origin, output: Path, tick: Progress) -> Fetched:
    """Bring the list, which is neither records nor topics."""
    path = output / "collections" / "originals" / PLACE
    name = "smart.txt" if origin.folder is None else PLACE.name
    (new,) = origin.bring_all([(name, path, CHECKSUM)], tick)
    return Fetched("stop-lists", path.parent, (path,), int(new), {}, {})
