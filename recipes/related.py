r"""Train the model of related sentences that comes with the package.

Huber+ on an index of the abstracts, without the sources that are kept for evaluation and without a
third of the records (`held_out` by seed 0), packed, with the weights of `Reader` from readers'
grades of pairs of that index::

    relsent-ir index --input DATA/abstracts/abstracts.jsonl.gz --index indexes/abstracts
    python -m recipes related --index indexes/abstracts \
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
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray
from threadpoolctl import threadpool_limits

from relsent_ir import models
from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.lucene.read.index import Index
from relsent_ir.related.associations import Associations
from relsent_ir.related.calibration import Reader, Signs, logistic
from relsent_ir.related.features import Lexicon, Sentences
from relsent_ir.related.formulas import Statistics
from relsent_ir.related.huber_plus import HuberPlusModel
from relsent_ir.related.matching.matcher import Matcher
from relsent_ir.related.measures import Knowledge
from relsent_ir.related.pairs import held_out, read_corpus, surviving
from relsent_ir.related.tokens import Substrings
from relsent_ir.related.training.huber_plus import train_huber_plus
from relsent_ir.related.training.learning import Task
from relsent_ir.related.vectors import PART_LEVEL
from relsent_ir.related.weights import WeightModel
from relsent_ir.text.vocabulary import Vocabulary
from relsent_ir.text.words import default_stopwords
from relsent_ir.typing import Floats

LEFT_OUT = ("hoc", "chemexp", "cf")
RANKED, AGAINST = 18_000, 16
PAIRS = 100_000
SHOWN = 0.8  # P of a reader, of what is shown unasked

WORDS = 50_000
"""Words that are kept."""
LEAST = 3  # sentences that a substring is in, to be kept
WEIGHTS = 0.1  # of the sparse weights, the largest
CLOSE = 1e-10  # below this, a column is the same for all pairs


def main(arguments: list[str]) -> None:
    """Train, pack and save."""
    summary = (__doc__ or "").partition("\n")[0]
    parser = argparse.ArgumentParser("python -m recipes related", description=summary)
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
        packed = pack(model)
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
        "command": "python -m recipes related",
        "data": corpus.fingerprint,
        "seed": 0,  # that of the third
        "all_records": False,
        "content_share": 1.0,
    }
    kept = surviving(corpus, 1.0)
    task = Task(corpus, kept, training, pairs, seed, stopwords, None, facts, _told)
    return train_huber_plus(task, RANKED, AGAINST)


def _told(stage: str) -> Callable[[int, int | None], None]:
    """Print a stage of the training, without its progress."""
    print(stage, file=sys.stderr)
    return lambda _done, _total: None


def pack(model: HuberPlusModel, words: int = WORDS) -> HuberPlusModel:
    """Return a model with its most frequent words, as many as `words`, to be saved in 8 bits."""
    known = model.knowledge
    lexicon, kept = cut(known.statistics, words)
    ends, first = lexicon.substrings.starts, len(lexicon.words)
    parts = kept[first + ends[PART_LEVEL] : first + ends[PART_LEVEL + 1]]
    all_words = model.sparse.lexicon
    before = len(all_words.words) + all_words.substrings.starts[PART_LEVEL]
    frequency = known.statistics.frequency[kept]
    total = frequency.astype(np.int64)
    packed = HuberPlusModel(
        WeightModel(
            model.name,
            lexicon,
            largest(model.sparse.both)[kept],
            largest(model.sparse.one)[kept],
            model.sparse.threshold,
            model.stopwords,
            model.facts,
        ),
        model.candidates.weights,
        Knowledge(
            replace(known.statistics, lexicon=lexicon, frequency=frequency, total=total),
            Associations(
                np.zeros(first + 1, np.int64), np.empty(0, np.int32), np.empty(0, np.float16)
            ),
            known.vectors[kept[:first]],
            known.parts[parts - before],
        ),
        model.scaling,
        model.dense,
        model.facts,
        packed=True,
    )
    packed.calibration, packed.reader = model.calibration, model.reader
    return packed


def cut(statistics: Statistics, words: int) -> tuple[Lexicon, NDArray[np.intp]]:
    """Keep the words of most sentences, and substrings of several, with all that they begin with.

    Parameters
    ----------
    statistics : Statistics
    words : int
        How many words to keep.

    Returns
    -------
    lexicon : Lexicon
        The smaller one.
    features : ndarray of int
        Those that it keeps, in its order.
    """
    lexicon, frequency = statistics.lexicon, statistics.frequency
    names, trie = lexicon.words, lexicon.substrings
    kept = np.sort(np.argsort(-frequency[: len(names)], kind="stable")[:words])
    size, first = len(trie.alphabet), len(names)
    chosen: list[NDArray[np.bool_]] = []
    needed = np.zeros(0, dtype=np.int64)
    for i in reversed(range(len(trie.levels))):
        start = first + trie.starts[i]
        here = frequency[start : start + len(trie.levels[i])] >= LEAST
        here[needed] = True
        needed = trie.levels[i][here] // size
        chosen.insert(0, here)
    levels, features = [], [kept]
    number = np.arange(size)
    for i, here in enumerate(chosen):
        prefix, last = np.divmod(trie.levels[i][here], size)
        levels.append(number[prefix] * size + last)
        features.append(first + trie.starts[i] + np.flatnonzero(here))
        number = np.cumsum(here) - 1
    vocabulary = Vocabulary.of(names[i] for i in kept.tolist())
    return Lexicon(vocabulary, Substrings(trie.alphabet, tuple(levels))), np.concatenate(features)


def largest(weights: NDArray[np.floating]) -> Floats:
    """Set all but the largest weights to 0, the share of `WEIGHTS`."""
    sizes = np.abs(weights)
    least = np.quantile(sizes, 1.0 - WEIGHTS) if len(sizes) else 0.0
    return np.where(sizes >= least, weights, 0.0).astype(np.float64)


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
    return fit_weights(
        _joined(signs[False]), _joined(signs[True]), [float(np.mean(one)) for one in said], SHOWN
    )


def fit_weights(signs: Signs, alone: Signs, related: ArrayLike, least: float) -> Reader:
    """Fit the weights of a reader to the share of readers who call each pair related.

    Parameters
    ----------
    signs, alone : Signs
        Of the pairs, with the record of the first sentence and without.
    related : array_like of float, shape (pairs,)
    least : float
    """
    rows = []
    for columns in (signs.columns(), alone.columns()):
        middle, size = columns.mean(axis=0), np.maximum(columns.std(axis=0), CLOSE)
        middle[-1], size[-1] = 0.0, 1.0
        scaled = (columns - middle) / size
        weights = logistic(scaled, np.asarray(related, dtype=np.float64), 1.0) / size
        weights[-1] -= weights[:-1] @ middle[:-1]
        rows.append(weights)
    return Reader(np.array(rows), least)


def _joined(signs: Sequence[Signs]) -> Signs:
    return Signs(
        np.concatenate([one.relative for one in signs]),
        np.concatenate([one.words for one in signs]),
        np.concatenate([one.cosine for one in signs]),
        np.concatenate([one.subject for one in signs]),
        signs[0].alone,
    )
