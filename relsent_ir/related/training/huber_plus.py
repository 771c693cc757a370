"""Train Huber+ on pairs whose dense features are computed from other records.

Associations would recognise the pairs from which they were counted. So a hash splits the training
records into halves; pairs are drawn, and permuted into negative ones, within a half, and are
measured by associations from the other half. The model itself gets the associations of all training
records. The sentences to be ranked come from the records on which λ0 is tuned, and are scored by
sparse weights that were learned without these records.

The weights are learned to rank: of the sentences compared with a sentence, another one of its
record should be first. The loss is a sampled softmax (Bengio, Senécal: Quick training of
probabilistic neural nets by importance sampling. AISTATS 2003) over one other sentence of the
record and K random sentences of other records, each of which represents n / K of n sentences::

    L(w) = 1/G Σ_g ln(1 + n/K Σ_k exp(w·x_gk - w·x_g0)) + ρ/2G ‖w‖²

The loss is convex; L-BFGS minimises it at once, as there are few weights. Break-even compares all
pairs with each other; this loss only compares pairs of the same sentence, as a search does.
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Final, NamedTuple

import numpy as np

from relsent_ir.errors import MismatchError
from relsent_ir.related.features import compact
from relsent_ir.related.formulas import Statistics
from relsent_ir.related.huber_plus import COLUMNS, HuberPlusModel, Scaling
from relsent_ir.related.measures import MEASURES, Knowledge, Measures
from relsent_ir.related.model import method_scores
from relsent_ir.related.pairs import Corpus, Pairs, held_out
from relsent_ir.related.training import learning
from relsent_ir.related.training.huber import JointDesign, PairDesign
from relsent_ir.related.weights import WeightModel
from relsent_ir.typing import Floats, NDArray

GROUPS: Final = 6_000  # largest number of sentences that are compared with others
LEAST_GROUPS: Final = 200  # fewer do not suffice for dozens of weights
OTHERS: Final = 32  # K
AMONG: Final = 10_000  # n
RIDGE: Final = 10.0  # ρ; the columns have deviations of about 1
_MOST_STEPS: Final = 200


class Groups(NamedTuple):
    """Pairs of a sentence with others, of which the first is from its own record.

    Attributes
    ----------
    a, b : ndarray of int, shape (groups, 1 + others)
        Rows of the corpus; in a group, all values of `a` are the same.
    """

    a: NDArray[np.integer]
    b: NDArray[np.integer]


def draw_groups(
    corpus: Corpus,
    eligible: NDArray[np.bool_],
    ranked: NDArray[np.bool_],
    others: NDArray[np.bool_],
    n: int,
    seed: int = 0,
    against: int = OTHERS,
) -> Groups:
    """Draw sentences, for each another one of its record, and random sentences of others.

    Parameters
    ----------
    corpus : Corpus
    eligible : ndarray of bool, shape (sentences,)
        The sentences that can be drawn.
    ranked, others : ndarray of bool, shape (records,)
        The records of the sentences to rank, and the records of random sentences.
    n : int
        The number of sentences; all if there are fewer.
    seed : int
    against : int
        The number of random sentences for each.

    Returns
    -------
    Groups
        Empty if no record has two sentences, or there is one record only.
    """
    generator = np.random.default_rng(seed)
    record = corpus.record
    sizes = np.bincount(record[eligible], minlength=len(corpus.records))
    rows = np.flatnonzero(eligible & ranked[record] & (sizes > 1)[record])
    pool = np.flatnonzero(eligible & others[record])
    rows = generator.permutation(rows)[:n].astype(np.int32)
    starts = np.cumsum(sizes) - sizes
    all_eligible = np.flatnonzero(eligible)
    a = np.repeat(rows[:, None], 1 + against, axis=1)
    b = np.empty_like(a)
    complete = np.zeros(len(rows), dtype=bool)
    for i, row in enumerate(rows.tolist()):
        mates = all_eligible[starts[record[row]] : starts[record[row]] + sizes[record[row]]]
        b[i, 0] = generator.choice(mates[mates != row])
        drawn = generator.choice(pool, 2 * against) if len(pool) else pool
        drawn = drawn[record[drawn] != record[row]][:against]
        complete[i] = len(drawn) == against
        if complete[i]:
            b[i, 1:] = drawn
    return Groups(a[complete], b[complete])


def rank_weights(values: Floats, ridge: float = RIDGE) -> Floats:
    """Find the weights with the smallest loss; shape (columns,).

    Parameters
    ----------
    values : ndarray of float64, shape (groups, 1 + others, columns)
        x, with the pair from one record first.
    ridge : float
        ρ, more than 0.
    """
    from scipy.optimize import minimize

    minimum = minimize(
        softmax_loss,
        np.zeros(values.shape[2]),
        args=(values, ridge / len(values)),
        jac=True,
        method="L-BFGS-B",
        options={"maxiter": _MOST_STEPS},
    )
    return np.asarray(minimum.x)


def softmax_loss(weights: Floats, values: Floats, ridge: float) -> tuple[float, Floats]:
    """Return the loss and its gradient; `ridge` is ρ / G."""
    count, size, _ = values.shape
    scores = values @ weights
    scores[:, 1:] += np.log(AMONG / (size - 1))
    top = scores.max(axis=1, keepdims=True)
    powers = np.exp(scores - top)
    sums = powers.sum(axis=1, keepdims=True)
    loss = float(np.mean(np.log(sums) + top - scores[:, :1]))
    slope = powers / sums
    slope[:, 0] -= 1.0
    gradient = np.einsum("gk,gkc->c", slope, values) / count
    return loss + 0.5 * ridge * float(weights @ weights), gradient + ridge * weights


LAMBDA0: Final = 1e-4  # used if there are too few records to tune it
_TINY: Final = 1e-9
_RIDGE: Final = 1e-3  # added to the dense features' variances before they are decorrelated


def train_huber_plus(
    task: learning.Task, ranked: int = GROUPS, against: int = OTHERS
) -> HuberPlusModel:
    """Minimise the Huber cost over sparse and dense features, then learn to rank.

    Parameters
    ----------
    task : Task
    ranked : int
        Largest number of sentences to rank.
    against : int
        The number of other sentences compared with each.

    Raises
    ------
    MismatchError
        If there are too few training records to split.
    """
    whole = task.corpus
    rows = np.flatnonzero(task.training[whole.record])
    sentences = compact(whole.sentences, rows)
    record, number = whole.record[rows], whole.number[rows]
    corpus = replace(whole, sentences=sentences, record=record, number=number)
    task = replace(task, corpus=corpus, eligible=task.eligible[rows])
    statistics = Statistics.collect(corpus.sentences, np.flatnonzero(task.eligible))
    second = held_out([f"half:{name}" for name in corpus.records], task.seed, 1 / 2)
    halves = [_half(task, inside) for inside in (~second, second)]
    *others, all_words = [
        Knowledge(statistics, *task.learn(corpus, records, task.seed, task.progress))
        for records in (second, ~second, np.ones_like(second))
    ]
    each = zip(halves, others, strict=True)
    parts = [_measured(corpus, knowledge, pairs.a, pairs.b) for (pairs, _), knowledge in each]
    measures = np.concatenate(parts)
    pairs = Pairs.joined([pairs for pairs, _ in halves])
    tuning = np.concatenate([tuning for _, tuning in halves])
    if task.topical is not None and not tuning.any():
        raise MismatchError(
            "too few records of that subject to tune λ0 on", fix="give a wider query, or --lambda0"
        )
    scaling = Scaling.fit(measures)
    dense = scaling.apply(measures)
    values, vectors = np.linalg.eigh(dense.T @ dense / len(dense))
    # after this rotation, columns are uncorrelated and the cost is easy to minimise
    turn = np.asarray(vectors / np.sqrt(np.maximum(values, 0.0) + _RIDGE))
    sparse = PairDesign(corpus.sentences, pairs.a, pairs.b)
    sizes = sparse.sizes()  # of the sparse features only, so that λ means the same as in Huber
    design = JointDesign(dense @ turn, sparse)
    del measures, parts, dense
    tuned: dict[str, float] = {}
    start = None
    lambda0 = task.lambda0
    if lambda0 is None and tuning.any():
        lambda0, tuned, start = learning.tune(task, design, sizes, pairs, tuning)
    minimum = learning.fit(task, design, sizes, pairs, lambda0 or LAMBDA0, tuned, start)
    # Weights learned without the tuning records have not seen the sentences to rank.
    unseen = start[0] if start else minimum.weights
    judge = learning.weight_model("huber-plus", task, sparse, unseen[: design.cut], 0.0)
    ranked_records = task.tuning if start else np.ones_like(second)
    groups = [
        draw_groups(
            *(corpus, task.eligible, ranked_records & inside, inside),
            *(ranked // 2, task.seed, against),
        )
        for inside in (task.training & ~second, task.training & second)
    ]
    plain = Ranked(1.0, minimum.weights[design.cut :], np.ones(2))
    learned = _ranked(corpus, groups, others, judge, scaling, turn, plain)
    task.facts["training"]["ranked"] = sum(len(group.a) for group in groups)
    both = np.append(learned.sparse * minimum.weights[: design.cut], learned.dense)
    threshold = -float(np.median(design.dot(both)))
    weights = learning.weight_model("huber-plus", task, sparse, both[: design.cut], threshold)
    return HuberPlusModel(
        weights.carried_over(corpus.sentences.lexicon),  # of all training sentences
        learned.candidates,
        all_words,
        scaling,
        turn @ learned.dense,
        task.facts,
    )


class Ranked(NamedTuple):
    """The factor of the sparse weights, the dense weights, and the candidates' weights."""

    sparse: float
    dense: Floats
    candidates: Floats


