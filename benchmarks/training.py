"""Learning Huber weights: time and memory against scikit-learn's SGD, and cost against size.

Both minimise the same cost (modified Huber loss, the same λ, a threshold that is not penalised) on
the same pairs of the abstracts collection, each in a process of its own:

- *ours*: the design matrix in its short form, then the minimiser until the cost is surely within
  0.1 % of its minimum (its own bound);
- *SGD*: the plain matrix of pairs × features in scikit-learn's CSR, then epochs of
  ``SGDClassifier(loss="modified_huber")`` until the cost is within 0.1 % of the minimum that ours
  found at a tolerance of 0.001 %, or ``--epochs`` have passed; working out its cost is not counted.
  Four schedules of its learning rate are shown, the best of a dozen that were tried.

Time is processor time, the matrix included, reading the sentences not; memory is the
process's peak over what it had once the sentences were read (Linux's VmHWM).

Then ours alone for 10,000 to 300,000 related pairs; ``--plot FILE`` draws that as SVG.

Run ``RELSENT_DATA=<data folder> python -m benchmarks.training [--work FOLDER]``.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = "1"

import numpy as np
from scipy.sparse import csr_array, vstack

from benchmarks.common import data_file, memory, print_table
from relsent_ir.lucene.read.index import Index
from relsent_ir.lucene.write.indexing import build_index
from relsent_ir.records import list_inputs
from relsent_ir.related.pairs import Corpus, Pairs, draw_pairs, read_corpus, surviving
from relsent_ir.related.training.huber import PairDesign, loss, minimise
from relsent_ir.text.words import default_stopwords
from reproduce.page import plot

LAMBDA0 = 1e-6
WITHIN = 1e-3
SIZES = (10_000, 30_000, 100_000, 300_000)
COMPARED = (10_000, 30_000)
SETTINGS: dict[str, dict[str, str | float]] = {
    "optimal": {"learning_rate": "optimal"},
    "0.01 / t^0.25": {"learning_rate": "invscaling", "eta0": 0.01, "power_t": 0.25},
    "0.3 / t^0.5": {"learning_rate": "invscaling", "eta0": 0.3, "power_t": 0.5},
    "constant 0.0003": {"learning_rate": "constant", "eta0": 0.0003},
}
ROWS = 20_000  # pairs whose rows of the plain matrix are made at once


class Meter:
    """Processor time and growth of memory from here on."""

    def __init__(self) -> None:
        Path("/proc/self/clear_refs").write_text("5")  # Linux forgets the peak so far
        self.before = memory("VmRSS")
        self.begun = time.process_time()

    def read(self) -> dict[str, float]:
        """Return seconds, and MB."""
        return {"seconds": time.process_time() - self.begun, "mb": memory("VmHWM") - self.before}


def plain_matrix(corpus: Corpus, pairs: Pairs) -> csr_array:
    """Write out a row for each pair: features of both sentences, then of one."""
    parts = []
    for start in range(0, len(pairs), ROWS):
        a, b = (corpus.sentences.counts(rows[start : start + ROWS]) for rows in (pairs.a, pairs.b))
        for part in (a, b):
            part.data = np.ones(part.nnz)
        both = a.multiply(b)
        one = a + b - 2.0 * both
        one.eliminate_zeros()
        columns = np.concatenate([both.indices, one.indices + np.int32(a.shape[1])])
        rows = np.concatenate(
            [np.repeat(np.arange(a.shape[0]), np.diff(part.indptr)) for part in (both, one)]
        )
        shape = a.shape[0], 2 * a.shape[1]
        parts.append(csr_array((np.ones(len(rows)), (rows, columns)), shape=shape))
    return csr_array(vstack(parts, format="csr"))


def ours(corpus: Corpus, pairs: Pairs, tolerance: float) -> dict[str, float]:
    """Minimise the cost."""
    meter = Meter()
    design = PairDesign(corpus.sentences, pairs.a, pairs.b)
    penalty = LAMBDA0 * float(np.sqrt(design.sizes()).mean()) ** 2
    found = minimise(design, np.where(pairs.related, 1.0, -1.0), penalty, tolerance=tolerance)
    plain = 12 * float(design.dot(np.ones(design.shape[1])).sum())
    matrices = [part for part in vars(design).values() if isinstance(part, csr_array)]
    parts = [max((matrix.data for matrix in matrices), key=len)]  # the ones, which all share
    parts += [part for matrix in matrices for part in (matrix.indices, matrix.indptr)]
    return meter.read() | {
        "cost": found.cost,
        "penalty": penalty,
        "matrix_mb": sum(part.nbytes for part in parts) / 2**20,
        "plain_mb": plain / 2**20,
        "converged": found.converged,
    }


def sgd(
    corpus: Corpus, pairs: Pairs, penalty: float, least: float, epochs: int, setting: str
) -> dict[str, float]:
    """Let SGD run until its cost is as good."""
    from sklearn.linear_model import SGDClassifier

    meter = Meter()
    x, y = plain_matrix(corpus, pairs), np.where(pairs.related, 1.0, -1.0)
    kept = np.asarray(x.sum(axis=0)).ravel() >= 2  # the paper's rule, as ours has it
    x = x[:, np.flatnonzero(kept)]
    learner = SGDClassifier(
        loss="modified_huber", alpha=penalty, random_state=0, **SETTINGS[setting]
    )
    order = np.random.default_rng(0).permutation(len(y))
    x, y = x[order], y[order]
    # scikit-learn wants 32 bits, scipy widens them where it stacks and takes rows.
    x = csr_array((x.data, x.indices.astype(np.int32), x.indptr.astype(np.int32)), shape=x.shape)
    uncounted, cost, epoch = 0.0, np.inf, 0
    while epoch < epochs and cost > (1.0 + WITHIN) * least:
        epoch += 1
        learner.partial_fit(x, y, classes=[-1.0, 1.0])
        begun = time.process_time()
        weights, threshold = learner.coef_.ravel(), float(learner.intercept_[0])
        cost = 0.5 * penalty * float(weights @ weights) + float(
            loss(y * (x @ weights + threshold)).mean()
        )
        uncounted += time.process_time() - begun
    measured = meter.read()
    measured["seconds"] -= uncounted
    return measured | {"cost": cost, "epochs": epoch, "matrix_mb": x.nnz * 12 / 2**20}


def child(asked: argparse.Namespace) -> None:
    """Read the sentences, do one job, and print what it took."""
    with Index(asked.index) as index:
        corpus = read_corpus(index, default_stopwords())
    everyone = np.ones(len(corpus.records), dtype=bool)
    pairs = draw_pairs(corpus, surviving(corpus), everyone, asked.pairs, 0)
    if asked.job == "ours":
        found = ours(corpus, pairs, asked.tolerance)
    else:
        found = sgd(corpus, pairs, asked.penalty, asked.least, asked.epochs, asked.setting)
    print(json.dumps(found))


def job(index: Path, **flags: object) -> dict[str, float]:
    """Run this script for one job, and read what it printed."""
    command = [sys.executable, "-m", "benchmarks.training", "--index", str(index)]
    for name, value in flags.items():
        command += [f"--{name}", str(value)]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    if ran.returncode:
        sys.exit(ran.stderr)
    found: dict[str, float] = json.loads(ran.stdout)
    return found


def compare(index: Path, pairs: int, epochs: int) -> None:
    """Set ours beside SGD on the same pairs."""
    least = job(index, job="ours", pairs=pairs, tolerance=1e-5)
    mine = job(index, job="ours", pairs=pairs, tolerance=WITHIN)
    peers = {
        setting: job(
            index, job="sgd", pairs=pairs, penalty=least["penalty"], least=least["cost"],
            epochs=epochs, setting=setting,
        )
        for setting in SETTINGS
    }  # fmt: skip
    rows = []
    for name, found in {"ours": mine, **{f"SGD, {k}": v for k, v in peers.items()}}.items():
        over = 100 * (found["cost"] / least["cost"] - 1)
        rows.append(
            [
                name,
                f"{found['seconds']:.1f}",
                f"{found['seconds'] / mine['seconds']:.1f}",
                f"{over:.3f}",
                f"{found.get('epochs', 0):.0f}" if "epochs" in found else "",
                f"{found['mb']:.0f}",
                f"{found['matrix_mb']:.0f}",
            ]
        )
    print(f"{pairs:,} related and as many unrelated pairs; minimum {least['cost']:.6f}")
    head = ["", "seconds", "ratio", "% over the minimum", "epochs", "peak MB", "matrix MB"]
    print_table(head, rows)
    print(flush=True)


def main() -> None:
    """Build the index if it is missing, and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", type=Path, help="a folder that is kept")
    parser.add_argument("--epochs", type=int, default=1000)
    parser.add_argument("--plot", type=Path, help="an SVG file to draw cost against size in")
    for name in ("--index", "--job", "--setting"):
        parser.add_argument(name, help=argparse.SUPPRESS)
    parser.add_argument("--pairs", type=int, help=argparse.SUPPRESS)
    for name in ("--tolerance", "--penalty", "--least"):
        parser.add_argument(name, type=float, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.job:
        child(asked)
        return
    source = data_file("abstracts/abstracts.jsonl.gz")
    with TemporaryDirectory() as temporary:
        work = asked.work or Path(temporary)
        index = work / "abstracts"
        build_index(list_inputs([source])[0], index)
        for pairs in COMPARED:
            compare(index, pairs, asked.epochs)
        costs = {pairs: job(index, job="ours", pairs=pairs, tolerance=WITHIN) for pairs in SIZES}
    rows = [
        [
            f"{pairs:,}",
            f"{found['seconds']:.1f}",
            f"{1e6 * found['seconds'] / pairs:.0f}",
            f"{found['mb']:.0f}",
            f"{found['matrix_mb']:.0f}",
            f"{found['plain_mb']:.0f}",
            f"{100 * found['matrix_mb'] / found['plain_mb']:.1f}",
        ]
        for pairs, found in costs.items()
    ]
    head = ["related pairs", "seconds", "µs a pair", "peak MB", "matrix MB", "plain MB", "%"]
    print_table(head, rows)
    if asked.plot:
        plots: dict[str, bytes] = {}
        with plot(plots, "training", "related pairs", "seconds, MB of peak memory") as axes:
            for key, label in (("seconds", "processor seconds"), ("mb", "peak memory, MB")):
                axes.plot(list(costs), [f[key] for f in costs.values()], marker="o", label=label)
            axes.set_xscale("log")
            axes.set_yscale("log")
        asked.plot.write_bytes(plots["training"])


if __name__ == "__main__":
    main()
