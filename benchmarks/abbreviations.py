"""Abbreviation definitions on the first half of MED1250: P, R and F1 beside Schwartz & Hearst.

Titles and abstracts are read apart. A pair is right if both its strings equal a gold pair's after
case folding and collapsing of white space; each record's pairs are a set, and the counts are added
up over the records. The finder was developed on the first half of these records; the second half
was only scored.

Run ``RELSENT_DATA=<data folder> python -m benchmarks.abbreviations``.
"""

import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from benchmarks.common import data_file, print_table
from relsent_ir.records.abbreviations import find_abbreviations

Pair = tuple[str, str]
Finder = Callable[[str], list[Pair]]


class Definitions(NamedTuple):
    """A record of the gold standard."""

    texts: list[str]
    gold: set[Pair]


def schwartz_hearst(text: str) -> list[Pair]:
    """Find definitions as the paper's own program does, without improvements."""
    pairs = []
    for match in re.finditer(r"\s\(([^()]+)\)", text):
        inner = re.split(r"[,;]\s", match[1], maxsplit=1)[0].strip()
        sentence = text.rfind(". ", 0, match.start()) + 1
        before = text[sentence : match.start()].split()
        if len(inner.split()) > 2 or len(inner) > 10:
            short, words = (before or [""])[-1], inner.split()
        else:
            short, words = inner, before[-min(len(inner) + 5, 2 * len(inner)) :]
        valid = 1 < len(short) <= 10 and short[0].isalnum() and any(map(str.isalpha, short))
        long = best_long_form(short, " ".join(words)) if valid else ""
        if len(long) > len(short) and short not in long.split():
            pairs.append((short, long))
    return pairs


def best_long_form(short: str, text: str) -> str:
    """Match backwards, the first match from the right; the paper's figure 1."""
    at = len(text) - 1
    for n in range(len(short) - 1, -1, -1):
        character = short[n].lower()
        if not character.isalnum():
            continue
        while at >= 0 and (
            text[at].lower() != character or (n == 0 and at > 0 and text[at - 1].isalnum())
        ):
            at -= 1
        if at < 0:
            return ""
        at -= 1
    return text[text.rfind(" ", 0, at + 1) + 1 :]


def normal(pair: Pair) -> Pair:
    """Fold case and collapse white space."""
    short, long = (" ".join(form.split()).casefold() for form in pair)
    return short, long


def read(path: Path) -> list[Definitions]:
    """Read the gold standard: PMID, title, abstract, and gold lines that start with two spaces."""
    records = []
    for block in path.read_text(encoding="utf-8").strip("\n").split("\n\n"):
        lines = block.split("\n")
        pairs = [line.strip().split("|", 1) for line in lines[1:] if line.startswith("  ")]
        records.append(Definitions(lines[1:3], {normal((short, long)) for short, long in pairs}))
    return records


def score(records: list[Definitions], find: Finder) -> list[str]:
    """Return the row of a table."""
    right = found = gold = 0
    begun = time.process_time()
    for record in records:
        pairs = {normal(pair) for text in record.texts for pair in find(text)}
        right += len(pairs & record.gold)
        found += len(pairs)
        gold += len(record.gold)
    speed = len(records) / (time.process_time() - begun)
    f1 = 2 * right / (found + gold)
    shares = (right / found, right / gold, f1)
    return [*(f"{share:.4f}" for share in shares), str(gold), f"{speed:,.0f}"]


def main() -> None:
    """Print the table."""
    records = read(data_file("abbreviations/med1250-first625.txt"))
    half = len(records) // 2
    parts = (("first half", records[:half]), ("second half", records[half:]), ("all", records))
    finders = (("relsent-ir", find_abbreviations), ("Schwartz & Hearst", schwartz_hearst))
    rows = [
        [f"{part}: {name}", *score(some, find)] for part, some in parts for name, find in finders
    ]
    print_table(["records: finder", "P", "R", "F1", "pairs", "records/s"], rows)


if __name__ == "__main__":
    main()
