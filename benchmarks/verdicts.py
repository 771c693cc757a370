"""Verdicts on titles that ask, and on claims: how many get one, and how many are right.

A title is asked of its own record by models that learned without it: verdicts, and whether a
sentence answers. What learns is what ``python -m recipes answers`` learns from. A claim of SciFact
is asked of each record that it cites by the packaged model; verdicts did not learn from them.

Run ``RELSENT_DATA=<data folder> python -m benchmarks.verdicts --index indexes/abstracts``.
"""

import argparse
from pathlib import Path

import numpy as np

from benchmarks.common import data_file, print_table
from recipes.answers import READ, TOPICS
from recipes.answers.readings import (
    Answered,
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
from relsent_ir.answers.model import AnswerModel
from relsent_ir.answers.searching import weigh
from relsent_ir.answers.sentence_features import tag_abstract
from relsent_ir.answers.stage import frequencies
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
    counts: dict[tuple[str, str], list[str]] = {}

    def ask(judge: AnswerModel, asked: Answered, mark: tuple[str, str]) -> None:
        question, record = parse(asked.question), asked.record
        forms = short_forms(asked.question, [record.abstract])
        idf = frequencies(collection, question, forms)
        query = query_words(question, judge.vectors, idf, forms)
        (found,) = weigh(judge, query, [record], [1.0], [tag_abstract(record)])
        star = found.starred
        label = star.direction.label if star and star.direction else ""
        counts.setdefault(mark, []).append(label)

    with Indexes(index) as collection:
        cited = describe_answered(model, collection, claims)
        folds = list(unseen_titles(model, titles, said))
        parts = [describe_answered(unseen, collection, held) for unseen, held in folds]
        for n, (unseen, held) in enumerate(folds):
            rows, marks = zip(*parts[:n], *parts[n + 1 :], strict=True)
            others = np.vstack(rows), [mark for some in marks for mark in some]
            unseen.abstracts = learn_abstracts(graded, others, cited)
            for title in held:
                ask(unseen, title, ("title", read[title.record.id]))
        for claim in claims:
            if parse(claim.question).claims:
                ask(model, claim, ("claim", max(claim.answers.values(), default="")))
    print_table(
        ["asked", "read as", "records", "yes", "no"],
        [
            [*mark, *map(str, (len(of), of.count("yes"), of.count("no")))]
            for mark, of in sorted(counts.items())
        ],
    )


if __name__ == "__main__":
    main()
