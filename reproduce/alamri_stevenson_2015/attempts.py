"""Attempts to better our answer model, by cross-validation on the training split."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from relsent_ir.answers.evaluation import score
from relsent_ir.answers.features import Body
from relsent_ir.answers.linear import Example, Judged, Step
from relsent_ir.answers.questions import Parts, folds, question_parts, similar_sentences
from relsent_ir.answers.training import Posed
from relsent_ir.typing import Floats
from reproduce.alamri_stevenson_2015.systems import (
    FOLDS,
    Prepared,
    best_only,
    cross_validate_linear,
    with_columns,
)
from reproduce.page import table

PAIR_PENALTY: Final = 300.0
_BETWEEN: Final = re.compile(
    r"\bbetween(?:-| (?:the )?(?:\w+ ){0,3}?)(?:groups?|arms?|treatments?)|\bthan\b|\bversus\b"
    r"|\bvs\b|compared (?:with|to)",
    re.IGNORECASE,
)
_WITHIN: Final = re.compile(
    r"\b(?:from|with|to|than) baseline|\bwithin\b[\w -]*groups?|\b(?:both|all) (?:groups|arms)",
    re.IGNORECASE,
)
_ANY: Final = re.compile(
    r"\b(?:any|all|other|either|neither|none|secondary) (?:of (?:the )?)?(?:\w+ ){0,2}?"
    r"(?:outcomes?|measures?|end-?points?|parameters?|variables?|scores?|differences?)\b",
    re.IGNORECASE,
)
_HEAD: Final = re.compile(r"\s(?:of|in|at|for|after|during|by|on|from|with|to)\s|[(,;]")


def attempts(
    train: Mapping[str, Prepared], taught: Prepared, ours: Mapping[str, Sequence[Judged]]
) -> str:
    """Show what was tried, and what came of it.

    Parameters
    ----------
    train : mapping of str to Prepared
        The questions by form.
    taught : Prepared
        All forms that the model learns from.
    ours : mapping of str to sequence of Judged
        Of the model itself, in cross-validation.
    """
    tests = {form: of.examples for form, of in train.items()}
    records = next(iter(train.values())).records
    learned = taught.examples
    parted = [e for e, p in zip(learned, taught.posed, strict=True) if not p.whole]
    by_words = [
        replace(e, answers=similar_sentences([s.text for s in p.tagged], p.question.evidence))
        for e, p in zip(learned, taught.posed, strict=True)
    ]
    wider = {form: _wider(of) for form, of in train.items()}
    variants: dict[str, Mapping[str, Sequence[Judged]]] = {
        "the finding is shown places too": cross_validate_linear(
            learned, tests, records, unseen=()
        ),
        "no question is taken whole": cross_validate_linear(parted, tests, records),
        "evidence by words teaches": cross_validate_linear(by_words, tests, records),
        "eight more features": cross_validate_linear(_wider(taught), wider, records),
        "pairs of sentences, modified Huber loss": _cross_validate_pairs(learned, tests, records),
        "both forms": {
            form: [_mean(j, [of[i] for of in ours.values()]) for i, j in enumerate(own)]
            for form, own in ours.items()
        },
    }
    found: dict[str, Mapping[str, Sequence[Judged]]] = {
        "ours": ours,
        "ours, its first sentence alone": {form: best_only(of) for form, of in ours.items()},
    }
    found |= {name: {form: best_only(of[form]) for form in of} for name, of in variants.items()}
    ways: dict[str, Callable[[Judged], Judged]] = {
        "ours, as many sentences as promise the best F1": best_expected,
        "ours, a neighbour too": with_neighbour,
    }
    found |= {
        name: {f: [way(j) for j in of] for f, of in ours.items()} for name, way in ways.items()
    }
    rows = []
    for name, by_form in found.items():
        values = [score(train[form].posed, by_form[form]).to_dict() for form in train]
        cells = [f"{v[measure]:.4f}" for measure in ("success_at_1", "f1") for v in values]
        rows.append([name, *cells])
    header = [f"{what}, {form}" for what in ("what stands first", "span F1") for form in train]
    return table(["", *header], rows)


def best_expected(judged: Judged) -> Judged:
    """Take the best k sentences for answers, for the k of the highest expected F1.

    That is taken for twice their probabilities' sum, over k and the sum of all.
    """
    order = np.argsort(-judged.scores, kind="stable")
    sums = np.cumsum(judged.probabilities[order])
    expected = 2 * sums / (np.arange(1, len(sums) + 1) + sums[-1:])
    answers = np.zeros(len(order), dtype=bool)
    answers[order[: int(expected.argmax()) + 1 if len(order) else 0]] = True
    return replace(judged, answers=answers)


def with_neighbour(judged: Judged, least: float = 0.25) -> Judged:
    """Take the first sentence, and one beside it that has so much probability."""
    answers = best_only([judged])[0].answers.copy()
    for first in np.flatnonzero(answers).tolist():
        for n in (first - 1, first + 1):
            if 0 <= n < len(answers) and judged.probabilities[n] >= least:
                answers[n] = True
    return replace(judged, answers=answers)


def learn_pairs(taught: Sequence[Example], penalty: float = PAIR_PENALTY) -> Step:
    """Learn weights that put each answer before the other sentences of its abstract.

    The modified Huber loss of the differences, an L2 penalty; each answer weighs the same.
    """
    from scipy.optimize import minimize

    x = np.vstack([example.features for example in taught])
    deviation = x.std(axis=0)
    deviation[deviation < 1e-9] = 1.0
    rows = []
    for example in taught:
        better, others = example.features[example.answers], example.features[~example.answers]
        rows.append((better[:, None] - others[None]).reshape(-1, x.shape[1]) / deviation)
    differences = np.vstack(rows)
    weights = np.concatenate(
        [np.full(len(r), 1 / max(1, e.answers.sum())) for r, e in zip(rows, taught, strict=True)]
    )

    def cost(w: Floats) -> tuple[float, Floats]:
        margin = differences @ w
        short = np.maximum(0.0, 1.0 - margin)
        loss = np.where(margin >= -1.0, short**2, -4.0 * margin)
        slope = np.where(margin >= -1.0, -2.0 * short, -4.0)
        total = 0.5 * penalty * w @ w + (weights * loss).sum()
        return float(total), differences.T @ (weights * slope) + penalty * w

    return Step(deviation, minimize(cost, np.zeros(x.shape[1]), jac=True, method="L-BFGS-B").x)


def _cross_validate_pairs(
    taught: Sequence[Example], tests: Mapping[str, Sequence[Example]], records: Sequence[str]
) -> dict[str, list[Judged]]:
    """Judge each question by pairs of other records' questions."""
    found: dict[str, dict[int, Judged]] = {form: {} for form in tests}
    for held in folds(records, FOLDS):
        rows = np.flatnonzero(held).tolist()
        names = {records[i] for i in rows}
        others = [e for e in taught if e.record not in names and not e.concludes]
        if not rows or not any(e.answers.any() for e in others):
            continue
        step = learn_pairs(others)
        for form, test in tests.items():
            for i in rows:
                shares = step.shares(test[i].features)
                found[form][i] = Judged(shares, shares, shares >= 1.0)
    return {form: [of[i] for i in sorted(of)] for form, of in found.items()}


