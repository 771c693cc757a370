r"""Train the model of related sentences that comes with the package.

Huber+ on an index of the abstracts, without the sources that are kept for evaluation and without a
third of the records (`held_out` by seed 0), packed, with the weights of `Reader` from readers'
grades of pairs of that index::

    relsent-ir index --input DATA/abstracts/abstracts.jsonl.gz --index indexes/abstracts
    python tools/packaged_related.py --index indexes/abstracts \
        --abstracts DATA/abstracts/abstracts.jsonl.gz --output relsent_ir/related/default \
        --reader qrels/reader/related-dev.tsv qrels/reader/related-dev2.tsv

The dense weights are learned from three times as many sentences as by default, each against half as
many others. ``--seed`` draws other pairs, halves and sentences to rank, the records being the same.
``--full FOLDER`` keeps the model as it was before it was packed (``python -m benchmarks.packed``).
"""

import argparse
import csv
import gzip
import json
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from threadpoolctl import threadpool_limits

from relsent_ir import models
from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.lucene.read.index import Index
from relsent_ir.related.calibration import Reader, Signs
from relsent_ir.related.features import Sentences
from relsent_ir.related.huber_plus import HuberPlusModel
from relsent_ir.related.matching.matcher import Matcher
from relsent_ir.related.pairs import surviving
from relsent_ir.related.store.corpus import held_out, read_corpus
from relsent_ir.related.training.huber_plus import train_huber_plus
from relsent_ir.related.training.learning import Task
from relsent_ir.text.words import default_stopwords

LEFT_OUT = ("hoc", "chemexp", "cf")
RANKED, AGAINST = 18_000, 16
PAIRS = 100_000
LEAST = 0.8


def main(arguments: Sequence[str] | None = None) -> None:
    """Train, pack and save."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    for name in ("--index", "--abstracts", "--output"):
        parser.add_argument(name, type=Path, required=True)
    parser.add_argument("--reader", type=Path, nargs="+", help="readers' grades, a pair a line")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--pairs", type=int, default=PAIRS)
    parser.add_argument("--full", type=Path, help="where the model is kept unpacked")
    flags = parser.parse_args(arguments)
    with threadpool_limits(1):  # sums in another order end in other bytes
        model = train(flags.index, flags.abstracts, flags.seed, flags.pairs)
        if flags.full:
            models.save(flags.full, model)
        packed = model.pack()
        models.save(flags.output, packed)
        if flags.reader:
            packed.reader = fit_reader(flags.index, flags.output, flags.reader)
            models.save(flags.output, packed)


def train(index: Path, abstracts: Path, seed: int, pairs: int) -> HuberPlusModel:
    """Train on the records that may be learned from."""
    stopwords = default_stopwords()
    with Index(index) as opened:
        corpus = read_corpus(opened, stopwords)
    with gzip.open(abstracts, "rt", encoding="utf-8") as lines:
        known = [json.loads(line) for line in lines]
    left_out = {record["id"] for record in known if record["source"] in LEFT_OUT}
    training = np.array([name not in left_out for name in corpus.records])
    training &= ~held_out(corpus.records, 0, 1 / 3)
    facts = {
        "command": "python tools/packaged_related.py",
        "data": corpus.fingerprint,
        "seed": 0,  # that of the third
        "all_records": False,
        "content_share": 1.0,
    }
    stages = lambda stage: print(stage, file=sys.stderr) or (lambda _done, _total: None)  # noqa: E731
    kept = surviving(corpus, 1.0)
    task = Task(corpus, kept, training, pairs, seed, stopwords, None, facts, stages)
    return train_huber_plus(task, RANKED, AGAINST)


def fit_reader(index: Path, model: Path, grades: Sequence[Path]) -> Reader:
    """Fit P that a reader calls a pair related."""
    rows: list[dict[str, str]] = []
    for path in grades:
        with path.open(encoding="utf-8") as file:
            rows += csv.DictReader(file, delimiter="\t")
    signs: dict[bool, list[Signs]] = {False: [], True: []}
    with Indexes(index) as collection:
        matcher = Matcher(collection, str(model))
        stages = matcher.stages
        assert stages
        ids = sorted({row[name] for row in rows for name in ("sentence", "match")})
        texts = dict(zip(ids, collection.texts(ids), strict=True))
        for row in rows:
            text = Sentences.from_texts([texts[row["sentence"]]], matcher.model.stopwords)
            query, place = stages.query(text, 0), matcher.store.rows([row["match"]])
            record = matcher.store.record_of(row["sentence"])
            scored = stages.scores(query, place)
            for alone, of in signs.items():
                of.append(stages.signs(query, place, scored, -1 if alone else record))
    said = [[int(row[name]) >= 1 for name in row if name.startswith("reader_")] for row in rows]
    return Reader.fit(
        *(_joined(of) for of in signs.values()), [float(np.mean(each)) for each in said], LEAST
    )


def _joined(signs: Sequence[Signs]) -> Signs:
    names = ("relative", "words", "cosine", "subject")
    columns = (np.concatenate([getattr(one, name) for one in signs]) for name in names)
    return Signs(*columns, alone=signs[0].alone)


if __name__ == "__main__":
    main()
