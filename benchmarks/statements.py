"""What sentences are said to state: how often that is right, and how often nothing is said.

Run ``RELSENT_DATA=... python -m benchmarks.statements [INDEX]``: on the devel part of
BioNLP-ST 2011 GE; and with the index of the abstracts collection, by the grades of readers in
qrels/reader/.
"""

import json
import sys
from collections import Counter
from pathlib import Path

import numpy as np

from benchmarks.common import print_table
from relsent_ir.datasets.catalogue import data_path
from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.relations.clinical import direction
from relsent_ir.relations.corpora import PLACES, read_statements
from relsent_ir.relations.describing import FeatureSettings, describe
from relsent_ir.relations.statements import default_statements

GRADES = Path("qrels/reader/clinical-statements.jsonl")


def events() -> None:
    """Print the table of the devel part."""
    stated = list(read_statements(data_path(*PLACES["ge"]), "devel", unrelated=1))
    model = default_statements()
    rows = describe([one.candidate for one in stated], model.parser, FeatureSettings())
    told = np.array([model.read(row).direction for row in rows])
    true = np.array([one.polarity for one in stated])
    related = np.array([bool(one.status) for one in stated])
    lines = []
    for name, kept in (
        ("related", related),
        ("one direction", true != ""),
        ("unrelated", ~related),
    ):
        shown = kept & (told != "")
        right = f"{(told == true)[shown].mean():.3f}" if name != "unrelated" else ""
        lines.append([name, str(kept.sum()), f"{shown.sum() / kept.sum():.3f}", right])
    print_table(["pairs of proteins", "number", "told", "right"], lines)


def readers(index: Path) -> None:
    """Print the table of what two readers graded."""
    lines = []
    graded = [json.loads(line) for line in GRADES.read_text(encoding="utf-8").splitlines()]
    with Indexes(index) as collection:
        texts = collection.texts([row["id"] for row in graded])
    for part in dict.fromkeys(row["part"] for row in graded):
        counts: Counter[str] = Counter()
        for row, text in zip(graded, texts, strict=True):
            if row["part"] == part:
                says, _ = direction(text, tuple(row["e1"]), tuple(row["e2"]))
                counts["read"] += 1
                counts["states"] += row["label"] == "any" and all(g == 2 for g in row["grades"])
                counts["unshown"] += row["label"] == "any"
                if says and says == row["label"]:
                    counts["told"] += 1
                    for n, grade in enumerate(row["grades"]):
                        counts[f"reader {n + 1}"] += grade == 2
        shares = [f"{counts[f'reader {n}'] / max(1, counts['told']):.3f}" for n in (1, 2)]
        lines.append([part, str(counts["read"]), str(counts["told"]), *shares])
    print_table(["", "graded", "told", "right, reader 1", "right, reader 2"], lines)


if __name__ == "__main__":
    events()
    if len(sys.argv) > 1:
        readers(Path(sys.argv[1]))
