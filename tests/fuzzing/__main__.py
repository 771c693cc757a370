"""Damaged files and models, for as long as wanted: ``FUZZ_S=600 python -m tests.fuzzing``.

A reader may give what it read or one of our errors; so may loading a model, whose numbers must then
be finite. Anything else is a finding: a file is kept in runs/fuzz, and ``FUZZ_FROM=NUMBER`` begins
with the number that made it. ``FUZZ_ONLY=model`` takes the readers and kinds whose names begin so.
"""

import logging
import os
import random
import sys
import tempfile
import time
import traceback
import warnings
from collections import Counter
from pathlib import Path

from relsent_ir.errors import RelsentError
from tests.fuzzing.mutation import mutated
from tests.fuzzing.seeds import READERS
from tests.fuzzing.stored import MAKERS, load_crafted

SECONDS = float(os.environ.get("FUZZ_S", "60"))
FOUND = Path("runs/fuzz")
SLOW = 5.0  # seconds of processor time for a file of at most a megabyte
SHOWN = 20  # findings that are told in full


def attempt(name: str, folder: Path, rng: random.Random) -> str:
    """Try one reader or kind of model; ``read``, ``refused``, ``slow``, or what came out."""
    started = time.process_time()
    path = folder / "file"
    try:
        if name.startswith("model-"):
            return load_crafted(folder / "model", name.removeprefix("model-"), rng)
        read, seeds = READERS[name]
        path.write_bytes(mutated(rng.choice(seeds), rng))
        read(path)
    except RelsentError:
        outcome = "refused"
    else:
        outcome = "read"
    return "slow" if time.process_time() - started > SLOW else outcome


def main() -> int:
    """Go on until the time is over; 1 if something was found."""
    logging.disable(logging.CRITICAL)
    warnings.simplefilter("ignore")
    only = os.environ.get("FUZZ_ONLY", "")
    names = [n for n in (*READERS, *(f"model-{kind}" for kind in MAKERS)) if n.startswith(only)]
    outcomes: Counter[tuple[str, str]] = Counter()
    first = number = int(os.environ.get("FUZZ_FROM", "0"))
    found, until = 0, time.monotonic() + SECONDS
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        while time.monotonic() < until:
            rng = random.Random(number)
            tried = rng.choice(names)
            try:
                outcome = attempt(tried, folder, rng)
            except Exception as error:  # noqa: BLE001 (that is what is looked for)
                outcome = f"{type(error).__name__}: {error}"[:80]
                if found < SHOWN:
                    print(f"{tried}, number {number}", file=sys.stderr)
                    traceback.print_exc()
            outcomes[tried, outcome] += 1
            if outcome not in ("read", "refused"):
                found += 1
                if tried in READERS:
                    FOUND.mkdir(parents=True, exist_ok=True)
                    (FOUND / f"{tried}.{number}").write_bytes((folder / "file").read_bytes())
            number += 1
    for (tried, outcome), count in sorted(outcomes.items()):
        print(f"{tried:24}{outcome:20}{count:>9,}")
    print(f"{number - first:,} inputs, {found} findings")
    return min(found, 1)


if __name__ == "__main__":
    sys.exit(main())
