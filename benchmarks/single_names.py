"""Recall of names of species, eponyms, ions, chemicals, cell types and drugs, each spelled thrice.

Run ``python -m benchmarks.single_names INDEX``, with the index of the abstracts collection. Gold
are the sentences in which a name's regular expression (single_names.tsv) finds something.
"""

import re
import sys
from pathlib import Path

from benchmarks.common import print_table
from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.relations.finding import Finder

BATCH = 20_000
MOST = 100_000
LEAST = 0.95


def main() -> None:
    """Print the table."""
    text = Path(__file__).with_suffix(".tsv").read_text(encoding="utf-8")
    rows = [line.split("\t") for line in text.splitlines() if not line.startswith("#")]
    golds = [re.compile(rf"(?<![^\W_])(?:{row[1]})(?![^\W_])", re.IGNORECASE) for row in rows]
    gold: list[set[str]] = [set() for _ in rows]
    with Indexes(Path(sys.argv[1])) as collection:
        ids = collection.sentences.ids()
        for start in range(0, len(ids), BATCH):
            batch = ids[start : start + BATCH]
            for one, sentence in zip(batch, collection.texts(batch), strict=True):
                for n, expression in enumerate(golds):
                    if expression.search(sentence):
                        gold[n].add(one)
        finder = Finder(collection)
        lines, below = [], []
        for spelling in range(3):
            hits = total = found = 0
            for row, right in zip(rows, gold, strict=True):
                name = row[2].split("|")[spelling]
                got = set(finder.mentions(name, MOST))
                hits += len(got & right)
                total += len(right)
                found += len(got)
                if len(got & right) < LEAST * len(right):
                    below.append([name, str(len(right)), f"{len(got & right) / len(right):.3f}"])
            lines.append([str(spelling + 1), str(total), str(found), f"{hits / total:.4f}"])
    print_table(["spelling", "gold", "found", "recall"], lines)
    print_table([f"below {LEAST}", "gold", "recall"], below)


if __name__ == "__main__":
    main()
