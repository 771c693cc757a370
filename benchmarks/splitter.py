"""Sentence boundaries on GENIA: F1 and speed of the splitter beside a plain regular expression.

A boundary is the end offset of a sentence other than the last of its text. Precision and recall
are taken over all boundaries of all texts. "with last" counts the ends of the last sentences too,
which no splitter can miss.

Run ``RELSENT_DATA=<data folder> python -m benchmarks.splitter``.
"""

import gzip
import json
import re
import time
from collections.abc import Callable

from benchmarks.common import data_file, print_table
from relsent_ir.records.sentences import split_sentences

Spans = list[tuple[int, int]]
Splitter = Callable[[str], Spans]

ROUNDS = 5
"""Each speed is the best of so many rounds."""

PLAIN = re.compile(r"[.?!]\s+(?=[A-Z])")


def plain_split(text: str) -> Spans:
    """Split after a mark that white space and a capital letter follow."""
    spans = []
    start = 0
    for match in PLAIN.finditer(text):
        spans.append((start, match.start() + 1))
        start = match.end()
    return [*spans, (start, len(text))]


def boundaries(documents: list[Spans], *, last: bool) -> set[tuple[int, int]]:
    """Return (document, end offset) of all sentences, or of all but each document's last."""
    return {
        (n, end) for n, spans in enumerate(documents) for _, end in (spans if last else spans[:-1])
    }


def scores(gold: set[tuple[int, int]], found: set[tuple[int, int]]) -> tuple[float, float, float]:
    """Return precision, recall and F1."""
    both = len(gold & found)
    return both / len(found), both / len(gold), 2 * both / (len(gold) + len(found))


def seconds(split: Splitter, texts: list[str]) -> float:
    """Time one pass over the texts on one core."""
    rounds = []
    for _ in range(ROUNDS):
        begun = time.process_time()
        for text in texts:
            split(text)
        rounds.append(time.process_time() - begun)
    return min(rounds)


def main() -> None:
    """Print the table."""
    rows = []
    for part in ("train", "dev"):
        with gzip.open(data_file(f"genia/sentences-{part}.jsonl.gz"), "rt") as lines:
            documents = [json.loads(line) for line in lines]
        texts = [document["text"] for document in documents]
        gold: list[Spans] = [document["sentences"] for document in documents]
        for name, split in (("relsent-ir", split_sentences), ("plain regex", plain_split)):
            found = [split(text) for text in texts]
            precision, recall, f1 = scores(
                boundaries(gold, last=False), boundaries(found, last=False)
            )
            _, _, with_last = scores(boundaries(gold, last=True), boundaries(found, last=True))
            speed = sum(map(len, found)) / seconds(split, texts)
            cells = (f"{value:.4f}" for value in (precision, recall, f1, with_last))
            rows.append([f"{part}: {name}", *cells, f"{speed:,.0f}"])
    print_table(["GENIA: splitter", "P", "R", "F1", "with last", "sentences/s"], rows)


if __name__ == "__main__":
    main()
