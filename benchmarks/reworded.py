"""Questions in other words than the records': is the drawn record found, and is it first.

Each question was written on one record, drawn at random, before any search; other records may
answer too. Taught by 80 of them, the packaged model is asked the others.

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
DEPTHS = (1, 5, 10, 50)


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--index", type=Path, default=Path("indexes/abstracts"))
    index = parser.parse_args().index
    topics = read_topics(Path("topics/reader/answers-reworded-final.tsv"))
    lines = (READ / "answers-reworded.tsv").read_text(encoding="utf-8").splitlines()
    drawn, model = dict(line.split("\t") for line in lines), default_model()
    found, first = [], []
    with Indexes(index) as collection:
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
