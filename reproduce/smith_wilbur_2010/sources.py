"""Records of other sources: trained without the citation-screening records, tested on them.

And the other way round. The settings of the word vectors were chosen on OHSUMED's records, trained
on all but these and the citation-screening ones, and on the latter; so no test has OHSUMED's.
"""

import csv
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from relsent_ir.errors import InputError, MismatchError
from relsent_ir.related import score_pairs
from relsent_ir.related.features import Sentences
from relsent_ir.related.huber_plus import HuberPlusModel
from relsent_ir.related.measures import Measures
from relsent_ir.related.pairs import Pairs, break_even, draw_pairs, top_half
from relsent_ir.related.vectors import sentence_vectors, vector_cosines
from relsent_ir.typing import Floats
from reproduce.page import interval, table
from reproduce.retrieval import (
    Haystack,
    draw_haystack,
    formula_model,
    measure_retrieval,
    model_scorer,
)
from reproduce.smith_wilbur_2010.protocol import SEED, Trainer, mcnemar
from reproduce.tables import table_rows

PUBLISHED: Final = {
    "averaged embeddings": 0.694,
    "BioSentVec": 0.817,
    "supervised linear regression": 0.836,
}
"""Pearson correlations: the first and the third of Soğancıoğlu et al. 2017, the second of Chen,
Peng, Lu: BioSentVec: creating sentence embeddings for biomedical texts. ICHI 2019."""

Score = Callable[[list[tuple[str, str]]], NDArray[np.floating]]


@dataclass(frozen=True)
class Agreement:
    """Correlation with the mean of the annotators' scores."""

    pearson: float
    spearman: float


def read_biosses(path: str | Path) -> tuple[list[tuple[str, str]], NDArray[np.float64]]:
    """Read pairs of sentences and their mean scores, 0 to 4.

    Parameters
    ----------
    path : str or Path
        Tab-separated, with a header that names ``sentence1``, ``sentence2`` and ``mean``.

    Raises
    ------
    InputError
        If the file cannot be read, a column or a number is missing, or there are no two pairs.
    """
    pairs: list[tuple[str, str]] = []
    means: list[float] = []
    for place, row in table_rows(path, delimiter="\t", quoting=csv.QUOTE_NONE):
        try:
            pairs.append((row["sentence1"], row["sentence2"]))
            means.append(float(row["mean"]))
        except (KeyError, TypeError, ValueError) as error:
            problem = "not a pair: it needs sentence1, sentence2 and a mean"
            raise InputError(problem, where=place) from error
    if len(pairs) < 2:
        raise InputError("there are no two pairs of sentences", where=path)
    return pairs, np.array(means)


def measure_biosses(path: str | Path, methods: Mapping[str, Score]) -> dict[str, Agreement]:
    """Correlate the scores of methods with people's.

    Parameters
    ----------
    path : str or Path
        As `read_biosses` reads it.
    methods : mapping of str to callable
        Each takes pairs of sentences and returns their scores.
    """
    from scipy.stats import pearsonr, spearmanr

    pairs, means = read_biosses(path)
    agreement = {}
    for name, score in methods.items():
        scores = score(pairs)
        both = (float(test(scores, means).statistic) for test in (pearsonr, spearmanr))
        agreement[name] = Agreement(*both)
    return agreement


def biosses_table(measured: Mapping[str, Agreement]) -> str:
    """Set methods beside the published ones, in Markdown."""
    rows = [[name, f"{r.pearson:.3f}", f"{r.spearman:.3f}"] for name, r in measured.items()]
    rows += [[f"{name} (published)", f"{r:.3f}", "–"] for name, r in PUBLISHED.items()]
    return table(["Method", "Pearson", "Spearman"], rows)


APART: Final = "citation-screening-"
TUNED_ON: Final = "ohsumed_single_23-"
SHARE: Final = 1.0
TRAINING_PAIRS: Final = 30_000
QUERIES: Final = 1_000
FORMULA: Final = "I1.5"
MINILM: Final = "all-MiniLM-L6-v2"
ENCODED: Final = "minilm.npz"  # beside the models: rows, vectors, biosses; vectors of length 1
COSINE: Final = "cosine of the vectors alone"


@dataclass(frozen=True)
class Measured:
    """A method on the test records.

    Attributes
    ----------
    right : ndarray of bool, shape (pairs,)
        Whether break-even's halves are right about each pair.
    be : float
        In percent.
    precision, first : ndarray of float64, shape (queries,)
        As `reproduce.retrieval.measure_retrieval` returns them.
    agreement : Agreement
        On BIOSSES.
    """

    right: NDArray[np.bool_]
    be: float
    precision: Floats
    first: Floats
    agreement: Agreement


@dataclass(frozen=True)
class Direction:
    """A split of the records into those to train on and those to test on.

    Attributes
    ----------
    trainer : Trainer
        Its models have not seen `Trainer.unseen`.
    haystack : Haystack
    pairs : Pairs
        All neighbours of the haystack, and as many unrelated ones.
    """

    trainer: Trainer
    haystack: Haystack
    pairs: Pairs


def directions(trainer: Trainer) -> dict[str, Direction]:
    """Cut the records in two, both ways."""
    corpus = trainer.corpus
    apart = np.array([name.startswith(APART) for name in corpus.records])
    tuned_on = np.array([name.startswith(TUNED_ON) for name in corpus.records])
    both = {}
    for name, unseen in (("citation screening", apart), ("other sources", ~apart)):
        folder = trainer.folder / name.replace(" ", "-")
        part = replace(trainer, folder=folder, testing=unseen, note=name, _learned={})
        eligible = part.eligible(SHARE)
        haystack = draw_haystack(corpus, eligible, unseen & ~tuned_on, queries=QUERIES, seed=SEED)
        drawn = np.bincount(haystack.record, minlength=len(corpus.records)) > 0
        both[name] = Direction(part, haystack, draw_pairs(corpus, eligible, drawn, None, SEED))
    return both