def _ranked(
    corpus: Corpus,
    groups: Sequence[Groups],
    others: Sequence[Knowledge],
    judge: WeightModel,
    scaling: Scaling,
    turn: Floats,
    plain: Ranked,
) -> Ranked:
    """Learn to rank pairs measured by other records; return `plain` if there are too few."""
    a, b = (np.concatenate(side) for side in zip(*groups, strict=True))
    if not len(a):
        return plain
    each = zip(groups, others, strict=True)
    parts = [_measured(corpus, known, group.a.ravel(), group.b.ravel()) for group, known in each]
    measures = np.concatenate(parts)
    columns = measures[:, [MEASURES.index(name) for name in COLUMNS]]
    size = np.maximum(columns.std(axis=0), _TINY)
    candidates = rank_weights((columns / size).reshape(*a.shape, -1)) / size
    candidates = np.maximum(candidates, 0.0)
    if len(a) < LEAST_GROUPS:
        return plain._replace(candidates=candidates)
    sparse = judge.scores(corpus.sentences, a.ravel(), b.ravel())
    values = np.column_stack([sparse, scaling.apply(measures) @ turn])
    weights = rank_weights(values.reshape(*a.shape, -1))
    return Ranked(float(max(weights[0], 0.0)), weights[1:], candidates)


def _half(task: learning.Task, inside: NDArray[np.bool_]) -> tuple[Pairs, NDArray[np.bool_]]:
    """Draw the pairs of a half, and mark those for tuning, which are from separate records."""
    half = task.training & inside
    try:
        if task.lambda0 is None:
            with suppress(MismatchError):
                tuning = task.draw(half & task.tuning, learning.TUNING_SHARE / 2)
                others = task.draw(half & ~task.tuning, (1 - learning.TUNING_SHARE) / 2)
                pairs = Pairs.joined([others, tuning])
                return pairs, np.arange(len(pairs)) >= len(others)
        pairs = task.draw(half, 1 / 2)
    except MismatchError as error:
        raise MismatchError(
            "too few records to learn associations on one half for the other", fix="index more"
        ) from error
    return pairs, np.zeros(len(pairs), dtype=bool)


def _measured(
    corpus: Corpus, knowledge: Knowledge, a: NDArray[np.integer], b: NDArray[np.integer]
) -> Floats:
    """Measure pairs by associations and vectors that were learned from other records."""
    measures = Measures(knowledge, corpus.sentences.lexicon)
    formulas = method_scores(measures.formulas, corpus.sentences, a, b)
    return measures.of_pairs(formulas, corpus.sentences, a, b)
