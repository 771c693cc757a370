"""Print the package's patterns that take long on texts made from them.

``python -m tests.patterns [--every N]`` tries every N-th; its exit code is 1 if one takes long.
"""

import argparse
import sys

from tests.patterns.found import patterns
from tests.patterns.pumped import slow


def main() -> int:
    """Try the patterns; return the exit code."""
    parser = argparse.ArgumentParser(description="Try the package's patterns.")
    parser.add_argument("--every", type=int, default=1, help="try every N-th alone")
    tried = patterns()[:: parser.parse_args().every]
    long = 0
    for found in tried:
        if text := slow(found):
            long += 1
            print(f"{found.place} takes long on {text}")
    print(f"{len(tried)} patterns, {long} of which take long")
    return 1 if long else 0


if __name__ == "__main__":
    sys.exit(main())