def _mean(judged: Judged, forms: Sequence[Judged]) -> Judged:
    """Multiply the scores of all forms of the same sentences; where they are not, leave them."""
    if len({len(one.scores) for one in forms}) > 1:
        return judged
    return replace(judged, scores=np.prod([one.scores for one in forms], axis=0))


def _wider(data: Prepared) -> list[Example]:
    """Add features that were thought of after reading errors."""
    return with_columns(data.examples, [_more(p, data) for p in data.posed])


def _more(p: Posed, data: Prepared) -> Floats:
    """Comparisons between and within groups, any outcome, what is new, the outcome's head."""
    texts = [sentence.text for sentence in p.tagged]
    asked = p.question.text
    parts = Parts("", "", asked) if p.whole else question_parts(asked)
    body = Body([data.vectors.terms(text) for text in texts], data.vectors)
    outcome = data.vectors.terms(parts.outcome)
    meaning = body.meaning(outcome)
    inside = meaning * [sentence.move == "RESULTS" for sentence in p.tagged]
    best = inside >= inside.max(initial=0.0) - 1e-9
    before = np.maximum.accumulate(np.append(0.0, inside))[:-1]
    head = data.vectors.terms(_HEAD.split(parts.outcome)[0])[-1:]
    between, within, some = (
        np.array([bool(cue.search(text)) for text in texts], dtype=np.float64)
        for cue in (_BETWEEN, _WITHIN, _ANY)
    )
    columns = [
        between,
        within,
        some,
        some * (1 - meaning.max(initial=0.0)),
        best & (np.cumsum(best) == 1),
        np.maximum(0.0, inside - before),
        body.meaning(head),
        body.grams(head),
    ]
    return np.column_stack(columns)
