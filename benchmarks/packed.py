"""What packing Huber+ costs: break-even, retrieval and agreement with people, before and after.

Run ``python -m benchmarks.packed --index DIR --model FULL --model PACKED [--graded TSV]``, models
of ``python -m recipes related`` (``--full`` keeps the whole one) on the index that they were
trained on. Break-even and retrieval are those of `reproduce.retrieval`; people's are BIOSSES (of a
packed model also with the frequencies and associations of the index) and readers' grades of pairs
of the index.
"""

import argparse
import csv
import os
from pathlib import Path

os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = "1"

import numpy as np

from benchmarks.common import data_file, print_table
from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.related.huber_plus import HuberPlusModel
from relsent_ir.related.matching.stages import joined
from relsent_ir.related.model import score_pairs
from relsent_ir.related.store import load_related, open_store
from reproduce.retrieval import evaluate_model
from reproduce.smith_wilbur_2010.sources import measure_biosses

PAIRS, QUERIES = 20_000, 300


def main() -> None:
    """Measure each model, and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--index", type=Path, required=True)
    parser.add_argument("--model", action="append", required=True)
    parser.add_argument("--graded", type=Path, help="readers' grades, a pair a line")
    asked = parser.parse_args()
    rows = []
    with Indexes(asked.index) as collection:
        for name in asked.model:
            model = load_related(name)
            assert isinstance(model, HuberPlusModel)
            measured = evaluate_model(
                collection.abstracts, name, pairs=PAIRS, content_share=1.0, queries=QUERIES
            )
            store = open_store(collection.sentences, model.stopwords)
            on_index = joined(collection.sentences, store, model)
            row = [name, f"{measured['be']:.2f}", f"{measured['retrieval']['map']:.3f}"]
            row += [_biosses(model), _biosses(on_index) if model.packed else ""]
            if asked.graded:
                row.append(f"{_graded(collection, on_index, asked.graded):.3f}")
            rows.append(row)
    print_table(["", "BE", "MAP", "BIOSSES, r / rho", "with the index", "r of grades"], rows)


def _biosses(model: HuberPlusModel) -> str:
    path = data_file("similarity/biosses.tsv")
    of = measure_biosses(path, {"": lambda pairs: score_pairs(model, pairs)})[""]
    return f"{of.pearson:.3f} / {of.spearman:.3f}"


def _graded(collection: Indexes, model: HuberPlusModel, path: Path) -> float:
    """Correlate scores with the mean of readers' grades."""
    with path.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    ids = sorted({row[side] for row in rows for side in ("sentence", "match")})
    texts = dict(zip(ids, collection.texts(ids), strict=True))
    scores = score_pairs(model, [(texts[row["sentence"]], texts[row["match"]]) for row in rows])
    said = [np.mean([int(row[name]) for name in row if name.startswith("reader_")]) for row in rows]
    return float(np.corrcoef(scores, said)[0, 1])


if __name__ == "__main__":
    main()