def train_plus(direction: Direction) -> HuberPlusModel:
    """Train Huber+ for a direction, or load the model of an earlier run."""
    model = direction.trainer.model("huber-plus", SHARE, TRAINING_PAIRS, calibrated=False)
    assert isinstance(model, HuberPlusModel)
    direction.trainer.forget()
    return model


def measure(direction: Direction, biosses: Path) -> dict[str, Measured]:
    """Measure a formula, Huber+, its cosine alone, and MiniLM."""
    trainer = direction.trainer
    corpus = trainer.corpus
    rows = np.flatnonzero(trainer.eligible(SHARE) & ~trainer.unseen[corpus.record])
    formula = formula_model(FORMULA, corpus, rows, trainer.stopwords)
    plus = train_plus(direction)
    measured = {}
    a, b = direction.pairs.a, direction.pairs.b
    for model in (formula, plus):
        name = model.name
        agreement = measure_biosses(biosses, {name: partial(score_pairs, model)})[name]
        scores = model.scores(corpus.sentences, a, b)
        search = model_scorer(model, corpus, direction.haystack)
        measured[name] = _measured(direction, scores, search, agreement)
    measured[COSINE] = _by_vectors(direction, biosses, plus)
    encoded = trainer.folder / ENCODED
    if encoded.exists():
        measured[MINILM] = _by_minilm(direction, encoded, biosses)
    return measured


def _measured(
    direction: Direction,
    scores: NDArray[np.floating],
    search: Callable[[int], Floats],
    agreement: Agreement,
) -> Measured:
    related = direction.pairs.related
    precision, first = measure_retrieval(direction.haystack, search, SEED)
    right = top_half(scores, SEED) == related
    return Measured(right, break_even(scores, related, SEED), precision, first, agreement)


def _by_vectors(direction: Direction, biosses: Path, model: HuberPlusModel) -> Measured:
    corpus = direction.trainer.corpus
    measures = Measures(model.knowledge, corpus.sentences.lexicon)

    def cosines(texts: list[tuple[str, str]]) -> Floats:
        sentences = Sentences.from_texts((t for pair in texts for t in pair), model.stopwords)
        vectors = Measures(model.knowledge, sentences.lexicon).vectors
        places = np.arange(0, 2 * len(texts), 2)
        return vector_cosines(sentences.words, places, places + 1, vectors)

    words, pairs = corpus.sentences.words, direction.pairs
    scores = vector_cosines(words, pairs.a, pairs.b, measures.vectors)
    unit = sentence_vectors(words[direction.haystack.rows], measures.vectors)
    agreement = measure_biosses(biosses, {COSINE: cosines})[COSINE]
    return _measured(direction, scores, lambda query: unit @ unit[query], agreement)


def _by_minilm(direction: Direction, encoded: Path, biosses: Path) -> Measured:
    """Measure the vectors that ``python -m benchmarks.minilm --sources`` encoded."""
    haystack, pairs = direction.haystack, direction.pairs
    with np.load(encoded) as stored:
        rows, unit, people = stored["rows"], stored["vectors"], stored["biosses"]
    if not np.array_equal(rows, haystack.rows):
        fix = "python -m benchmarks.minilm --sources again"
        raise MismatchError("other sentences were encoded", where=encoded, fix=fix)
    a, b = (np.searchsorted(rows, side) for side in (pairs.a, pairs.b))
    scores = np.einsum("ij,ij->i", unit[a], unit[b])
    cosines = np.einsum("ij,ij->i", people[::2], people[1::2])
    agreement = measure_biosses(biosses, {MINILM: lambda _texts: cosines})[MINILM]
    return _measured(direction, scores, lambda query: unit @ unit[query], agreement)


def run_sources(both: Mapping[str, Direction], biosses: Path) -> dict[str, str]:
    """Test both ways; return the text of the page by mark."""
    rows, directions = [], []
    for name, direction in both.items():
        measured = measure(direction, biosses)
        plus = measured["huber-plus"]
        for method, of in measured.items():
            pairs = precision = ""
            if of is not plus:
                b, c, p = mcnemar(plus.right, of.right)
                low, high = interval(plus.precision.tolist(), of.precision.tolist())
                pairs, precision = f"{b:,} : {c:,}, p {p:.1e}", f"{low:+.3f} to {high:+.3f}"
            rows.append(
                [
                    f"{name}: {method}",
                    f"{of.be:.2f}",
                    pairs,
                    f"{of.precision.mean():.3f}",
                    f"{of.first.mean():.3f}",
                    precision,
                    f"{of.agreement.pearson:.3f} / {of.agreement.spearman:.3f}",
                ]
            )
        unseen = direction.trainer.unseen
        directions.append(
            f"- {name}: trained on {int((~unseen).sum()):,} records, tested on "
            f"{len(direction.haystack.rows):,} sentences of the others, "
            f"{len(direction.pairs) // 2:,} pairs of neighbours and as many unrelated ones, "
            f"{len(direction.haystack.queries):,} queries."
        )
    header = ["Tested on", "BE, %", "huber-plus alone right : this", "MAP", "P@1",
              "95 % of huber-plus − this, MAP", "BIOSSES, r / ρ"]  # fmt: skip
    return {
        "sources": table(header, rows),
        "directions": "\n".join(directions),
        "training": f"{TRAINING_PAIRS:,}",
    }
