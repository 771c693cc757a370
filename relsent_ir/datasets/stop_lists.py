"""The stop list of the SMART system, which experiments use as published."""

from pathlib import Path
from typing import Final

from relsent_ir.datasets.catalogue import Fetched
from relsent_ir.datasets.download import Checksum, Origin
from relsent_ir.typing import Progress

PLACE: Final = Path("lists", "smart-571.txt")
"""The path below ``collections/originals``; the file on the web is ``smart.txt``."""
CHECKSUM: Final = Checksum(
    "sha256", "0f21fbc8f4d86a06562bd61032209ae5cdc16aaad8cbfb09e064a7d5bb75e823", 3_589
)


def fetch(origin: Origin, output: Path, tick: Progress) -> Fetched:
    """Fetch the list, which has no records and no topics."""
    path = output / "collections" / "originals" / PLACE
    name = "smart.txt" if origin.folder is None else PLACE.name
    (new,) = origin.bring_all([(name, path, CHECKSUM)], tick)
    return Fetched("stop-lists", path.parent, (path,), int(new), {}, {})
