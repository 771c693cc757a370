"""Print the package's patterns that take long on texts made from them.

``python -m tests.patterns [--every N]`` tries every N-th; its exit code is 1 if one takes long
in another module than those of `LONG`.
"""

import argparse
import sys

from tests.patterns.found import patterns
from tests.patterns.pumped import slow

LONG = {
    f"relsent_ir.{module}"
    for module in (
        "answers.clauses", "answers.directions", "answers.language", "answers.sentence_features",
        "citation.graph", "datasets.pubmed", "lucene.memory.postings", "records.abbreviations",
        "records.named", "records.reading", "records.sentences", "relations.names", "trec.measures",
    )
}  # fmt: skip
"""Modules whose patterns still do, or are looked for in texts of some characters alone."""


def main() -> int:
    """Try the patterns; return the exit code."""
    parser = argparse.ArgumentParser(description="Try the package's patterns.")
    parser.add_argument("--every", type=int, default=1, help="try every N-th alone")
    tried = patterns()[:: parser.parse_args().every]
    long = {found.place: text for found in tried if (text := slow(found))}
    new = [
        place
        for place in long
        if place.replace("/", ".").split(":")[0].removesuffix(".py") not in LONG
    ]
    for place, text in long.items():
        print(f"{place} takes long on {text}{', which is new' if place in new else ''}")
    print(f"{len(tried)} patterns, {len(long)} of which take long, {len(new)} of them new")
    return 1 if new else 0


if __name__ == "__main__":
    sys.exit(main())
