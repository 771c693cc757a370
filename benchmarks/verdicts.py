"""Verdicts on titles that ask: how many records get one, and how many are what a reader read.

A title is asked of its own record by models that learned without it: verdicts, and whether a
sentence answers. What learns is what ``python -m recipes answers`` learns from.

Run ``RELSENT_DATA=<data folder> python -m benchmarks.verdicts --index indexes/abstracts``.
"""

import argparse
from pathlib import Path

import numpy as np

from benchmarks.common import data_file, print_table
from recipes.answers import READ, TOPICS
from recipes.answers.readings import (
    describe_answered,
    describe_graded,
    learn_abstracts,
    read_claims,
    read_said,
    read_titles,
    unseen_titles,
)
from recipes.answers.titles import read_asking
from relsent_ir.answers import default_model
from relsent_ir.answers.abstracts import query_words, short_forms
from relsent_ir.answers.language import parse
from relsent_ir.answers.searching import frequencies, weigh
from relsent_ir.answers.sentence_features import tag_abstract
from relsent_ir.hits import owner
from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.trec import read_topics

SAID = READ / "answers-directions.tsv"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--index", type=Path, default=Path("indexes/abstracts"))
    index = parser.parse_args().index
    model, asking = default_model(), read_asking([data_file("abstracts/abstracts.jsonl.gz")])
    files = [f"topics/reader/answers{name}.tsv" for name in TOPICS]
    topics = {name: text for file in files for name, text in read_topics(Path(file)).items()}
    graded = describe_graded(model, READ / "answers-development.tsv", topics, [index])
    said = read_said(SAID, asking, model.stopwords)
    titles = read_titles(SAID, asking)
    files = ("claims.jsonl", "corpus.jsonl.gz", "sentences.jsonl.gz")
    claims = read_claims(*(data_file(f"scifact/{name}") for name in files))
    lines = (line.partition("\t") for line in SAID.read_text(encoding="utf-8").splitlines())
    read = {owner(name): verdict for name, _, verdict in lines}
    counts: dict[str, list[str]] = {}
    with Indexes(index) as collection:
        cited = describe_answered(model, collection, claims)
        folds = list(unseen_titles(model, titles, said))
        parts = [describe_answered(unseen, collection, held) for unseen, held in folds]
        for n, (unseen, held) in enumerate(folds):
            rows, marks = zip(*parts[:n], *parts[n + 1 :], strict=True)
            others = np.vstack(rows), [mark for some in marks for mark in some]
            unseen.abstracts = learn_abstracts(graded, others, cited)
            for title in held:
                question, record = parse(title.question), title.record
                forms = short_forms(title.question, [record.abstract])
                idf = frequencies(collection, question, forms)
                query = query_words(question, unseen.vectors, idf, forms)
                (found,) = weigh(unseen, query, [record], [1.0], [tag_abstract(record)])
                star = found.starred
                label = star.direction.label if star and star.direction else ""
                counts.setdefault(read[record.id], []).append(label)
    print_table(
        ["read as", "records", "yes", "no"],
        [
            [name, *map(str, (len(of), of.count("yes"), of.count("no")))]
            for name, of in sorted(counts.items())
        ],
    )


if __name__ == "__main__":
    main()
