"""Questions in other words than the records': is the drawn record found, and is it first.

Each question was written on one record, drawn at random, before any search; other records may
answer too. The packaged model was taught by 80 questions, and is asked 80 of the same author, and
60 of somebody who knew neither the list of words nor the model.

Run ``python -m benchmarks.reworded --index indexes/abstracts``.
"""

import argparse
from pathlib import Path

from benchmarks.common import print_table
from recipes.answers import READ
from relsent_ir.answers import default_model
from relsent_ir.answers.searching import LIKELY, search
from relsent_ir.answers.stage import first_stage
from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.methods import Answers
from relsent_ir.trec import read_topics

STAGES = ("bm25", "lay")
TOPICS = ("answers-reworded-final", "answers-reworded-others")
DEPTHS = (1, 5, 10, 50)


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--index", type=Path, default=Path("indexes/abstracts"))
    index = parser.parse_args().index
    lines = (READ / "answers-reworded.tsv").read_text(encoding="utf-8").splitlines()
    drawn = dict(line.split("\t") for line in lines)
    with Indexes(index) as collection:
        for name in TOPICS:
            print(f"\n{name}")
            compare(collection, read_topics(Path("topics/reader", f"{name}.tsv")), drawn)


def compare(collection: Indexes, topics: dict[str, str], drawn: dict[str, str]) -> None:
    """Print what each stage finds for some of the questions."""
    model = default_model()
    found, first = [], []
    for stage in STAGES:
        method = Answers(first_stage=stage)
        pools = first_stage(collection, topics, model.vectors, method, max(DEPTHS))
        hits = {topic: of.ids.tolist() for topic, of, _ in pools}
        shares = [
            sum(drawn[topic] in of[:depth] for topic, of in hits.items()) / len(hits)
            for depth in DEPTHS
        ]
        found.append([stage, *(f"{share:.3f}" for share in shares)])
        best = {t: of[0] for t, of in search(collection, topics, model, method=method).items()}
        right = {topic for topic, of in best.items() if of.record.id == drawn[topic]}
        said = {topic for topic, of in best.items() if of.probability >= LIKELY}
        counts = (len(right), len(said), len(right & said))
        first.append([stage, *map(str, counts)])
    print_table(["first stage", *(f"in {depth}" for depth in DEPTHS)], found)
    print_table(["answers", "drawn record first", "something found", "of these first"], first)


if __name__ == "__main__":
    main()
